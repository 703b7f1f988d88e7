// The matrix in figures: what was found, who was accused, which requirement is killed by which fault.
import { catalogue, requirementIds } from '../../lib/catalogue/index.ts';
import { unfound } from '../faults/unfound.ts';
import { discrepancies, isFound } from './judgement.ts';
import type { Outcome } from './outcome.ts';
import type { Kind, Subject } from './subject.ts';

/** One row of the matrix. */
export interface Row {
  readonly subject: Subject;
  readonly outcome: Outcome;
  readonly discrepancies: readonly string[];
}

export interface Figures {
  readonly faults: number;
  readonly found: number;
  /** A quick run judges them as declared. */
  readonly foundQuickly: number;
  /** Red is exactly what was declared. */
  readonly attributed: number;
  /** Faults that make more red than the duty that they break. */
  readonly withCollateral: number;
  readonly survivors: readonly string[];
  readonly oddities: number;
  readonly randomServers: number;
  /** Lawful servers that were not judged exactly as they should be. */
  readonly accused: readonly string[];
  readonly musts: number;
  readonly mustsKilled: number;
  /** MUSTs that no fault breaks although no reason says why. */
  readonly mustsWithoutFault: readonly string[];
  readonly requests: number;
}

export interface Kill {
  readonly id: string;
  readonly level: string;
  /** Faults that break it and were found by it. */
  readonly killedBy: readonly string[];
  /** Why there is none. */
  readonly reason?: string;
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

/** Every judged requirement, and the faults that were found by it; collateral damage does not count. */
export function killsOf(rows: readonly Row[]): Kill[] {
  const faults = ofKind(rows, 'fault');
  return requirementIds.flatMap((id): Kill[] => {
    const { level } = catalogue[id];
    if (level !== 'must' && level !== 'should') return [];
    const killers = faults.filter(
      ({ subject, outcome }) =>
        subject.red.includes(id) && subject.collateral[id] === undefined && outcome.failed.includes(id),
    );
    const reason = unfound[id];
    return [
      { id, level, killedBy: killers.map(({ subject }) => subject.id), ...(reason === undefined ? {} : { reason }) },
    ];
  });
}

export function figuresOf(rows: readonly Row[]): Figures {
  const faults = ofKind(rows, 'fault');
  const musts = killsOf(rows).filter(({ level }) => level === 'must');
  const idsOf = (some: readonly Row[]) => some.map(({ subject }) => subject.id);
  return {
    faults: faults.length,
    found: faults.filter(({ subject, outcome }) => isFound(subject, outcome)).length,
    foundQuickly: faults.filter((row) => row.outcome.effort === 'quick' && row.discrepancies.length === 0).length,
    attributed: faults.filter((row) => row.discrepancies.length === 0).length,
    withCollateral: faults.filter(({ subject }) => Object.keys(subject.collateral).length > 0).length,
    survivors: idsOf(faults.filter(({ subject, outcome }) => !isFound(subject, outcome))),
    oddities: ofKind(rows, 'oddity').length,
    randomServers: ofKind(rows, 'random').length,
    accused: idsOf(ofKind(rows, 'reference', 'oddity', 'random').filter((row) => row.discrepancies.length > 0)),
    musts: musts.length,
    mustsKilled: musts.filter(({ killedBy }) => killedBy.length > 0).length,
    mustsWithoutFault: musts.filter(({ killedBy, reason }) => killedBy.length === 0 && !reason).map(({ id }) => id),
    requests: rows.reduce((sum, { outcome }) => sum + outcome.requests, 0),
  };
}
