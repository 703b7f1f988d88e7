// The clock that the reference goes by, and the only place where it looks at the real one.

/** Milliseconds since the epoch, and a way to let them pass. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The clock on the wall, for the sandbox. */
export const wallClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
