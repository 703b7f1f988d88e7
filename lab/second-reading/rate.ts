// Meters that count requests per minute, in four lawful ways.
import type { Choices } from './choices.ts';

export interface Meter {
  limit: number;
  /** Counts a request; 0 when it may pass, otherwise how many milliseconds to wait. */
  take(now: number): number;
  remaining(now: number): number;
  resetsIn(now: number): number;
}

/** In four lawful ways. */
export function makeMeter(choices: Choices, limit: number, minute: number): Meter {
  const countsRefused = choices.rateRefused === 'counted';
  if (choices.rateAlgorithm === 'sliding') return slidingMeter(limit, minute, countsRefused);
  if (choices.rateAlgorithm === 'token-bucket') return bucketMeter(limit, minute, countsRefused);
  return windowMeter(limit, minute, choices.rateAlgorithm === 'clock-minutes');
}

function windowMeter(limit: number, minute: number, aligned: boolean): Meter {
  let start = Number.NEGATIVE_INFINITY;
  let count = 0;
  const turn = (now: number): void => {
    if (now < start + minute) return;
    start = aligned ? Math.floor(now / minute) * minute : now;
    count = 0;
  };
  return {
    limit,
    take: (now) => {
      turn(now);
      if (count >= limit) return start + minute - now;
      count += 1;
      return 0;
    },
    remaining: (now) => {
      turn(now);
      return limit - count;
    },
    resetsIn: (now) => Math.max(0, start + minute - now),
  };
}

function slidingMeter(limit: number, minute: number, countsRefused: boolean): Meter {
  let times: number[] = [];
  const forget = (now: number): void => {
    if ((times[0] ?? now) <= now - minute) times = times.filter((time) => time > now - minute);
  };
  return {
    limit,
    take: (now) => {
      forget(now);
      const passes = times.length < limit;
      if (passes || countsRefused) times.push(now);
      if (times.length > limit) times.shift();
      return passes ? 0 : Math.max(1, (times[0] ?? now) + minute - now);
    },
    remaining: (now) => {
      forget(now);
      return limit - times.length;
    },
    resetsIn: (now) => Math.max(0, (times[0] ?? now) + minute - now),
  };
}

function bucketMeter(limit: number, minute: number, countsRefused: boolean): Meter {
  const perMs = limit / minute;
  const floor = countsRefused ? -Math.min(3, limit) : 0;
  let tokens = limit;
  let at = 0;
  const refill = (now: number): void => {
    tokens = Math.min(limit, tokens + Math.max(0, now - at) * perMs);
    at = now;
  };
  return {
    limit,
    take: (now) => {
      refill(now);
      // A hair of tolerance, so that the reported wait is always enough.
      if (tokens >= 1 - 1e-9) {
        tokens -= 1;
        return 0;
      }
      if (floor < 0) tokens = Math.max(floor, tokens - 1);
      return (1 - tokens) / perMs;
    },
    remaining: (now) => {
      refill(now);
      return Math.max(0, Math.floor(tokens));
    },
    resetsIn: (now) => {
      refill(now);
      return (limit - tokens) / perMs;
    },
  };
}
