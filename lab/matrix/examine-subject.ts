// The examination of one subject, with as much effort as it needs.
import type { Effort } from '../../lib/configuration/settings.ts';
import { examine } from '../examine.ts';
import { discrepancies, type Outcome, outcomeOf } from './judgement.ts';
import type { Extent } from './pool.ts';
import { type Subject, subjectOf, within } from './subject.ts';

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

/** The effort where one run judges. */
export const judging = (least: Effort): Effort => (least === 'quick' ? 'standard' : least);

/**
 * Examines one server with the whole suite; an exception is an outcome too. A mutant is examined with `least` effort
 * first, and with a standard run where that does not judge it as declared; a lawful server with at least a standard run,
 * the one that certifies, and so is a mutant that is declared as not found.
 */
export async function outcomeFor(subject: Subject, least: Effort): Promise<Outcome> {
  const isOnce = subject.kind !== 'mutant' || subject.notFound !== undefined || least === 'standard';
  if (isOnce) return outcomeWith(subject, judging(least));
  const first = await outcomeWith(subject, least);
  if (discrepancies(subject, first).length === 0) return first;
  const second = await outcomeWith(subject, 'standard');
  return { ...second, requests: first.requests + second.requests };
}

/** The outcome of the subject of this name. */
export async function outcomeNamed(id: string, { effort, areas, without = [] }: Extent): Promise<Outcome> {
  const subject = subjectOf(id);
  if (subject === undefined) throw new Error(`There is no subject named ${id}.`);
  const { examination, ...declared } = areas ? within(subject, areas) : subject;
  const left = without.length === 0 ? examination : { ...examination, decided: new Set(without) };
  return outcomeFor({ ...declared, examination: left }, effort);
}
