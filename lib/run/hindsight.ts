// The look back over a run that is over: what only all of its replies together show.
import type { Suite } from '../case.ts';
import type { Mismatch } from '../client/errors.ts';
import type { Recorder } from '../client/recorder.ts';
import type { Findings } from './findings.ts';
import { blameRefusals } from './refusals.ts';
import { but, clockWasPut, type Decision, decide, lagMs } from './verdict.ts';

/** How many failures of one requirement on one operation a report shows. */
const failuresMax = 3;

/** What the target does by its clock came too early or too late where that was put after the first of the replies. */
function decided(mismatch: Mismatch, clockJumpedSince: (ms: number) => boolean): Decision {
  const times = mismatch.difference.replies?.map(({ sentAt }) => sentAt) ?? [];
  return clockJumpedSince(Math.min(...times) - lagMs) ? but(mismatch, clockWasPut) : decide(mismatch, 'check');
}

export function lookBack(
  suites: readonly Suite[],
  recorder: Recorder,
  findings: Findings,
  clockJumpedSince: (ms: number) => boolean,
): void {
  const story = {
    replies: recorder.replies.filter(({ doubt }) => doubt === undefined),
    lost: recorder.lost(),
  };
  const counts = new Map<string, number>();
  for (const { id, operation, mismatch } of suites.flatMap(({ hindsight }) => hindsight?.judge(story) ?? [])) {
    const place = `${id} ${operation}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    if (count <= failuresMax) findings.add(id, { ...decided(mismatch, clockJumpedSince), operation, durationMs: 0 });
  }
  blameRefusals(findings, recorder.replies);
  recorder.releaseAll();
}
