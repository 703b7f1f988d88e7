// The outcome of one examination, as plain data that can be sent between threads and written to a file.

import type { Effort } from '../../lib/configuration/settings.ts';
import type { Brief } from '../../lib/run/build-report.ts';

export interface Unjudged {
  readonly id: string;
  readonly reason: string;
}

export interface Outcome {
  readonly subject: string;
  readonly verdict: Brief['verdict'];
  /** Requirements that are MUST or SHOULD, by verdict. */
  readonly failed: readonly string[];
  readonly untested: readonly Unjudged[];
  /** Observations included, because an error of the suite itself is never acceptable. */
  readonly inconclusive: readonly Unjudged[];
  /** Why the run was aborted, or the exception that it threw. */
  readonly trouble?: string;
  readonly effort: Effort;
  readonly requests: number;
}

export function outcomeOf(subject: string, brief: Brief, effort: Effort): Outcome {
  const judged = brief.requirements.filter(({ level }) => level !== 'observe');
  const reasons = (rows: Brief['requirements'], verdict: string): Unjudged[] =>
    rows.filter((one) => one.verdict === verdict).map(({ id, reason = '' }) => ({ id, reason }));
  return {
    subject,
    verdict: brief.verdict,
    failed: judged.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id),
    untested: reasons(judged, 'not-tested'),
    inconclusive: reasons(brief.requirements, 'inconclusive'),
    ...(brief.reason === undefined ? {} : { trouble: brief.reason }),
    effort,
    requests: brief.requests,
  };
}
