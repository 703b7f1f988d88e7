// What a run did not come to: cases that were not begun or did not end, and replies that were never seen.
import type { Invariant } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import type { Reply } from '../client/reply.ts';
import { defined } from '../runtime/defined.ts';
import type { CaseRun } from './case-run.ts';
import type { Findings } from './findings.ts';
import { isNotOffered } from './refusals.ts';
import type { Selection } from './selection.ts';
import { type Decision, endedBy } from './verdict.ts';

/** The cases that a run has begun, and the signal that may have ended it. */
export interface Begun {
  readonly caseRuns: readonly CaseRun[];
  readonly signal: AbortSignal;
  readonly replies: readonly Reply[];
}

export function markUnrun(
  { cases, elsewhere }: Selection,
  { caseRuns, signal }: Begun,
  findings: Findings,
  reason = 'the run ended before it',
): void {
  const over = new Set(caseRuns.flatMap((one) => (one.isOver ? [one.case] : [])));
  const left = cases.filter((one) => !over.has(one));
  const decision = endedBy(signal) ?? ({ verdict: 'inconclusive', reason } as const);
  for (const id of left.flatMap(({ ids }) => ids)) findings.add(id, { ...decision, durationMs: 0 });
  for (const [{ ids }, shard] of elsewhere) {
    const there: Decision = { verdict: 'not-tested', reason: `shard ${shard} runs it` };
    for (const id of ids) findings.add(id, { ...there, shard, durationMs: 0 });
  }
}

/** The cases that have ended, and showed nothing of what the rules judge. */
export function withoutShown({ caseRuns, signal }: Begun, findings: Findings): readonly CaseRun[] {
  const isUnshown = (id: RequirementId): boolean => {
    const found = findings.of(id);
    return found.length > 0 && found.every(({ unseen }) => unseen);
  };
  const unshown = new Set([...findings.ids].filter(isUnshown));
  const all = caseRuns.filter(
    (one) => !one.blocked && !one.case.exhausts && one.case.ids.some((id) => unshown.has(id)),
  );
  return signal.aborted ? [] : all;
}

/** Why no exchange could have failed what the rules judge; another part of the run may have one. */
export const whyUnshown =
  ({ caseRuns, signal }: Pick<Begun, 'caseRuns' | 'signal'>) =>
  (id: RequirementId): Decision => ({
    ...(caseRuns.find((one) => one.case.ids.includes(id) && one.blocked)?.blocked ??
      endedBy(signal) ?? { verdict: 'not-tested', reason: 'no exchange of this run could have failed it' }),
    unseen: true,
  });

/** Why no reply of an operation was seen, by the cases that should have brought one; undefined where it is not offered. */
export const whyUnseen =
  ({ caseRuns, signal, replies: seen }: Begun) =>
  (invariant: Invariant, operation: OperationId): Decision | undefined => {
    if (isNotOffered(operation, seen)) return undefined;
    const feeding = caseRuns.filter((one) => one.case.feeds?.includes(invariant.id));
    const stopped = feeding.find((one) => one.blocked && [one.case.visits].flat().includes(operation));
    const unseen: Decision = { verdict: 'not-tested', reason: 'no such reply of this operation was seen' };
    const { verdict, reason, replies, undecided } = stopped?.blocked ?? endedBy(signal) ?? unseen;
    return {
      verdict: verdict === 'inconclusive' ? verdict : 'not-tested',
      unseen: true,
      ...defined({ reason, replies, undecided }),
    };
  };
