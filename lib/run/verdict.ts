// Decides every verdict: from what was thrown and where, and from the cases of a requirement.
import { type Difference, Ended, Inconclusive, Mismatch, NotTested, Undecided } from '../client/errors.ts';
import type { Reply } from '../client/reply.ts';
import type { ClockChange } from '../client/target-clock.ts';
import { Aborted } from '../fixtures/probe.ts';
import type { CaseResult, CaseVerdict, Report, RequirementResult, RunVerdict } from '../result.ts';
import { grouped } from '../runtime/grouped.ts';
import { counted } from '../runtime/text.ts';

export interface Decision {
  readonly verdict: CaseVerdict;
  readonly reason?: string;
  readonly difference?: Difference;
  /** If it is not tested: the replies that show why. */
  readonly replies?: readonly Reply[];
  /** The network left it open: a new attempt may decide it. */
  readonly undecided?: true;
  /** What did not hold in suspect replies; a failure if it comes in every attempt. */
  readonly suspected?: Difference;
  /** No reply of the operation was seen; another shard may have seen one. */
  readonly unseen?: true;
  /** What a case needs and did not get. */
  readonly unmet?: Difference;
}

export const passed: Decision = { verdict: 'passed' };

/** What a stopped run leaves open, and why; undefined if it was not stopped. */
export function endedBy(signal: AbortSignal | undefined): Decision | undefined {
  if (!signal?.aborted) return undefined;
  const reason = signal.reason instanceof Ended ? signal.reason.message : 'the run was interrupted';
  return { verdict: 'inconclusive', reason };
}

/** What was thrown, and why it proves nothing. */
export const but = (error: unknown, why: string): Decision => ({
  verdict: 'inconclusive',
  reason: `${error instanceof Error ? error.message : error}; but ${why}`,
  undecided: true,
});

/** The mismatch may come from something between us and the target. */
function inDoubt(suspected: Difference): Decision | undefined {
  const { message, replies = [] } = suspected;
  const doubts = replies.flatMap(({ doubt }) => doubt ?? []);
  if (doubts.length === 0) return undefined;
  const reason = `${message}; but ${doubts.length} of ${replies.length} replies may not be the target's: ${doubts[0]}`;
  // A conflict after a lost reply is the target's, but not its first reply: it is no failure, however often it comes.
  const open: Decision = { verdict: 'inconclusive', reason, undecided: true };
  return replies.some(({ doubt, status }) => doubt !== undefined && status === 409) ? open : { ...open, suspected };
}

/** A mismatch counts against the target only inside a check; any other error is one of the suite. */
export function decide(error: unknown, where: 'check' | 'preparation'): Decision {
  if (error instanceof Mismatch) {
    const doubtful = inDoubt(error.difference);
    if (doubtful) return doubtful;
    if (where === 'check') return { verdict: 'failed', difference: error.difference };
    const { difference: unmet } = error;
    const reason = `what this starts from did not hold: ${error.message}`;
    return { verdict: 'not-tested', reason, replies: unmet.replies ?? [], unmet };
  }
  if (error instanceof NotTested) return { verdict: 'not-tested', reason: error.message, replies: error.replies };
  if (error instanceof Undecided) return { verdict: 'inconclusive', reason: error.message, undecided: true };
  if (error instanceof Inconclusive) return { verdict: 'inconclusive', reason: error.message };
  const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { verdict: 'inconclusive', reason: `an error of the suite itself: ${thrown}` };
}

/** The worst case decides, so that one pass never hides what did not run. */
const worstFirst: readonly CaseVerdict[] = ['failed', 'inconclusive', 'not-tested', 'observed', 'passed'];

export function overall(cases: readonly { readonly verdict: CaseVerdict }[]): CaseVerdict {
  return worstFirst.find((verdict) => cases.some((one) => one.verdict === verdict)) ?? 'not-tested';
}

type Reasoned = Pick<CaseResult, 'verdict' | 'reason' | 'operation' | 'unseen'>;

/** Why cases have that verdict, each reason once; a reason of only some operations names them. */
export function reasonOf(cases: readonly Reasoned[], verdict: CaseVerdict): string {
  const having = cases.filter((one) => one.verdict === verdict && one.reason !== undefined);
  const reasons = [...grouped(having, ({ reason = '' }) => reason)].map(([reason, found]) => {
    const [first, ...others] = found.flatMap(({ unseen, operation }) => (unseen && operation) || []);
    if (first === undefined || others.length + 1 < found.length) return reason;
    const were = others.length === 0 ? 'was' : `and ${counted(others.length, 'other')} were`;
    return `${first} ${were} not seen: ${reason}`;
  });
  return reasons.sort().join('; ');
}

export function totalsOf(results: readonly Pick<RequirementResult, 'level' | 'verdict'>[]): Report['totals'] {
  const count = (level: string, verdict: CaseVerdict) =>
    results.filter((one) => one.level === level && one.verdict === verdict).length;
  const judged = (level: string) => ({
    passed: count(level, 'passed'),
    failed: count(level, 'failed'),
    not_tested: count(level, 'not-tested'),
    inconclusive: count(level, 'inconclusive'),
  });
  const observed = count('observe', 'observed');
  const silent = results.filter((one) => one.level === 'observe').length - observed;
  return { must: judged('must'), should: judged('should'), observe: { observed, not_tested: silent } };
}

/** Conformant only where every selected MUST passed and there was one. */
export function runVerdict({ must }: Report['totals']): Exclude<RunVerdict, 'aborted'> {
  if (must.failed > 0) return 'non-conformant';
  if (must.not_tested + must.inconclusive > 0 || must.passed === 0) return 'incomplete';
  return 'conformant';
}

/** Why a run could not judge the target. */
export function whyAborted(error: unknown): string {
  if (error instanceof Aborted || error instanceof Inconclusive) return error.message;
  return `an error of the suite itself: ${error instanceof Error ? error.message : String(error)}`;
}

export type ClockChanges = () => readonly ClockChange[];

/** How long a list may lag by the target's clock, in milliseconds. */
const lagMs = 10_000;
/** The longest time that the interface measures within a run: the minute of its limits, in milliseconds. */
const minuteMs = 60_000;

export const clockSet = "the target's clock or ours was set meanwhile";

/**
 * Whether an attempt that began then, in milliseconds, may have failed because of a clock. A clock set back a little
 * passes the same time twice; set back further, it must not excuse every attempt.
 */
export const changedSince = (changes: readonly ClockChange[], begunAt: number): boolean =>
  changes.some(({ at, backMs }) => at + Math.min(backMs, lagMs) >= begunAt - lagMs);

/** Whether a clock was set between the first of these replies and the last, or shortly before. */
export function changedDuring(changes: readonly ClockChange[], replies: readonly Reply[]): boolean {
  const first = Math.min(...replies.map(({ sentAt }) => sentAt));
  const last = Math.max(...replies.map(({ receivedAt }) => receivedAt));
  return changes.some(({ at }) => at >= first - lagMs && at <= last);
}

/** The same, and one of them came soon enough after it to be wrong because of it. */
export const mayExcuse = (changes: readonly ClockChange[], replies: readonly Reply[]): boolean =>
  changes.some(
    (put) =>
      changedDuring([put], replies) &&
      replies.some(({ sentAt, receivedAt }) => receivedAt >= put.at && sentAt <= put.at + put.backMs + minuteMs),
  );
