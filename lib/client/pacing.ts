// The per-minute allowances of each account and class: a request waits until it fits, whatever algorithm the target counts by.

import type { RateClass } from '../catalogue/operations.ts';
import type { Spending, Traffic } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
import { Lane, type Ticket } from './budget.ts';

/** The defaults of Limits / Rate limits, requests a minute. */
export const defaultLimits: Readonly<Record<RateClass, number>> = { read: 200, write: 30, validate: 10 };

/** The pool of requests without valid credentials: they belong to no account, and are paced once the target throttles them. */
export const strangers = 'requests without valid credentials';

/** Below this a wait is not worth telling, in milliseconds. */
const tellFromMs = 1000;
const slicesMax = 120;

export type OnWait = (wait: { readonly why: string; readonly ms: number }) => void;

export class Pacing {
  private readonly lanes = new Map<string, Lane>();
  private readonly clock: Clock;
  readonly minuteMs: number;
  private readonly onWait: OnWait;

  constructor(clock: Clock, minuteMs: number, onWait: OnWait = () => {}) {
    this.clock = clock;
    this.minuteMs = minuteMs;
    this.onWait = onWait;
  }

  /** Requests a minute that the run allows itself. */
  limit(account: string, rate: RateClass): number {
    return this.lane(account, rate).limit;
  }

  setLimit(account: string, rate: RateClass, limit: number): void {
    this.lane(account, rate).limit = Math.max(1, Math.floor(limit));
  }

  /** Waits until the request fits into the allowance of every account that it may be counted against. */
  async admit(accounts: readonly string[], rate: RateClass, signal?: AbortSignal): Promise<Ticket> {
    const taken: Lane[] = [];
    try {
      for (const account of [...accounts].sort()) {
        const lane = this.lane(account, rate);
        if (!lane.enterNow(this.clock.now(), this.minuteMs)) await lane.enter(() => this.room(lane, signal));
        taken.push(lane);
      }
    } catch (error) {
      for (const lane of taken) lane.underWay -= 1;
      throw error;
    }
    return this.ticket(taken);
  }

  /** Waits until so many requests fit at once, or as many as the limit allows: for those that are to be sent simultaneously. */
  async makeRoom(accounts: readonly string[], rate: RateClass, count: number, signal?: AbortSignal): Promise<void> {
    for (const account of [...accounts].sort()) {
      const lane = this.lane(account, rate);
      await lane.enter(() => this.room(lane, signal, Math.min(count, lane.limit)));
      lane.underWay -= 1;
    }
  }

  /** Counts without waiting: for a case that means to exceed the limit. */
  count(accounts: readonly string[], rate: RateClass): Ticket {
    const taken = accounts.map((account) => this.lane(account, rate));
    for (const lane of taken) lane.underWay += 1;
    return this.ticket(taken);
  }

  /** Waits until a whole minute has passed since the last reply that these accounts got in this class. */
  async quiet(accounts: readonly string[], rate: RateClass, signal?: AbortSignal): Promise<void> {
    const last = Math.max(-Infinity, ...accounts.map((account) => this.lane(account, rate).lastReplyAt));
    const ms = last + this.minuteMs + 1 - this.clock.now();
    if (ms > 0) await this.wait(ms, `a quiet minute for ${rate} requests of ${accounts.join(', ')}`, signal);
  }

  /** Waits, and tells why where it is long. */
  async wait(ms: number, why: string, signal?: AbortSignal): Promise<void> {
    if (ms >= tellFromMs) this.onWait({ why, ms });
    await this.clock.sleep(ms, signal);
  }

  spending(): Spending[] {
    return this.used().map(({ account, rate, limit, sentAt, throttled }) => ({
      account,
      class: rate,
      limit,
      sent: sentAt.length,
      throttled,
    }));
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

  private used(): Lane[] {
    return [...this.lanes.values()].filter(({ account, sentAt }) => sentAt.length > 0 && account !== strangers);
  }

  private lane(account: string, rate: RateClass): Lane {
    const key = `${rate} ${account}`;
    const lane =
      this.lanes.get(key) ??
      new Lane(account, rate, account === strangers ? Number.POSITIVE_INFINITY : defaultLimits[rate]);
    this.lanes.set(key, lane);
    return lane;
  }

  private async room(lane: Lane, signal?: AbortSignal, count = 1): Promise<void> {
    for (;;) {
      const ms = lane.untilRoom(this.clock.now(), this.minuteMs, count);
      if (ms === 0) return;
      await this.wait(ms, `${lane.account} has used its ${lane.limit} ${lane.rate} requests of this minute`, signal);
    }
  }

  private ticket(taken: readonly Lane[]): Ticket {
    const now = this.clock.now();
    for (const lane of taken) lane.sentAt.push(now);
    return {
      done: () => {
        for (const lane of taken) lane.finish(this.clock.now());
      },
      throttled: () => {
        for (const lane of taken) {
          lane.throttled += 1;
          if (lane.account === strangers) lane.learn(this.clock.now(), this.minuteMs);
        }
      },
    };
  }
}
