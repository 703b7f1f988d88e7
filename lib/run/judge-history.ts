// Judges the whole history of a run by the rules, when everything else is over.
import type { JudgedId } from '../catalogue/index.ts';
import type { Mismatch } from '../client/errors.ts';
import type { Recorder } from '../client/recorder.ts';
import { Judge, type Rules } from '../model/judge.ts';
import { World } from '../model/world.ts';
import type { Findings } from './findings.ts';
import { type ClockPuts, clockWasPut, mayExcuse } from './put-clock.ts';
import { blameRefusals } from './refusals.ts';
import { but, type Decision, decide } from './verdict.ts';

/** How many failures of one requirement on one operation a report shows. */
const failuresMax = 3;

const decided = (mismatch: Mismatch, clockPuts: ClockPuts): Decision =>
  mayExcuse(clockPuts(), mismatch.difference.replies ?? []) ? but(mismatch, clockWasPut) : decide(mismatch, 'check');

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
  const failed = new Map<JudgedId, number>();
  for (const { id } of judge.violations) failed.set(id, (failed.get(id) ?? 0) + 1);
  for (const [id, exchanges] of judge.judged)
    findings.count(id, exchanges - Math.min(failed.get(id) ?? 0, failuresMax));
  const counts = new Map<string, number>();
  for (const { id, operation, mismatch } of judge.violations) {
    const place = `${id} ${operation}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    if (count <= failuresMax) findings.add(id, { ...decided(mismatch, clockPuts), operation, durationMs: 0 });
  }
  blameRefusals(findings, recorder.replies);
  recorder.releaseAll();
}
