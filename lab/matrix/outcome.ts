// What became of one examination, as plain data that can be sent between threads and written down.
import type { Report, RunVerdict } from '../../lib/report/model.ts';
import { examine } from '../examine.ts';
import type { Subject } from './subject.ts';

export interface Unjudged {
  readonly id: string;
  readonly reason: string;
}

export interface Outcome {
  readonly subject: string;
  readonly verdict: RunVerdict;
  /** Judged requirements, MUST and SHOULD, by what became of them. */
  readonly failed: readonly string[];
  readonly untested: readonly Unjudged[];
  /** Observations too: an exception of the suite's own is never in order. */
  readonly inconclusive: readonly Unjudged[];
  /** Why the run was aborted, or the exception that escaped from it. */
  readonly trouble?: string;
  readonly requests: number;
}

export function outcomeOf(subject: string, report: Report): Outcome {
  const judged = report.requirements.filter(({ level }) => level !== 'observe');
  const reasons = (rows: Report['requirements'], verdict: string): Unjudged[] =>
    rows.filter((one) => one.verdict === verdict).map(({ id, reason = '' }) => ({ id, reason }));
  return {
    subject,
    verdict: report.verdict,
    failed: judged.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id),
    untested: reasons(judged, 'not-tested'),
    inconclusive: reasons(report.requirements, 'inconclusive'),
    ...(report.reason === undefined ? {} : { trouble: report.reason }),
    requests: report.budget.reduce((sum, { sent }) => sum + sent, 0),
  };
}

/** Examines one server with the whole suite; whatever escapes is an outcome too. */
export async function outcomeFor(subject: Subject): Promise<Outcome> {
  try {
    const { report } = await examine(subject.examination);
    return outcomeOf(subject.id, report);
  } catch (error) {
    const trouble = `the suite crashed: ${error instanceof Error ? error.stack : String(error)}`;
    const nothing = { failed: [], untested: [], inconclusive: [], requests: 0 };
    return { subject: subject.id, verdict: 'aborted', trouble, ...nothing };
  }
}
