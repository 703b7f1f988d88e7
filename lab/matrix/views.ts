// The matrix for people and programs: a summary for the terminal, lab.md, and lab.json.
import { catalogue, requirementIds } from '../../lib/catalogue/index.ts';
import { discrepancies, isKilled, type Outcome } from './judgement.ts';
import type { Kind, Subject } from './subject.ts';

export interface Matrix {
  readonly rows: readonly Row[];
  readonly figures: Figures;
  readonly kills: readonly Kill[];
  /** The milliseconds that the whole matrix took; `threads`: how many it used. */
  readonly durationMs: number;
  readonly threads: number;
  /** Only some subjects were examined, so that MUSTs without a mutant are not a mistake. */
  readonly partial?: true;
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Everything is as declared, and every MUST has been seen to fail. */
export const isInOrder = ({ rows, figures, partial }: Matrix): boolean =>
  rows.every((row) => row.discrepancies.length === 0) && (partial === true || figures.mustsWithoutMutant.length === 0);

/** The figures as lines, the same on the terminal and in lab.md. */
function figureLines({ figures, durationMs, threads }: Matrix): string[] {
  return [
    `Mutants: ${figures.killed} of ${figures.mutants} killed, ${figures.killedQuickly} of them by a quick run; ${figures.attributed} attributed to the requirements that they name, and to no others (${figures.withCollateral} with declared collateral)`,
    ...(figures.notFound > 0 ? [`Mutants that are declared as not found yet: ${figures.notFound}`] : []),
    `Lawful servers: ${figures.variants} variants and ${figures.randomServers} randomised servers, ${figures.accused.length === 0 ? 'none' : figures.accused.length} accused`,
    `MUST requirements: ${figures.mustsKilled} of ${figures.musts} seen to fail`,
    `${figures.requests} requests in ${seconds(durationMs)} on ${plural(threads, 'thread')}`,
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

const troubled = ({ rows }: Matrix): Row[] => rows.filter((row) => row.discrepancies.length > 0);

export function summary(matrix: Matrix): string {
  const off = troubled(matrix).flatMap(({ subject, discrepancies }) => [
    `  ${subject.kind} ${subject.id}`,
    ...discrepancies.map((one) => `    ${one}`),
  ]);
  const bare = matrix.partial ? [] : matrix.figures.mustsWithoutMutant.map((id) => `  ${id}`);
  const verdict = isInOrder(matrix)
    ? 'Everything is as declared.'
    : `${plural(troubled(matrix).length, 'subject')} not as declared; see one in full with --mutant, --variant or --random.`;
  const lines = [
    ...figureLines(matrix),
    ...section('Not as declared:', off),
    ...section('MUST requirements that no mutant breaks:', bare),
    '',
    verdict,
  ];
  return `${lines.join('\n')}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const rowOf = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  rowOf(head),
  rowOf(head.map(() => '---')),
  ...rows.map(rowOf),
];

export function markdown(matrix: Matrix): string {
  const lawful = matrix.rows.filter(({ subject }) => subject.kind === 'variant' || subject.kind === 'reference');
  const mutants = matrix.rows.filter(({ subject }) => subject.kind === 'mutant');
  const kills = matrix.kills.map(({ id, level, killedBy }) => [
    id,
    level,
    killedBy.length > 0 ? String(killedBy.length) : '',
    killedBy.length > 0 ? killedBy.slice(0, 4).join(', ') : 'no mutant',
  ]);
  const lines = [
    '# The laboratory',
    '',
    ...figureLines(matrix).map((line) => `- ${line}`),
    ...section('## Not as declared', [
      '',
      ...troubled(matrix).flatMap(({ subject, discrepancies }) =>
        discrepancies.map((one) => `- ${subject.id}: ${one}`),
      ),
    ]),
    ...section('## Requirements, and the mutants that each has killed', [
      '',
      ...table(['requirement', 'level', 'mutants', 'among them'], kills),
    ]),
    ...section('## Mutants', [
      '',
      ...table(
        ['mutant', 'red', 'collateral', 'as declared'],
        mutants.map(({ subject, outcome, discrepancies }) => [
          subject.id,
          outcome.failed.join(', '),
          Object.entries(subject.collateral)
            .map(([id, why]) => `${id}: ${why}`)
            .join('; '),
          discrepancies.length === 0 ? 'yes' : 'no',
        ]),
      ),
    ]),
    ...section('## Lawful servers', [
      '',
      ...table(
        ['server', 'choice', 'green'],
        lawful.map(({ subject, discrepancies }) => [
          subject.id,
          subject.why,
          discrepancies.length === 0 ? 'yes' : 'no',
        ]),
      ),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

export function json({ rows, figures, kills, durationMs, threads }: Matrix): string {
  const report = {
    format: 'covenant-lab/1',
    figures,
    duration_ms: durationMs,
    threads,
    requirements: kills.map(({ id, level, killedBy }) => ({ id, level, killed_by: killedBy })),
    subjects: rows.map(({ subject, outcome, discrepancies }) => ({
      id: subject.id,
      kind: subject.kind,
      why: subject.why,
      ...(subject.kind === 'mutant' ? { killed: subject.red.every((id) => outcome.failed.includes(id)) } : {}),
      ...(subject.notFound === undefined ? {} : { not_found: subject.notFound }),
      expected: subject.red,
      collateral: subject.collateral,
      failed: outcome.failed,
      verdict: outcome.verdict,
      effort: outcome.effort,
      requests: outcome.requests,
      discrepancies,
    })),
  };
  return `${JSON.stringify(report, null, 1)}\n`;
}

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
