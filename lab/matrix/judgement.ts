// The outcome of an examination, and how it differs from what the subject declares, in sentences.
import type { Effort } from '../../lib/configuration/settings.ts';
import type { Brief } from '../../lib/run/build-report.ts';
import { examine } from '../examine.ts';
import { type Subject, subjectOf, within } from './subject.ts';

const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((one) => !others.includes(one));
const ownError = 'an error of the suite itself';
const withReason = ({ id, reason }: Unjudged): string => `${id} (${reason})`;

/** Requirements that must be red. Collateral may be: it depends on what other cases send before and after. */
const broken = ({ red, collateral }: Subject): string[] => without(red, Object.keys(collateral));

/** A mutant is killed if everything that it breaks is red. */
export const isKilled = (subject: Subject, { failed }: Outcome): boolean =>
  without(broken(subject), failed).length === 0;

/** Any red requirement finds it; then it may not be declared as not found. */
const judgedNotFound = ({ failed }: Outcome): string[] =>
  failed.length === 0 ? [] : [`is found now, so that notFound goes: ${failed.join(', ')}`];

/** A mutant that only makes the suite inconclusive, or crashes it, is not killed. */
function judgedMutant(subject: Subject, { failed, untested, inconclusive }: Outcome): string[] {
  const why = (id: string): string => {
    const unjudged = [...untested, ...inconclusive].find((one) => one.id === id);
    return unjudged ? withReason(unjudged) : `${id} (passed)`;
  };
  return [
    ...without(broken(subject), failed).map((id) => `should be red: ${why(id)}`),
    ...without(failed, subject.red).map((id) => `should not be red: ${id}`),
    ...inconclusive.filter(({ reason }) => reason.includes(ownError)).map((one) => `suite erred: ${withReason(one)}`),
  ];
}

function judgedLawful({ red, untested: excepted, unsteady = {} }: Subject, outcome: Outcome): string[] {
  const { failed, inconclusive } = outcome;
  const untested = outcome.untested.filter(({ id }) => !(id in unsteady));
  const exceptions = Object.keys(excepted);
  return [
    ...without(failed, red).map((id) => `accused: ${id}`),
    ...without(red, failed).map((id) => `should be a warning: ${id}`),
    ...untested.filter(({ id }) => !exceptions.includes(id)).map((one) => `not tested: ${withReason(one)}`),
    ...without(
      exceptions,
      untested.map(({ id }) => id),
    ).map((id) => `should not be testable: ${id}`),
    ...inconclusive.map((one) => `inconclusive: ${withReason(one)}`),
  ];
}

/** Empty if the subject was judged exactly as declared. */
export function discrepancies(subject: Subject, outcome: Outcome): string[] {
  if (outcome.trouble !== undefined) return [outcome.trouble];
  if (subject.notFound !== undefined) return judgedNotFound(outcome);
  return subject.kind === 'mutant' ? judgedMutant(subject, outcome) : judgedLawful(subject, outcome);
}

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

/** How subjects are examined. */
export interface Extent {
  /** Mutants are examined with at least this effort. */
  readonly effort: Effort;
  /** By default all of them. */
  readonly areas?: readonly string[];
  /** Cases, by their titles, that are left out. */
  readonly without?: readonly string[];
}

/** The outcome of the subject of this name. */
export async function outcomeNamed(id: string, { effort, areas, without = [] }: Extent): Promise<Outcome> {
  const subject = subjectOf(id);
  if (subject === undefined) throw new Error(`There is no subject named ${id}.`);
  const { examination, ...declared } = areas ? within(subject, areas) : subject;
  const left = without.length === 0 ? examination : { ...examination, decided: new Set(without) };
  return outcomeFor({ ...declared, examination: left }, effort);
}
