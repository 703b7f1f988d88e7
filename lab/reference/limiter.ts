// Rate limits: requests counted per budget in one of five ways (Limits, Rate limits).
import type { Choices } from './choices.ts';

interface Budget {
  /** Start of the window, or when the bucket was last filled. */
  since: number;
  /** Requests in the window, or what was drawn from the bucket and has not yet flowed back. */
  used: number;
  /** Times of the counted requests, for the sliding window only. */
  times: number[];
  /** Requests in the window before, for weighted windows only. */
  before: number;
}

type Algorithm = (budget: Budget, limit: number, now: number) => number;

/** With more budgets than this, stale ones are removed. */
const sweepAbove = 2_000;

export class Limiter {
  readonly #budgets = new Map<string, Budget>();
  readonly #minuteMs: number;
  readonly #refusedCount: boolean;
  readonly #spend: Algorithm;

  constructor(minuteMs: number, choices: Pick<Choices, 'limiter' | 'refusedCount'>) {
    this.#minuteMs = minuteMs;
    this.#refusedCount = choices.refusedCount;
    this.#spend = this.#algorithm(choices.limiter);
  }

  /** Counts one request. Returns 0 if it may pass, otherwise the whole seconds to wait, at least 1. */
  spend(name: string, limit: number, now: number): number {
    let budget = this.#budgets.get(name);
    if (budget === undefined) {
      this.#sweep(now);
      budget = { since: now, used: 0, times: [], before: 0 };
      this.#budgets.set(name, budget);
    }
    const waitMs = this.#spend(budget, limit, now);
    return waitMs <= 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1000));
  }

  #algorithm(name: Choices['limiter']): Algorithm {
    if (name === 'sliding') return (budget, limit, now) => this.#sliding(budget, limit, now);
    if (name === 'weighted') return (budget, limit, now) => this.#weighted(budget, limit, now);
    if (name === 'bucket') return (budget, limit, now) => this.#bucket(budget, limit, now);
    if (name === 'aligned') {
      return (budget, limit, now) =>
        this.#window(budget, limit, now, Math.floor(now / this.#minuteMs) * this.#minuteMs);
    }
    return (budget, limit, now) => this.#window(budget, limit, now, now);
  }

  #window(budget: Budget, limit: number, now: number, start: number): number {
    if (now >= budget.since + this.#minuteMs || budget.used === 0) {
      budget.since = start;
      budget.used = 0;
    }
    if (budget.used >= limit) return budget.since + this.#minuteMs - now;
    budget.used += 1;
    return 0;
  }

  #sliding(budget: Budget, limit: number, now: number): number {
    const { times } = budget;
    budget.since = now;
    while (times.length > 0 && (times[0] ?? 0) <= now - this.#minuteMs) times.shift();
    const full = times.length >= limit;
    if (!full || this.#refusedCount) times.push(now);
    // A client that keeps sending must not make the list grow without bound.
    if (times.length > 2 * limit) times.shift();
    return full ? (times[times.length - limit] ?? now) + this.#minuteMs - now : 0;
  }

  /** Of the clock's minute before, so much counts as is not yet a whole minute ago: how many gateways approximate a sliding window. */
  #weighted(budget: Budget, limit: number, now: number): number {
    const minute = this.#minuteMs;
    const start = Math.floor(now / minute) * minute;
    if (budget.since !== start) {
      budget.before = budget.since === start - minute ? budget.used : 0;
      budget.used = 0;
      budget.since = start;
    }
    const { before, used } = budget;
    const passed = now - start;
    if (before * (1 - passed / minute) + used + 1 <= limit + 1e-9) {
      budget.used += 1;
      return 0;
    }
    const rest = minute - passed;
    return used + 1 > limit ? rest + minute * (1 - (limit - 1) / used) : rest - (minute * (limit - 1 - used)) / before;
  }

  #bucket(budget: Budget, limit: number, now: number): number {
    const perMs = limit / this.#minuteMs;
    budget.used = Math.max(0, budget.used - (now - budget.since) * perMs);
    budget.since = now;
    // The tolerance absorbs the rounding of the refill.
    const full = budget.used + 1 > limit + 1e-9;
    if (!full || this.#refusedCount) budget.used = Math.min(budget.used + 1, limit);
    return full ? Math.max(1, (budget.used + 1 - limit) / perMs) : 0;
  }

  #sweep(now: number): void {
    if (this.#budgets.size < sweepAbove) return;
    for (const [name, budget] of this.#budgets) {
      if (now - budget.since > 2 * this.#minuteMs) this.#budgets.delete(name);
    }
  }
}
