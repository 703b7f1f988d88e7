// What became of one examination, as plain data that can be sent between threads and written down.

import type { Effort } from '../../lib/configuration/settings.ts';
import type { Brief } from '../../lib/run/build-report.ts';
import { examine } from '../examine.ts';
import { beyondQuick } from '../faults/beyond-quick.ts';
import { discrepancies } from './judgement.ts';
import type { Subject } from './subject.ts';

export interface Unjudged {
  readonly id: string;
  readonly reason: string;
}

export interface Outcome {
  readonly subject: string;
  readonly verdict: Brief['verdict'];
  /** Judged requirements, MUST and SHOULD, by what became of them. */
  readonly failed: readonly string[];
  readonly untested: readonly Unjudged[];
  /** Observations too: an exception of the suite's own is never in order. */
  readonly inconclusive: readonly Unjudged[];
  /** Why the run was aborted, or the exception that escaped from it. */
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

async function outcomeWith(subject: Subject, effort: Effort): Promise<Outcome> {
  try {
    const { brief } = await examine({ ...subject.examination, settings: { ...subject.examination.settings, effort } });
    return outcomeOf(subject.id, brief, effort);
  } catch (error) {
    const trouble = `the suite crashed: ${error instanceof Error ? error.stack : String(error)}`;
    const nothing = { failed: [], untested: [], inconclusive: [], requests: 0 };
    return { subject: subject.id, verdict: 'aborted', trouble, effort, ...nothing };
  }
}

/**
 * Examines one server with the whole suite; whatever escapes is an outcome too. A fault is examined with `least` effort
 * first, and with a standard run where that does not judge it as declared; a lawful server with a standard run, as
 * whoever certifies is.
 */
export async function outcomeFor(subject: Subject, least: Effort): Promise<Outcome> {
  if (subject.kind !== 'fault' || least === 'standard' || beyondQuick.has(subject.id))
    return outcomeWith(subject, 'standard');
  const first = await outcomeWith(subject, least);
  if (discrepancies(subject, first).length === 0) return first;
  const second = await outcomeWith(subject, 'standard');
  return { ...second, requests: first.requests + second.requests };
}
