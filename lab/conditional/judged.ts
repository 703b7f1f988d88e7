// `npm run lab -- --conditional 1000 --seed 7`: conditional mutants drawn, examined and reported; or one of them in full.
import { catalogue } from '../../lib/catalogue/index.ts';
import type { Area } from '../../lib/catalogue/requirement.ts';
import type { Console } from '../../lib/cli/console.ts';
import type { Effort } from '../../lib/configuration/settings.ts';
import { countOf, seedsOf, showInFull } from '../command-line.ts';
import { type Examination, examine } from '../examine.ts';
import { answersTo } from '../matrix/pool.ts';
import { type Conditional, conditionalId, conditionalOf } from './index.ts';
import type { Kind } from './trigger.ts';
import { witnessOf } from './witness.ts';

/** The outcome of a mutant that counts, as plain data. */
export interface Judged {
  /** Its identifier. */
  readonly subject: string;
  readonly why: string;
  readonly kind: Kind;
  readonly area: Area;
  /** What a lawful client sees of it. */
  readonly witness: string;
  /** MUSTs that failed; one is enough to kill it. */
  readonly failed: readonly string[];
  readonly verdict: string;
}

/**
 * As over a network: without it a run does everything in the first moments of its minutes, and whatever depends on the
 * time of day never comes about.
 */
const latencyMs = 25;

const examinationOf = ({ wrap, reference }: Conditional, effort: Effort): Examination => ({
  wrap,
  reference,
  latencyMs,
  settings: { effort },
});

const isMust = (id: string): boolean => (catalogue as Record<string, { level: string }>)[id]?.level === 'must';

/** Looks for a witness, and examines what has one; undefined: it does not count. */
export async function judged(id: string, effort: Effort): Promise<Judged | undefined> {
  const one = await conditionalOf(id);
  const witness = one && (await witnessOf(one));
  if (one === undefined || witness === undefined) return undefined;
  const { brief } = await examine(examinationOf(one, effort));
  const failed = brief.requirements.filter(({ verdict }) => verdict === 'failed').map((row) => row.id);
  return {
    subject: id,
    why: one.why,
    kind: one.trigger.kind,
    area: one.base.area,
    witness: witness.words,
    failed: failed.filter(isMust),
    verdict: brief.verdict,
  };
}

export const isKilled = ({ failed }: Judged): boolean => failed.length > 0;

/** What a thread answers: a mutant that counts, or the identifier of one that does not. */
export type Answer = Judged | { readonly subject: string; readonly witness?: never };

export const answerTo = async (id: string, effort: Effort): Promise<Answer> =>
  (await judged(id, effort)) ?? { subject: id };

/** Candidates for each mutant that is wanted: most count. */
const candidatesEach = 1.3;
/** So many candidates of a seed may be looked at for each that counts. */
const mostEach = 40;

/** The first so many mutants of a seed that count, in the order of their numbers; drawn twice, one counts once. */
async function countedOf(
  seed: number,
  count: number,
  threads: number,
  effort: Effort,
  progress: (finished: number) => void = () => {},
): Promise<Judged[]> {
  const counted = new Map<string, Judged>();
  let next = 0;
  while (counted.size < count && next < count * mostEach) {
    const first = next;
    next += Math.ceil((count - counted.size) * candidatesEach);
    const ids = Array.from({ length: next - first }, (_, place) => conditionalId(seed, first + place));
    const answers = await answersTo<Answer>(ids, { work: 'conditional', how: { effort }, count: threads }, (finished) =>
      progress(first + finished),
    );
    for (const one of answers) if (one.witness !== undefined && !counted.has(one.why)) counted.set(one.why, one);
  }
  return [...counted.values()].slice(0, count);
}

const share = (some: number, all: number): string => (all === 0 ? '' : `${((100 * some) / all).toFixed(1)} %`);

/** Killed of all, in lines, by what `name` says of each. */
function tableOf(title: string, all: readonly Judged[], name: (one: Judged) => string): string {
  const groups = new Map<string, Judged[]>();
  for (const one of all) groups.set(name(one), [...(groups.get(name(one)) ?? []), one]);
  const rows = [...groups].map(([group, some]): [string, number, number] => [
    group,
    some.filter(isKilled).length,
    some.length,
  ]);
  rows.sort(([, killed, of], [, otherKilled, otherOf]) => otherKilled / otherOf - killed / of);
  const lines = [[title, '', 0] as const, ...rows].map(([group, killed, of]) =>
    killed === ''
      ? `${group.padEnd(24)}${'killed'.padStart(8)}${'survived'.padStart(10)}${'share'.padStart(10)}`
      : `${group.padEnd(24)}${String(killed).padStart(8)}${String(of - killed).padStart(10)}${share(killed, of).padStart(10)}`,
  );
  return `${lines.join('\n')}\n`;
}

/** The tables, and the survivors with what a lawful client sees of them. */
export function reportOf(seeds: readonly number[], effort: Effort, all: readonly Judged[]): string {
  const killed = all.filter(isKilled).length;
  const survivors = all.filter((one) => !isKilled(one));
  return [
    `Conditional mutants of ${seeds.length === 1 ? 'seed' : 'the seeds'} ${seeds.join(', ')}: ${killed} of ${all.length} killed by a ${effort} run (${share(killed, all.length)})\n`,
    tableOf('trigger', all, ({ kind }) => kind),
    tableOf('area', all, ({ area }) => area),
    survivors.length === 0 ? '' : 'Survivors, with what a lawful client sees of each:\n',
    ...survivors.map(({ subject, why, witness, verdict }) => `  ${subject} (${verdict})\n    ${why}\n    ${witness}\n`),
  ].join('\n');
}

export interface ConditionalOptions {
  readonly conditional: string;
  readonly seed: string;
  readonly effort: Effort;
  readonly threads: number;
}

/** Examines so many mutants of each seed, and prints what became of them. */
export async function conditionalMatrix(options: ConditionalOptions, console: Console): Promise<number> {
  const { conditional, seed, effort, threads } = options;
  const count = countOf('conditional', conditional, 5);
  const seeds = seedsOf(seed);
  const all: Judged[] = [];
  for (const one of seeds) {
    const progress = (finished: number) => {
      if (finished % 50 === 0) console.stderr(`seed ${one}: ${finished} candidates examined\n`);
    };
    all.push(...(await countedOf(one, count, threads, effort, progress)));
  }
  console.stdout(reportOf(seeds, effort, all));
  return 0;
}

/** Prints what the suite reports about one conditional mutant, as its user would see it, and its witness. */
export async function conditionalInFull(one: Conditional, effort: Effort, console: Console): Promise<number> {
  const witness = await witnessOf(one);
  const { report, brief } = await examine(examinationOf(one, effort));
  showInFull(report, `--mutant ${one.id}`, console);
  console.stdout(`\n${one.id}: ${one.why}\n`);
  console.stdout(
    witness === undefined
      ? 'No lawful client sees a difference: it does not count.\n'
      : `Exchange ${witness.place} of the long session: ${witness.words}\n`,
  );
  console.stdout(brief.verdict === 'non-conformant' ? 'Killed.\n' : `Survived: the verdict is ${brief.verdict}.\n`);
  return 0;
}
