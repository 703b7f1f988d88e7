// What changed between two runs in requests, limits and times; only large changes count, because machines are noisy.
import type { Latency, Report, Spending } from '../result.ts';

/** Thresholds below which a change is taken for noise. */
const large = {
  /** Requests of one account and class: both must be exceeded. */
  requests: { share: 0.2, count: 10 },
  /** Median reply time of one operation with at least so many replies in each run: both must be exceeded. */
  latency: { factor: 2, ms: 50, replies: 5 },
} as const;

/** The thresholds in a sentence, for people. */
export const thresholds = `Reported are changes of more than ${large.requests.share * 100} % and ${large.requests.count} requests, and of medians that at least doubled or halved by more than ${large.latency.ms} ms over ${large.latency.replies} replies or more; machines and networks are noisy, so neither decides anything.`;

export interface CostChange {
  /** What is measured: account and class, or the operation. */
  readonly what: string;
  readonly before: number;
  readonly after: number;
}

export interface CostChanges {
  /** Requests sent; empty where the two runs were not to send the same. */
  readonly sent: readonly CostChange[];
  /** Requests a minute that the target allows. */
  readonly limits: readonly CostChange[];
  /** 429s that no case asked for. */
  readonly throttled: readonly CostChange[];
  /** Median reply times, in milliseconds. */
  readonly latency: readonly CostChange[];
}

const budgetOf = ({ account, class: rate }: Spending): string => `${rate} requests of ${account}`;

function budgetChanges(
  before: Report,
  after: Report,
  pick: (spending: Spending) => number,
  differs: (was: number, now: number) => boolean,
): readonly CostChange[] {
  const earlier = new Map(before.budget.map((one) => [budgetOf(one), pick(one)]));
  return after.budget.flatMap((one) => {
    const [what, now] = [budgetOf(one), pick(one)];
    const was = earlier.get(what);
    return was === undefined || !differs(was, now) ? [] : [{ what, before: was, after: now }];
  });
}

const manyMore = (was: number, now: number): boolean =>
  Math.abs(now - was) > large.requests.count && Math.abs(now - was) > large.requests.share * was;

function slower(was: Latency, now: Latency): boolean {
  const [low, high] = [Math.min(was.median_ms, now.median_ms), Math.max(was.median_ms, now.median_ms)];
  const enough = Math.min(was.count, now.count) >= large.latency.replies;
  return enough && high - low > large.latency.ms && high >= large.latency.factor * low;
}

function latencyChanges(before: Report, after: Report): readonly CostChange[] {
  const earlier = new Map(before.latency.map((one) => [one.operation, one]));
  return after.latency.flatMap((now) => {
    const was = earlier.get(now.operation);
    return was === undefined || !slower(was, now)
      ? []
      : [{ what: now.operation, before: was.median_ms, after: now.median_ms }];
  });
}

export function costChanges(before: Report, after: Report, alike: boolean): CostChanges {
  const differs = (was: number, now: number): boolean => was !== now;
  return {
    sent: alike ? budgetChanges(before, after, ({ sent }) => sent, manyMore) : [],
    limits: budgetChanges(before, after, ({ limit }) => limit ?? 0, differs),
    throttled: budgetChanges(
      before,
      after,
      ({ throttled }) => throttled,
      (was, now) => was === 0 && now > 0,
    ),
    latency: latencyChanges(before, after),
  };
}
