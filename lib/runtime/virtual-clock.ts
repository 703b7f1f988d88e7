// Virtual time: it passes only while everything waits, so that a minute of a rate limit takes no time in the
// laboratory.
import type { Clock } from './clock.ts';

export interface VirtualClock extends Clock {
  /** Stops time during work, such as a request in progress. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** The clock for waits inside such work, such as those of a slow server. */
  readonly inside: Clock;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** Starts at a fixed moment; jumps to the next sleeper's time as soon as no work is under way and the event loop is idle. */
export function virtualClock(startMs = Date.UTC(2026, 2, 2, 9, 0, 0)): VirtualClock {
  let now = startMs;
  let working = 0;
  let scheduled = false;
  const sleepers: Sleeper[] = [];

  const advance = () => {
    scheduled = false;
    if (working > 0) return;
    const next = sleepers.shift();
    if (next === undefined) return;
    now = Math.max(now, next.until);
    next.wake();
    schedule();
  };
  const schedule = () => {
    if (scheduled || sleepers.length === 0) return;
    scheduled = true;
    setImmediate(advance);
  };
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const until = now + Math.max(0, ms);
      const index = sleepers.findIndex((sleeper) => sleeper.until > until);
      const sleeper = { until, wake: resolve };
      sleepers.splice(index < 0 ? sleepers.length : index, 0, sleeper);
      signal?.addEventListener('abort', () => {
        const place = sleepers.indexOf(sleeper);
        if (place >= 0) sleepers.splice(place, 1);
        reject(signal.reason);
      });
      schedule();
    });
  const leave = () => {
    working -= 1;
    schedule();
  };

  return {
    now: () => now,
    sleep,
    async during(work) {
      working += 1;
      try {
        return await work();
      } finally {
        leave();
      }
    },
    inside: {
      now: () => now,
      async sleep(ms) {
        leave();
        await sleep(ms);
        working += 1;
      },
    },
  };
}
