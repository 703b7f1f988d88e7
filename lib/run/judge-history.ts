// Judges the whole history of a run by the rules, when everything else is over.
import type { Mismatch } from '../client/errors.ts';
import type { Recorder } from '../client/recorder.ts';
import { Judge, type Rules, type Violation } from '../model/judge.ts';
import { World } from '../model/world.ts';
import { type Findings, failuresMax } from './findings.ts';
import { type ClockPuts, clockWasPut, mayExcuse } from './put-clock.ts';
import { blameRefusals } from './refusals.ts';
import { but, type Decision, decide } from './verdict.ts';

const decided = (mismatch: Mismatch, clockPuts: ClockPuts): Decision =>
  mayExcuse(clockPuts(), mismatch.difference.replies ?? []) ? but(mismatch, clockWasPut) : decide(mismatch, 'check');

/** A few of each requirement on each operation. */
function shownOf(violations: readonly Violation[]): readonly Violation[] {
  const counts = new Map<string, number>();
  return violations.filter(({ id, operation }) => {
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
  // Each that is shown counts as the exchange that it is of.
  for (const [id, exchanges] of judge.judged)
    findings.count(id, exchanges - shown.filter((one) => one.id === id).length);
  for (const { id, operation, mismatch } of shown)
    findings.add(id, { ...decided(mismatch, clockPuts), operation, durationMs: 0 });
  blameRefusals(findings, recorder.replies);
  recorder.releaseAll();
}
