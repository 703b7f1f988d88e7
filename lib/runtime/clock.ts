// The injected clock: the only source of time and waiting for all decisions of a run; and functions that end a wait.
import { setMaxListeners } from 'node:events';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason where it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The same clock, but monotonic: no wait takes longer because the machine's clock was set back.
 * It is not read here: the names and draws of a run derive from its first reading.
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

/** A clock that runs faster than another by a factor, and stops while work is in progress. */
export interface AcceleratedClock extends Clock {
  readonly rate: number;
  /** The time of the other clock when this one shows `at`, if nothing is in progress until then. */
  before(at: number): number;
  /** Work during which the clock stops, however slow the machine is. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** With a rate of ten everyone who shares the clock waits a tenth of the time without noticing. */
export function accelerated(clock: Clock, rate: number): AcceleratedClock {
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

/**
 * The machine's time at the start of the process, monotonic since then: setting the machine's clock ends no wait early.
 */
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

/** Aborts with the first of these signals; all requests and waits of a run may listen to it. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const any = AbortSignal.any(signals.filter((signal) => signal !== undefined));
  setMaxListeners(0, any);
  return any;
}

/** Calls back whenever the event loop is empty, and keeps it running, until the returned function is called. */
export function onEmptyLoop(call: () => void): () => void {
  const hear = () => {
    call();
    setImmediate(() => {});
  };
  process.on('beforeExit', hear);
  return () => process.off('beforeExit', hear);
}
