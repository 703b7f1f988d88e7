// The per-minute allowances of each account and class: a request waits until it fits, whatever algorithm the target counts by.

import { defaultLimits, type RateClass } from '../catalogue/operations.ts';
import type { Spending, Traffic } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
import { ActiveAccounts } from './active-accounts.ts';
import { Budget, type Permit } from './budget.ts';
import { Pace } from './pace.ts';

/**
 * The pool of requests without valid credentials: they belong to no account, and wait only once the target throttles
 * them.
 */
export const unauthenticated = 'requests without valid credentials';

/** Shorter waits are not reported, in milliseconds. */
const reportedWaitMsMin = 1000;
const slicesMax = 120;
/** A wait this short is not due to a limit per minute. */
const soonSeconds = 5;

/** Who waits for what; `until` is in milliseconds since the epoch. */
export interface Wait {
  readonly accounts: readonly string[];
  readonly rate: RateClass;
  readonly why: string;
  readonly until: number;
}

export class Pacing {
  readonly active = new ActiveAccounts();
  private readonly budgets = new Map<string, Budget>();
  /** Each request once, by the first account that may count it. */
  private readonly sent = new Map<string, { readonly account: string; readonly rate: RateClass; count: number }>();
  private readonly pace: Pace;
  private readonly clock: Clock;
  readonly minuteMs: number;
  private readonly onWait: (wait: Wait) => void;

  constructor(clock: Clock, minuteMs: number, onWait: (wait: Wait) => void = () => {}) {
    this.clock = clock;
    this.minuteMs = minuteMs;
    this.pace = new Pace(minuteMs);
    this.onWait = onWait;
  }

  /** Requests a minute that the run allows itself. */
  limit(account: string, rate: RateClass): number {
    return this.budget(account, rate).limit;
  }

  setLimit(account: string, rate: RateClass, limit: number): void {
    this.budget(account, rate).limit = Math.max(1, Math.floor(limit));
  }

  /** Waits until the request fits into the allowance of every account that it may be counted against. */
  async admit(accounts: readonly string[], rate: RateClass, signal?: AbortSignal): Promise<Permit> {
    const taken: Budget[] = [];
    try {
      for (const account of [...accounts].sort()) {
        const budget = this.budget(account, rate);
        if (!budget.enterNow(this.clock.now(), this.minuteMs)) await budget.enter(() => this.room(budget, signal));
        taken.push(budget);
      }
      await this.inPace(accounts, rate, signal);
    } catch (error) {
      for (const budget of taken) budget.underWay -= 1;
      throw error;
    }
    return this.permit(taken);
  }

  /** Waits until `count` requests fit at once, or as many as the limit allows: for requests sent simultaneously. */
  async makeRoom(accounts: readonly string[], rate: RateClass, count: number, signal?: AbortSignal): Promise<void> {
    for (const account of [...accounts].sort()) {
      const budget = this.budget(account, rate);
      await budget.enter(() => this.room(budget, signal, Math.min(count, budget.limit)));
      budget.underWay -= 1;
    }
  }

  /** Requests that fit now. */
  free(accounts: readonly string[], rate: RateClass): number {
    return Math.min(...accounts.map((account) => this.budget(account, rate).free(this.clock.now(), this.minuteMs)));
  }

