// The injected clock: the only source of time and waiting for everything that a run decides.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason where it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The same clock, which goes on where the other is put back: no wait is longer for it, and nothing ends before it begins.
 * It is not read here: the first reading of a run is the moment from which its names and draws follow.
 */
export function steady(clock: Clock): Clock {
  let last = Number.NEGATIVE_INFINITY;
  let shift = 0;
  return {
    now: () => {
      const now = clock.now();
      shift = Math.max(shift, last - now);
      last = now + shift;
      return last;
    },
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

/** The same clock, whose waits all end with the signal. */
export const endingWith = (clock: Clock, signal: AbortSignal): Clock => ({
  now: () => clock.now(),
  sleep: (ms) => clock.sleep(ms, signal),
});

/** A clock that runs ahead of another: so many times as fast, from the moment on at which it is made. */
export interface HurriedClock extends Clock {
  readonly rate: number;
  /** What the other clock shows when this one shows `at`. */
  before(at: number): number;
}

/** Whoever shares it waits a tenth of the time where the rate is ten, and sees nothing of it. */
export function hurried(clock: Clock, rate: number): HurriedClock {
  const start = clock.now();
  return {
    rate,
    now: () => start + (clock.now() - start) * rate,
    sleep: (ms, signal) => clock.sleep(ms / rate, signal),
    before: (at) => start + (at - start) / rate,
  };
}

/** The machine's own time, as it was when the process began and steady since: whatever puts the machine's clock ends no wait early. */
export const wallClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};
