// What a run did not reach: cases that did not begin or end, and replies that never came.
import type { Case, Invariant } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import type { Reply } from '../client/reply.ts';
import type { Settings } from '../configuration/settings.ts';
import { defined } from '../runtime/defined.ts';
import type { CaseRun } from './case-run.ts';
import { isMoreWhenThorough } from './cost.ts';
import type { Findings } from './findings.ts';
import { isOwn } from './own-rules.ts';
import { isNotOffered } from './refusals.ts';
import type { RunInput } from './run-input.ts';
import type { Selection } from './selection.ts';
import { type Decision, endedBy } from './verdict.ts';

/** The started cases, and the signal that may have stopped them. */
export interface Begun {
  readonly caseRuns: readonly CaseRun[];
  readonly signal: AbortSignal;
  readonly replies: readonly Reply[];
}

export function markNotRun(
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

/** The finished cases that showed nothing that the rules judge. */
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

/** The options with which these cases send more. */
function more(cases: readonly Case[], { effort, readOnly, exhaustion }: Settings): string {
  const options = [
    cases.some((one) => isMoreWhenThorough(effort, one)) ? 'with --effort thorough' : [],
    readOnly && cases.some(({ writes }) => writes !== undefined) ? 'without --read-only' : [],
    !exhaustion && cases.some(({ exhausts }) => exhausts) ? 'without --no-exhaustion' : [],
  ].flat();
  return options.length === 0 ? 'the target offered nothing that would show it' : `more is tried ${options.join(', ')}`;
}

/**
 * Why no exchange could have failed a requirement that rules judge, and what to do; another part of the run may have
 * one.
 */
export const whyUnshown =
  ({ caseRuns, signal }: Begun, { suites, settings }: RunInput, findings: Findings) =>
  (id: RequirementId): Decision => {
    const ran = caseRuns.filter((one) => one.case.ids.includes(id));
    const stopped = ran.find(({ blocked }) => blocked)?.blocked ?? endedBy(signal);
    if (stopped) return { ...stopped, unseen: true };
    const cases = suites.flatMap((suite) => suite.cases.filter((one) => one.kind === 'case'));
    const carrying = cases.filter(({ ids }) => ids.includes(id));
    const titles = new Set(ran.map(({ title }) => title));
    const open = findings.all().flatMap((one) => (titles.has(one.case ?? '') ? (one.reason ?? []) : []));
    const whys = open.length > 0 ? open : [...ran.flatMap(({ lacks }) => [...lacks]), more(carrying, settings)];
    const explained = isOwn(id) ? [] : ['covenant explain says what could'];
    const reason = [...new Set(['no exchange could have failed it', ...whys, ...explained])].join('; ');
    return { verdict: 'not-tested', reason, unseen: true };
  };

/**
 * Why no reply of an operation was seen, by the cases that should have sent the request; undefined if it is not
 * offered.
 */
export const whyUnseen =
  ({ caseRuns, signal, replies: seen }: Begun) =>
  (invariant: Invariant, operation: OperationId): Decision | undefined => {
    if (isNotOffered(operation, seen)) return undefined;
    const feeding = caseRuns.filter((one) => one.case.feeds?.includes(invariant.id));
    const stopped = feeding.find((one) => one.blocked && [one.case.visits].flat().includes(operation));
    const statuses = new Set(seen.flatMap((one) => (one.operation === operation ? [one.status] : [])));
    const other = `none of its replies (${[...statuses].sort().join(', ')}) could have failed it`;
    const unseen = { verdict: 'not-tested', reason: statuses.size > 0 ? other : 'no reply to it came' } as const;
    const { verdict, reason, replies, undecided }: Decision = stopped?.blocked ?? endedBy(signal) ?? unseen;
    return {
      verdict: verdict === 'inconclusive' ? verdict : 'not-tested',
      unseen: true,
      ...defined({ reason, replies, undecided }),
    };
  };
