// `npm run lab`: the whole matrix, or one subject in full.
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { rulings } from '../lib/catalogue/rulings.ts';
import { type Console, processConsole, styleOf } from '../lib/cli/console.ts';
import type { Effort } from '../lib/configuration/settings.ts';
import { terminal } from '../lib/report/terminal.ts';
import { wallClock } from '../lib/runtime/clock.ts';
import { examine } from './examine.ts';
import { figuresOf, killsOf, rowsOf } from './matrix/figures.ts';
import { discrepancies } from './matrix/judgement.ts';
import { outcomeOf } from './matrix/outcome.ts';
import { outcomesOf } from './matrix/pool.ts';
import { type Subject, subjectOf, subjects } from './matrix/subject.ts';
import { isInOrder, json, markdown, summary } from './matrix/views.ts';

interface Options {
  readonly mutant?: string;
  readonly variant?: string;
  readonly random?: string;
  readonly only?: string;
  readonly effort: Effort;
  readonly threads: string;
  readonly out: string;
}

const rulingOf = (id: string): string | undefined => Object.entries(rulings).find(([name]) => name === id)?.[1].ruling;

/** What the suite says of one server, as its user would see it, and whether that is what it should say. */
async function inFull(subject: Subject, console: Console): Promise<number> {
  const { report, brief } = await examine(subject.examination);
  console.stdout(
    terminal(
      report,
      { ruling: rulingOf, again: () => `npm run lab -- --${subject.kind} ${subject.id}` },
      styleOf(console),
    ),
  );
  const wrong = discrepancies(subject, outcomeOf(subject.id, brief, 'standard'));
  const collateral = Object.entries(subject.collateral).map(([id, why]) => `  collateral ${id}: ${why}\n`);
  console.stdout(`\n${subject.kind} ${subject.id}: ${subject.why}\n${collateral.join('')}`);
  console.stdout(wrong.length === 0 ? 'Judged exactly as declared.\n' : `${wrong.map((one) => `  ${one}\n`).join('')}`);
  return wrong.length === 0 ? 0 : 1;
}

function unknown(what: string, console: Console): number {
  console.stderr(`${what}; reports/lab.md lists all subjects, --help all options\n`);
  return 2;
}

async function matrix({ only, threads, effort, out }: Options, console: Console): Promise<number> {
  const chosen = subjects.filter(({ id }) => only === undefined || id.includes(only));
  if (chosen.length === 0) return unknown(`no subject's name contains ${only}`, console);
  if (!/^[1-9]\d{0,2}$/.test(threads)) return unknown(`--threads ${threads} is no number from 1 to 999`, console);
  const started = wallClock.now();
  const step = Math.max(1, Math.floor(chosen.length / 20));
  const outcomes = await outcomesOf(chosen, Number(threads), effort, (finished) => {
    if (finished % step === 0) console.stderr(`${finished} of ${chosen.length} examined\n`);
  });
  const rows = rowsOf(chosen, outcomes);
  const finished = {
    rows,
    figures: figuresOf(rows),
    kills: killsOf(rows),
    durationMs: wallClock.now() - started,
    threads: Number(threads),
    ...(only === undefined ? {} : { partial: true as const }),
  };
  console.stdout(summary(finished));
  if (finished.partial) return isInOrder(finished) ? 0 : 1;
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'lab.json'), json(finished));
  await writeFile(join(out, 'lab.md'), markdown(finished));
  console.stdout(`Written: ${join(out, 'lab.json')}, ${join(out, 'lab.md')}\n`);
  return isInOrder(finished) ? 0 : 1;
}

/** Runs and says the exit code: 0 where everything is as declared, 1 where not, 2 for a name or number that means nothing. */
export async function lab(args: readonly string[], console: Console): Promise<number> {
  const options = new Command('lab')
    .description('examines every mutant, variant and randomised lawful server with the whole suite')
    .option('--mutant <id>', 'one mutant in full, with the failure as a user sees it')
    .option('--variant <id>', 'one variant in full')
    .option('--random <seed>', 'one randomised lawful server in full')
    .option('--only <text>', 'only subjects whose name contains this; no report is written')
    .addOption(
      new Option('--effort <effort>', 'what mutants are examined with, before a standard run is tried')
        .choices(['quick', 'standard'])
        .default('quick'),
    )
    .option('--threads <n>', 'threads', String(availableParallelism()))
    .option('--out <folder>', 'where lab.json and lab.md are written', 'reports')
    .parse(args, { from: 'user' })
    .opts<Options>();
  const name =
    options.mutant ?? options.variant ?? (options.random === undefined ? undefined : `random-${options.random}`);
  if (name === undefined) return matrix(options, console);
  const subject = subjectOf(name);
  if (subject) return inFull(subject, console);
  return unknown(`there is no subject named ${name}`, console);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await lab(process.argv.slice(2), processConsole());
