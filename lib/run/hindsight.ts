// The look back over a run that is over: what only all of its replies together show.
import type { Hindsight } from '../case.ts';
import type { Mismatch } from '../client/errors.ts';
import type { Recorder } from '../client/recorder.ts';
import type { Findings } from './findings.ts';
import { type ClockPuts, clockWasPut, mayExcuse } from './put-clock.ts';
import { blameRefusals } from './refusals.ts';
import { but, type Decision, decide } from './verdict.ts';

/** How many failures of one requirement on one operation a report shows. */
const failuresMax = 3;

const decided = (mismatch: Mismatch, clockPuts: ClockPuts): Decision =>
  mayExcuse(clockPuts(), mismatch.difference.replies ?? []) ? but(mismatch, clockWasPut) : decide(mismatch, 'check');

export function lookBack(
  hindsights: readonly Hindsight[],
  recorder: Recorder,
  findings: Findings,
  clockPuts: ClockPuts,
): void {
  const story = {
    replies: recorder.replies.filter(({ doubt }) => doubt === undefined),
    doubted: recorder.replies.filter(({ doubt }) => doubt !== undefined),
    lost: recorder.lost(),
  };
  const counts = new Map<string, number>();
  for (const { id, operation, mismatch } of hindsights.flatMap(({ judge }) => judge(story))) {
    const place = `${id} ${operation}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    if (count <= failuresMax) findings.add(id, { ...decided(mismatch, clockPuts), operation, durationMs: 0 });
  }
  blameRefusals(findings, recorder.replies);
  recorder.releaseAll();
}