  /**
   * Waits until `count` requests fit at once; all others of the class wait until the returned function is called, or
   * the signal is aborted.
   */
  async reserve(
    accounts: readonly string[],
    rate: RateClass,
    count: number,
    signal?: AbortSignal,
  ): Promise<() => void> {
    const holds: (() => void)[] = [];
    const release = () => {
      for (const leave of holds) leave();
    };
    try {
      for (const account of [...accounts].sort()) {
        const budget = this.budget(account, rate);
        holds.push(await budget.hold(signal));
        await this.room(budget, signal, Math.min(count, budget.limit));
      }
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** Like `count`, but waits for the pace that something in front of the target allows. */
  async countInPace(accounts: readonly string[], rate: RateClass, signal?: AbortSignal): Promise<Permit> {
    await this.inPace(accounts, rate, signal);
    return this.count(accounts, rate);
  }

  /** Counts without waiting: for a case that exceeds the limit on purpose. */
  count(accounts: readonly string[], rate: RateClass): Permit {
    const taken = accounts.map((account) => this.budget(account, rate));
    for (const budget of taken) budget.underWay += 1;
    return this.permit(taken);
  }

  /**
   * Waits for a minute, or as long as the target is known to count, after the last reply to these accounts in this
   * class.
   */
  async quiet(accounts: readonly string[], rate: RateClass, signal?: AbortSignal): Promise<void> {
    const budgets = accounts.map((account) => this.budget(account, rate));
    for (;;) {
      const now = this.clock.now();
      const ends = budgets.map(
        (budget) => (budget.underWay > 0 ? now : budget.lastReplyAt) + budget.memoryMs(this.minuteMs),
      );
      const ms = Math.max(...ends) + 1 - now;
      if (!(ms > 0)) return;
      const why = `a quiet minute for ${rate} requests of ${accounts.join(', ')}`;
      await this.wait(ms, { accounts, rate, why }, signal);
    }
  }

  /**
   * New requests of the class wait until the returned function is called, or the signal is aborted; those that only
   * count do not.
   */
  hold(account: string, rate: RateClass, signal?: AbortSignal): Promise<() => void> {
    return this.budget(account, rate).hold(signal);
  }

  /** Waits, and reports the reason of a long wait. */
  async wait(ms: number, wait: Omit<Wait, 'until'>, signal?: AbortSignal): Promise<void> {
    if (ms >= reportedWaitMsMin) this.onWait({ ...wait, until: this.clock.now() + ms });
    await this.clock.sleep(ms, signal);
  }

  /** A request is sent; counts its class also if it belongs to no account. */
  sends(account: string, rate: RateClass): void {
    const key = `${rate} ${account}`;
    const sent = this.sent.get(key) ?? { account, rate, count: 0 };
    sent.count += 1;
    this.sent.set(key, sent);
  }

  spending(): Spending[] {
    return [...this.sent.values()].map(({ account, rate, count }) => {
      const { limit, throttled } = this.budget(account, rate);
      return { account, class: rate, limit: Number.isFinite(limit) ? limit : null, sent: count, throttled };
    });
  }

  traffic(startedAt: number, finishedAt: number): Traffic[] {
    const lasted = finishedAt - startedAt + 1;
    const sliceMs = Math.max(1, Math.ceil(lasted / slicesMax), Math.floor(this.minuteMs / 60));
    return this.used().map(({ account, rate, sentAt }) => {
      const sent = new Array<number>(Math.ceil(lasted / sliceMs)).fill(0);
      for (const time of sentAt) {
        const slice = Math.min(sent.length - 1, Math.floor((time - startedAt) / sliceMs));
        sent[slice] = (sent[slice] ?? 0) + 1;
      }
      return { account, class: rate, slice_ms: sliceMs, sent };
    });
  }

  private used(): Budget[] {
    return [...this.budgets.values()].filter(({ account, sentAt }) => sentAt.length > 0 && account !== unauthenticated);
  }

  private budget(account: string, rate: RateClass): Budget {
    const key = `${rate} ${account}`;
    const budget =
      this.budgets.get(key) ??
      new Budget(account, rate, account === unauthenticated ? Number.POSITIVE_INFINITY : defaultLimits[rate]);
    this.budgets.set(key, budget);
    return budget;
  }

  private async room(budget: Budget, signal?: AbortSignal, count = 1): Promise<void> {
    for (;;) {
      const ms = budget.untilRoom(this.clock.now(), this.minuteMs, count);
      if (ms === 0) return;
      const { account, rate, limit } = budget;
      const why = `${account} has used its ${limit} ${rate} requests of this minute`;
      await this.wait(ms, { accounts: [account], rate, why }, signal);
    }
  }

  private async inPace(accounts: readonly string[], rate: RateClass, signal?: AbortSignal): Promise<void> {
    const ms = this.pace.take(this.clock.now());
    const why = 'something in front of the target lets only so many requests a second through';
    if (ms > 0) await this.wait(ms, { accounts, rate, why }, signal);
  }

  private permit(taken: readonly Budget[]): Permit {
    const now = this.clock.now();
    for (const budget of taken) budget.sentAt.push(now);
    return {
      done: () => {
        for (const budget of taken) budget.finish(this.clock.now());
      },
      refusedInDoubt: () => {
        const now = this.clock.now();
        // If the class is spent, the target may refuse more in words of its own.
        if (!taken.some((budget) => budget.isSpent(now, this.minuteMs))) this.pace.refused(now);
      },
      passed: () => this.pace.answeredAt(this.clock.now()),
      throttled: (seconds) => {
        const now = this.clock.now();
        for (const budget of taken) {
          budget.throttled += 1;
          const isSoonOver = seconds !== undefined && seconds <= soonSeconds;
          if (budget.account !== unauthenticated && budget.isSpent(now, this.minuteMs)) budget.weigh();
          else if (budget.account !== unauthenticated || isSoonOver) this.pace.refused(now);
          else budget.learn(now, this.minuteMs);
        }
      },
    };
  }
}
