// The subjects of the matrix that matter to some areas: for the loop of somebody who works on those.
import { catalogue, type RequirementId } from '../../lib/catalogue/index.ts';
import type { Exceptions } from '../variants/variant.ts';
import type { Subject } from './subject.ts';

/** A mutant concerns the areas of what it breaks, a variant every area; randomised servers would take too long. */
export function concerns({ kind, red, collateral }: Subject, areas: readonly string[]): boolean {
  if (kind !== 'mutant') return kind !== 'random';
  return red.some((id) => collateral[id] === undefined && areas.includes(catalogue[id].area));
}

/** The subject as it is examined for these areas: a mutant in full, a lawful server with their requirements only. */
export function within(subject: Subject, areas: readonly string[]): Subject {
  if (subject.kind === 'mutant') return subject;
  const isMeant = (id: string): boolean => areas.includes(catalogue[id as RequirementId].area);
  const some = (exceptions: Exceptions): Exceptions =>
    Object.fromEntries(Object.entries(exceptions).filter(([id]) => isMeant(id)));
  const { examination } = subject;
  return {
    ...subject,
    examination: { ...examination, settings: { ...examination.settings, areas } },
    red: subject.red.filter(isMeant),
    untested: some(subject.untested),
  };
}
