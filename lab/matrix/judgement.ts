// The rules of the laboratory: what is wrong with an outcome, in sentences; nothing where it is as it should be.
import type { Outcome, Unjudged } from './outcome.ts';
import type { Subject } from './subject.ts';

const without = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((one) => !others.includes(one));
const ownError = 'an error of the suite itself';
const told = ({ id, reason }: Unjudged): string => `${id} (${reason})`;

/** A mutant counts as killed where everything that it breaks is red. */
export const isKilled = ({ red }: Subject, { failed }: Outcome): boolean => without(red, failed).length === 0;

/** A mutant that only makes the suite inconclusive, or crashes it, is not killed. */
function judgedMutant({ red }: Subject, { failed, untested, inconclusive }: Outcome): string[] {
  const why = (id: string): string => {
    const unjudged = [...untested, ...inconclusive].find((one) => one.id === id);
    return unjudged ? told(unjudged) : `${id} (passed)`;
  };
  return [
    ...without(red, failed).map((id) => `should be red: ${why(id)}`),
    ...without(failed, red).map((id) => `should not be red: ${id}`),
    ...inconclusive.filter(({ reason }) => reason.includes(ownError)).map((one) => `suite erred: ${told(one)}`),
  ];
}

function judgedLawful({ red, untested: excepted }: Subject, { failed, untested, inconclusive }: Outcome): string[] {
  const exceptions = Object.keys(excepted);
  return [
    ...without(failed, red).map((id) => `accused: ${id}`),
    ...without(red, failed).map((id) => `should be a warning: ${id}`),
    ...untested.filter(({ id }) => !exceptions.includes(id)).map((one) => `not tested: ${told(one)}`),
    ...without(
      exceptions,
      untested.map(({ id }) => id),
    ).map((id) => `should not be testable: ${id}`),
    ...inconclusive.map((one) => `inconclusive: ${told(one)}`),
  ];
}

/** Empty: the subject was judged exactly as it should be. */
export function discrepancies(subject: Subject, outcome: Outcome): string[] {
  if (outcome.trouble !== undefined) return [outcome.trouble];
  return subject.kind === 'mutant' ? judgedMutant(subject, outcome) : judgedLawful(subject, outcome);
}
