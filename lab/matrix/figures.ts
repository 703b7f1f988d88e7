// The matrix in figures: what was killed, who was accused, which requirement is killed by which mutant.
import { catalogue, requirementIds } from '../../lib/catalogue/index.ts';
import { discrepancies, isKilled, type Outcome } from './judgement.ts';
import type { Kind, Subject } from './subject.ts';

/** One row of the matrix. */
export interface Row {
  readonly subject: Subject;
  readonly outcome: Outcome;
  readonly discrepancies: readonly string[];
}

export interface Figures {
  /** Those that a run should find. */
  readonly mutants: number;
  /** Mutants that are declared as not found yet. */
  readonly notFound: number;
  readonly killed: number;
  /** Mutants that a quick run judges as declared. */
  readonly killedQuickly: number;
  /** Mutants on which exactly the declared requirements fail. */
  readonly attributed: number;
  /** Mutants with declared collateral. */
  readonly withCollateral: number;
  readonly survivors: readonly string[];
  readonly variants: number;
  readonly randomServers: number;
  /** Lawful servers that were not judged exactly as they should be. */
  readonly accused: readonly string[];
  readonly musts: number;
  readonly mustsKilled: number;
  /** MUSTs that no mutant breaks. */
  readonly mustsWithoutMutant: readonly string[];
  readonly requests: number;
}

export interface Kill {
  readonly id: string;
  readonly level: string;
  /** Mutants that break it and that it killed. */
  readonly killedBy: readonly string[];
}

export function rowsOf(subjects: readonly Subject[], outcomes: readonly Outcome[]): Row[] {
  const bySubject = new Map(outcomes.map((one) => [one.subject, one]));
  return subjects.flatMap((subject): Row[] => {
    const outcome = bySubject.get(subject.id);
    return outcome ? [{ subject, outcome, discrepancies: discrepancies(subject, outcome) }] : [];
  });
}

const ofKind = (rows: readonly Row[], ...kinds: readonly Kind[]): Row[] =>
  rows.filter(({ subject }) => kinds.includes(subject.kind));

/** Every judged requirement, and the mutants that it killed; collateral does not count. */
export function killsOf(rows: readonly Row[]): Kill[] {
  const mutants = ofKind(rows, 'mutant');
  return requirementIds.flatMap((id): Kill[] => {
    const { level } = catalogue[id];
    if (level !== 'must' && level !== 'should') return [];
    const killers = mutants.filter(
      ({ subject, outcome }) =>
        subject.red.includes(id) && subject.collateral[id] === undefined && outcome.failed.includes(id),
    );
    return [{ id, level, killedBy: killers.map(({ subject }) => subject.id) }];
  });
}

export function figuresOf(rows: readonly Row[]): Figures {
  const all = ofKind(rows, 'mutant');
  const mutants = all.filter(({ subject }) => subject.notFound === undefined);
  const musts = killsOf(rows).filter(({ level }) => level === 'must');
  const idsOf = (some: readonly Row[]) => some.map(({ subject }) => subject.id);
  return {
    mutants: mutants.length,
    notFound: all.length - mutants.length,
    killed: mutants.filter(({ subject, outcome }) => isKilled(subject, outcome)).length,
    killedQuickly: mutants.filter((row) => row.outcome.effort === 'quick' && row.discrepancies.length === 0).length,
    attributed: mutants.filter((row) => row.discrepancies.length === 0).length,
    withCollateral: mutants.filter(({ subject }) => Object.keys(subject.collateral).length > 0).length,
    survivors: idsOf(mutants.filter(({ subject, outcome }) => !isKilled(subject, outcome))),
    variants: ofKind(rows, 'variant').length,
    randomServers: ofKind(rows, 'random').length,
    accused: idsOf(ofKind(rows, 'reference', 'variant', 'random').filter((row) => row.discrepancies.length > 0)),
    musts: musts.length,
    mustsKilled: musts.filter(({ killedBy }) => killedBy.length > 0).length,
    mustsWithoutMutant: musts.filter(({ killedBy }) => killedBy.length === 0).map(({ id }) => id),
    requests: rows.reduce((sum, { outcome }) => sum + outcome.requests, 0),
  };
}
