// The rules of the laboratory: how an outcome differs from what the subject declares, in sentences.
import type { Outcome, Unjudged } from './outcome.ts';
import type { Subject } from './subject.ts';

const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((one) => !others.includes(one));
const ownError = 'an error of the suite itself';
const withReason = ({ id, reason }: Unjudged): string => `${id} (${reason})`;

/** What must be red. Collateral may be: it rests on what other cases happen to ask before and after. */
const broken = ({ red, collateral }: Subject): string[] => without(red, Object.keys(collateral));

/** A mutant is killed if everything that it breaks is red. */
export const isKilled = (subject: Subject, { failed }: Outcome): boolean =>
  without(broken(subject), failed).length === 0;

/** Whatever is red finds it; it may not be declared as not found then. */
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

function judgedLawful({ red, untested: excepted }: Subject, { failed, untested, inconclusive }: Outcome): string[] {
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
