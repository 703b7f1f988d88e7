// Judges the history of a run by the rules: what fails, what passes, and what no exchange could have failed.
import type { RequirementId } from '../catalogue/index.ts';
import type { Mismatch } from '../client/errors.ts';
import type { Recorder } from '../client/recorder.ts';
import { Judge, type Rules, type Violation } from '../model/judge.ts';
import { World } from '../model/world.ts';
import { type Findings, failuresMax } from './findings.ts';
import { type ClockPuts, clockWasPut, mayExcuse } from './put-clock.ts';
import { blameRefusals } from './refusals.ts';
import { but, type Decision, decide, passed } from './verdict.ts';

const decided = (mismatch: Mismatch, clockPuts: ClockPuts): Decision =>
  mayExcuse(clockPuts(), mismatch.difference.replies ?? []) ? but(mismatch, clockWasPut) : decide(mismatch, 'check');

/** How many cases sent what shows it. */
const sendersOf = ({ mismatch: { difference } }: Violation): number =>
  new Set(difference.replies?.map(({ owner }) => owner)).size;

/** A few of each requirement on each operation: first those that the fewest cases show, which can be asked again by themselves. */
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

export function judgeHistory(
  rules: readonly Rules[],
  recorder: Recorder,
  findings: Findings,
  clockPuts: ClockPuts,
  unshown: (id: RequirementId) => Decision,
): void {
  const judge = new Judge();
  if (rules.length > 0) {
    const world = new World({
      replies: recorder.replies.filter(({ doubt }) => doubt === undefined),
      suspect: recorder.replies.filter(({ doubt }) => doubt !== undefined),
      lost: recorder.lost(),
    });
    for (const { apply } of rules) apply(world, judge);
  }
  const shown = shownOf(judge.violations);
  for (const { id, operation, mismatch } of shown)
    findings.add(id, { ...decided(mismatch, clockPuts), operation, durationMs: 0 });
  for (const id of new Set(rules.flatMap(({ ids }) => ids))) {
    // Each that is shown counts as the exchange that it is of.
    const judged = (judge.judged.get(id) ?? 0) - shown.filter((one) => one.id === id).length;
    if (judged > 0) findings.add(id, { ...passed, durationMs: 0, judged });
    else if (!findings.has(id)) findings.add(id, { ...unshown(id), durationMs: 0 });
  }
  blameRefusals(findings, recorder.replies);
}
