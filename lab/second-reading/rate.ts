// Meters that count requests per minute, in four lawful ways.
import type { Choices } from './choices.ts';

export interface Meter {
  limit: number;
  /** Counts a request; 0 when it may pass, otherwise how many milliseconds to wait. */
  take(now: number): number;
  remaining(now: number): number;
  resetsIn(now: number): number;
}

export function makeMeter(choices: Choices, limit: number, minute: number): Meter {
  if (choices.rateAlgorithm === 'sliding') return new SlidingMeter(limit, minute, choices.rateRefused === 'counted');
  if (choices.rateAlgorithm === 'token-bucket')
    return new BucketMeter(limit, minute, choices.rateRefused === 'counted');
  return new WindowMeter(limit, minute, choices.rateAlgorithm === 'clock-minutes');
}

class WindowMeter implements Meter {
  readonly limit: number;
  readonly #minute: number;
  readonly #aligned: boolean;
  #start = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(limit: number, minute: number, aligned: boolean) {
    this.limit = limit;
    this.#minute = minute;
    this.#aligned = aligned;
  }

  take(now: number): number {
    this.#turn(now);
    if (this.#count >= this.limit) return this.#start + this.#minute - now;
    this.#count += 1;
    return 0;
  }

  remaining(now: number): number {
    this.#turn(now);
    return this.limit - this.#count;
  }

  resetsIn(now: number): number {
    return Math.max(0, this.#start + this.#minute - now);
  }

  #turn(now: number): void {
    if (now < this.#start + this.#minute) return;
    this.#start = this.#aligned ? Math.floor(now / this.#minute) * this.#minute : now;
    this.#count = 0;
  }
}

class SlidingMeter implements Meter {
  readonly limit: number;
  readonly #minute: number;
  readonly #countRefused: boolean;
  #times: number[] = [];

  constructor(limit: number, minute: number, countRefused: boolean) {
    this.limit = limit;
    this.#minute = minute;
    this.#countRefused = countRefused;
  }

  take(now: number): number {
    this.#forget(now);
    const passes = this.#times.length < this.limit;
    if (passes || this.#countRefused) this.#times.push(now);
    if (this.#times.length > this.limit) this.#times.shift();
    return passes ? 0 : Math.max(1, (this.#times[0] ?? now) + this.#minute - now);
  }

  remaining(now: number): number {
    this.#forget(now);
    return this.limit - this.#times.length;
  }

  resetsIn(now: number): number {
    return Math.max(0, (this.#times[0] ?? now) + this.#minute - now);
  }

  #forget(now: number): void {
    let old = 0;
    while (old < this.#times.length && (this.#times[old] ?? 0) <= now - this.#minute) old += 1;
    if (old > 0) this.#times.splice(0, old);
  }
}

class BucketMeter implements Meter {
  readonly limit: number;
  readonly #perMs: number;
  readonly #floor: number;
  #tokens: number;
  #at = 0;

  constructor(limit: number, minute: number, countRefused: boolean) {
    this.limit = limit;
    this.#perMs = limit / minute;
    this.#floor = countRefused ? -Math.min(3, limit) : 0;
    this.#tokens = limit;
  }

  take(now: number): number {
    this.#refill(now);
    // A hair of tolerance, so that the reported wait is always enough.
    if (this.#tokens >= 1 - 1e-9) {
      this.#tokens -= 1;
      return 0;
    }
    if (this.#floor < 0) this.#tokens = Math.max(this.#floor, this.#tokens - 1);
    return (1 - this.#tokens) / this.#perMs;
  }

  remaining(now: number): number {
    this.#refill(now);
    return Math.max(0, Math.floor(this.#tokens));
  }

  resetsIn(now: number): number {
    this.#refill(now);
    return (this.limit - this.#tokens) / this.#perMs;
  }

  #refill(now: number): void {
    const elapsed = Math.max(0, now - this.#at);
    this.#tokens = Math.min(this.limit, this.#tokens + elapsed * this.#perMs);
    this.#at = now;
  }
}
