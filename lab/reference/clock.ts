// The clock of the reference, and the only place where it reads the real one.

/** Milliseconds since the epoch, and a way to wait. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** The real clock, for the sandbox. */
export const wallClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
