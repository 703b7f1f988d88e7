// Applies the rules to the history of a run: what fails, what passes, and what no exchange could have failed.
import type { Suite } from '../case.ts';
import type { RequirementId } from '../catalogue/index.ts';
import type { Mismatch } from '../client/errors.ts';
import type { RecordedHistory } from '../client/recorder.ts';
import { TargetClock } from '../client/target-clock.ts';
import { Judge, type OnJudged, type Rules, type Violation } from '../model/judge.ts';
import { World } from '../model/world.ts';
import { defined } from '../runtime/defined.ts';
import { Findings, failuresMax } from './findings.ts';
import { Monitors } from './monitors.ts';
import { blameRefusals } from './refusals.ts';
import { but, type ClockChanges, clockSet, type Decision, decide, mayExcuse, passed } from './verdict.ts';

const decided = (mismatch: Mismatch, clockChanges: ClockChanges): Decision =>
  mayExcuse(clockChanges(), mismatch.difference.replies ?? []) ? but(mismatch, clockSet) : decide(mismatch, 'check');

/** How many cases sent the exchanges that show it. */
const sendersOf = ({ mismatch: { difference } }: Violation): number =>
  new Set(difference.replies?.map(({ owner }) => owner)).size;

/**
 * A few of each requirement on each operation: first those shown by the fewest cases, which are easiest to run again.
 */
function shownOf(violations: readonly Violation[]): readonly Violation[] {
  const counts = new Map<string, number>();
  const bySenders = violations.toSorted((one, other) => sendersOf(one) - sendersOf(other));
  return bySenders.filter(({ id, operation }) => {
    const place = `${id} ${operation}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return count <= failuresMax;
  });
}

export interface Judging {
  readonly rules: readonly Rules[];
  readonly history: RecordedHistory;
  readonly findings: Findings;
  readonly clockChanges: ClockChanges;
  /** Why no exchange could have failed a requirement; absent: nothing is then found on it. */
  readonly unshown?: (id: RequirementId) => Decision;
  readonly onJudged?: OnJudged;
}

export function judgeHistory({ rules, history, findings, clockChanges, unshown, onJudged }: Judging): void {
  const judge = new Judge(onJudged);
  if (rules.length > 0) {
    const { replies } = history;
    const world = new World({
      ...history,
      replies: replies.filter(({ doubt }) => doubt === undefined),
      suspect: replies.filter(({ doubt }) => doubt !== undefined),
    });
    for (const { apply } of rules) apply(world, judge);
  }
  const shown = shownOf(judge.violations);
  for (const { id, operation, mismatch } of shown)
    findings.add(id, { ...decided(mismatch, clockChanges), ...defined({ operation }), durationMs: 0 });
  for (const id of new Set(rules.flatMap(({ ids }) => ids))) {
    // Each shown violation counts as the exchange that it is about.
    const judged = (judge.judged.get(id) ?? 0) - shown.filter((one) => one.id === id).length;
    if (judged > 0) findings.add(id, { ...passed, durationMs: 0, judged });
    else if (unshown && !findings.has(id)) findings.add(id, { ...unshown(id), durationMs: 0 });
  }
  blameRefusals(findings, history.replies);
}

/**
 * What the rules and the duties of every reply find in a history, with nothing else at hand: what a run came to can be
 * judged again from this. Requirements that nothing in it could have failed have no finding.
 */
export function findingsOf(
  suites: readonly Suite[],
  history: RecordedHistory,
  ids: ReadonlySet<RequirementId>,
  onJudged?: OnJudged,
): Findings {
  const targetClock = new TargetClock();
  const clockChanges = () => targetClock.changes;
  const findings = new Findings(ids);
  const invariants = suites.flatMap(({ cases }) =>
    cases.filter((one) => one.kind === 'invariant').filter(({ id }) => ids.has(id)),
  );
  const monitors = new Monitors(invariants, clockChanges, undefined, onJudged);
  for (const reply of history.replies) {
    if (reply.doubt === undefined) targetClock.saw(reply);
    if (history.judged.has(reply.id)) monitors.judge(reply);
  }
  monitors.conclude(findings, () => undefined);
  const isAsked = (one: Rules): boolean => one.ids.some((id) => ids.has(id));
  const rules = suites.flatMap((suite) => suite.rules ?? []).filter(isAsked);
  judgeHistory({ rules, history, findings, clockChanges, ...defined({ onJudged }) });
  return findings;
}
