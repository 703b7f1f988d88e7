// The injected clock: the only source of time and waiting for everything that a run decides; and what ends a wait.
import { setMaxListeners } from 'node:events';

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

/** A clock that runs so many times as fast as another, and stands still while work is under way. */
export interface HurriedClock extends Clock {
  readonly rate: number;
  /** What the other clock shows when this one shows `at`, if nothing is under way until then. */
  before(at: number): number;
  /** Work that takes no time, however slow the machine is. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** Whoever shares it waits a tenth of the time where the rate is ten, and sees nothing of it. */
export function hurried(clock: Clock, rate: number): HurriedClock {
  let read = clock.now();
  let shown = read;
  let working = 0;
  let idle = Promise.resolve();
  let becomeIdle = () => {};
  const now = (): number => {
    const at = clock.now();
    if (working === 0) shown += (at - read) * rate;
    read = at;
    return shown;
  };
  return {
    rate,
    now,
    before: (at) => clock.now() + (at - now()) / rate,
    async sleep(ms, signal) {
      const until = now() + ms;
      do {
        signal?.throwIfAborted();
        await (working > 0 ? idle : clock.sleep((until - now()) / rate, signal));
      } while (now() < until);
    },
    async during(work) {
      now();
      if (working === 0) ({ promise: idle, resolve: becomeIdle } = withResolvers());
      working += 1;
      try {
        return await work();
      } finally {
        now();
        working -= 1;
        if (working === 0) becomeIdle();
      }
    },
  };
}

function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
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

/** Aborted with the first of these; every request and every wait of a run may listen to it. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const any = AbortSignal.any(signals.filter((signal) => signal !== undefined));
  setMaxListeners(0, any);
  return any;
}

/** Calls back whenever the event loop has run empty, and keeps it going for another turn, until what is returned is called. */
export function onEmptyLoop(call: () => void): () => void {
  const hear = () => {
    call();
    setImmediate(() => {});
  };
  process.on('beforeExit', hear);
  return () => process.off('beforeExit', hear);
}
