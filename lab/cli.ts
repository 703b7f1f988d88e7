// `npm run lab`: the whole matrix, the subjects of some areas, or one subject in full.
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError, Option } from 'commander';
import { type Console, processConsole } from '../lib/cli/console.ts';
import { list } from '../lib/cli/options.ts';
import { didYouMean } from '../lib/configuration/checked.ts';
import { type Effort, UsageError } from '../lib/configuration/settings.ts';
import { selectedAreas } from '../lib/configuration/target.ts';
import { costliest } from '../lib/run/plan-estimate.ts';
import { select } from '../lib/run/selection.ts';
import { wallClock } from '../lib/runtime/clock.ts';
import { counted } from '../lib/runtime/text.ts';
import { suites } from '../suites/index.ts';
import { commit, countOf, showInFull } from './command-line.ts';
import { conditionalOf } from './conditional/index.ts';
import { conditionalInFull, conditionalMatrix } from './conditional/judged.ts';
import { evidence } from './evidence/judged-again.ts';
import { defaultSettings, examine } from './examine.ts';
import { installLeanFetch } from './lean-fetch.ts';
import type { Extent } from './matrix/judgement.ts';
import { discrepancies, judging, outcomeOf } from './matrix/judgement.ts';
import { outcomesOf } from './matrix/pool.ts';
import { concerns, type Subject, sample, subjectOf, subjects, within } from './matrix/subject.ts';
import { figuresOf, isInOrder, json, killsOf, type Matrix, markdown, rowsOf, summary } from './matrix/views.ts';
import { reported } from './mutants/reported/index.ts';
import { network } from './network/command.ts';
import { secondServers } from './second-servers.ts';
import { trackRecord } from './track-record.ts';

interface Options {
  readonly mutant?: string;
  readonly variant?: string;
  readonly random?: string;
  readonly area?: readonly string[];
  readonly only?: string;
  readonly sample?: true;
  readonly trackRecord?: true;
  readonly without?: string;
  readonly network?: string;
  readonly conditional?: string;
  readonly secondReading?: string;
  readonly overHttp?: true;
  readonly evidence?: string;
  readonly seed: string;
  readonly effort: Effort;
  readonly threads: string;
  readonly out: string;
}

/** Prints what the suite reports about one server, as its user would see it, and whether that is as declared. */
async function inFull(subject: Subject, console: Console): Promise<number> {
  // As the threads do, so that it is judged as among all others.
  const restore = installLeanFetch();
  const { report, brief } = await examine(subject.examination).finally(restore);
  showInFull(report, `--${subject.kind} ${subject.id}`, console);
  const wrong = discrepancies(subject, outcomeOf(subject.id, brief, 'standard'));
  const collateral = Object.entries(subject.collateral).map(([id, why]) => `  collateral ${id}: ${why}\n`);
  console.stdout(`\n${subject.kind} ${subject.id}: ${subject.why}\n${collateral.join('')}`);
  console.stdout(wrong.length === 0 ? 'Judged exactly as declared.\n' : `${wrong.map((one) => `  ${one}\n`).join('')}`);
  return wrong.length === 0 ? 0 : 1;
}

const isWhole = (text: string): boolean => /^\d{1,9}$/.test(text);

/** The subject that is named, by an option that says of which kind it is; undefined where the whole matrix is meant. */
function namedSubject({ mutant, variant, random }: Options): Subject | undefined {
  const given = Object.entries({ mutant, variant, random }).filter(([, value]) => value !== undefined);
  if (given.length > 1) throw new UsageError('Give only one of --mutant, --variant and --random.');
  const [[kind, value = ''] = []] = given;
  if (kind === undefined) return undefined;
  if (kind === 'random') {
    if (!isWhole(value)) throw new UsageError(`--random ${value} is not a seed: give a whole number, such as 7.`);
    return subjectOf(`random-${value}`);
  }
  const subject = subjectOf(value);
  if (subject?.kind === kind) return subject;
  if (subject?.kind === 'mutant' || subject?.kind === 'variant')
    throw new UsageError(`${value} is a ${subject.kind}, not a ${kind}: use --${subject.kind} ${value}.`);
  const known = subjects.filter((one) => one.kind === kind).map(({ id }) => id);
  throw new UsageError(`There is no ${kind} ${value}${didYouMean(value, known)} reports/lab.md lists all of them.`);
}

/** The subjects that the filters leave, as they are examined. */
function selected({ area, only, sample: sampled }: Options): Subject[] {
  const areas = area && selectedAreas(area);
  const chosen = (sampled ? sample(subjects) : subjects)
    .filter((one) => (only === undefined || one.id.includes(only)) && (!areas || concerns(one, areas)))
    .map((one) => (areas ? within(one, areas) : one));
  if (chosen.length === 0)
    throw new UsageError(`No subject has ${only} in its name (--only); reports/lab.md lists all of them.`);
  return chosen;
}

async function examined(chosen: readonly Subject[], threads: number, extent: Extent, console: Console) {
  const started = wallClock.now();
  const step = Math.max(1, Math.floor(chosen.length / 20));
  const outcomes = await outcomesOf(chosen, threads, extent, (finished) => {
    if (finished % step === 0) console.stderr(`${finished} of ${chosen.length} examined\n`);
  });
  const rows = rowsOf(chosen, outcomes);
  return { rows, figures: figuresOf(rows), kills: killsOf(rows), durationMs: wallClock.now() - started, threads };
}

const threadsOf = ({ threads }: Options): number => countOf('threads', threads, 3);

async function matrix(options: Options, console: Console): Promise<number> {
  const { area, only, effort, out } = options;
  const finished = await examined(
    selected(options),
    threadsOf(options),
    { effort, ...(area ? { areas: area } : {}) },
    console,
  );
  const partial = area !== undefined || only !== undefined;
  const whole: Matrix = { ...finished, ...(partial ? { partial } : {}) };
  console.stdout(summary(whole));
  if (!partial) {
    await mkdir(out, { recursive: true });
    await writeFile(join(out, 'lab.json'), json(whole));
    await writeFile(join(out, 'lab.md'), markdown(whole));
    console.stdout(`Written: ${join(out, 'lab.json')}, ${join(out, 'lab.md')}\n`);
  }
  return isInOrder(whole) ? 0 : 1;
}

/** Examines the defects that users have reported, and writes their page where each is found or not as declared. */
async function writeTrackRecord(options: Options, console: Console): Promise<number> {
  const hash = commit();
  if (hash === undefined) throw new UsageError('--track-record needs a git repository, for the commit that it names.');
  const chosen = subjects.filter((subject) => reported.some(({ id }) => id === subject.id));
  const finished = await examined(chosen, threadsOf(options), { effort: 'quick' }, console);
  const whole: Matrix = { ...finished, partial: true };
  console.stdout(summary(whole));
  if (!isInOrder(whole)) return 1;
  await writeFile(
    'docs/track-record.md',
    trackRecord({ commit: hash.slice(0, 7), quick: finished.figures.killedQuickly }),
  );
  console.stdout('Written: docs/track-record.md\n');
  return 0;
}

function optionsOf(args: readonly string[], console: Console): Options {
  return new Command('lab')
    .description('examines every mutant, variant and randomised lawful server with the whole suite')
    .option('--mutant <id>', 'one mutant in full, with the failure as a user sees it')
    .option('--variant <id>', 'one variant in full')
    .option('--random <seed>', 'one randomised lawful server in full')
    .option('--area <names>', 'mutants of these areas, and variants by their requirements; no report', list)
    .option('--only <text>', 'only subjects whose name contains this; no report')
    .option('--sample', 'a mutant of each requirement and some of the lawful servers, as npm test does')
    .option('--track-record', 'the defects that users have reported; writes docs/track-record.md')
    .option(
      '--without <case>',
      'which mutants survive where the cases of such a title are left out: what their requests are worth',
    )
    .option('--conditional <number>', 'so many conditional mutants, by a standard run or with --effort thorough')
    .option('--second-reading <number>', 'so many lawful servers of the second reading, likewise; 1: one in full')
    .option('--over-http', 'with --second-reading: over sockets, in real time, with a short minute')
    .addOption(
      new Option('--effort <effort>', 'the effort: for mutants of the matrix, before a standard run is tried')
        .choices(['quick', 'standard', 'thorough'])
        .default('quick'),
    )
    .option('--threads <number>', 'how many threads', String(availableParallelism()))
    .option('--evidence <number>', 'so many lawful servers and mutants, recorded over real HTTP and judged again')
    .option('--network <number>', 'examine this many lawful servers, each behind a bad network; 1: one in full')
    .option(
      '--seed <seed>',
      'what conditional mutants, bad networks and the second reading are drawn from; "commit": seeds of its hash',
      '1',
    )
    .option('--out <folder>', 'where lab.json and lab.md are written', 'reports')
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeOut: console.stdout, writeErr: () => {} })
    .parse(args, { from: 'user' })
    .opts<Options>();
}

/** Returns the exit code: 0 if everything is as declared, 1 if not, 2 for an argument that is not understood. */
export async function lab(args: readonly string[], console: Console): Promise<number> {
  try {
    const options = optionsOf(args, console);
    const { conditional, secondReading, seed, mutant = '' } = options;
    const effort = judging(options.effort);
    if (conditional !== undefined)
      return await conditionalMatrix({ conditional, seed, effort, threads: threadsOf(options) }, console);
    if (secondReading !== undefined)
      return await secondServers({ ...options, secondReading, effort, threads: threadsOf(options) }, console);
    if (options.evidence !== undefined)
      return await evidence(
        { count: countOf('evidence', options.evidence, 4), effort, threads: threadsOf(options) },
        console,
      );
    if (options.trackRecord) return await writeTrackRecord(options, console);
    const drawn = await conditionalOf(mutant);
    if (drawn) return await conditionalInFull(drawn, effort, console);
    const subject = namedSubject(options);
    if (options.network !== undefined) {
      const count = countOf('network', options.network, 5);
      const behind = subject && { subject: subject.id };
      return await network({ count, seed: Number(seed), threads: threadsOf(options), ...behind }, console);
    }
    if (options.without !== undefined) {
      const { without, area } = options;
      const extent = { effort: options.effort, ...(area && { areas: area }) };
      return await survivorsWithout(without, selected(options), extent, threadsOf(options), console);
    }
    return await (subject ? inFull(subject, console) : matrix(options, console));
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (!(error instanceof CommanderError || error instanceof UsageError)) throw error;
    console.stderr(`lab: ${error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')}\n`);
    return 2;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await lab(process.argv.slice(2), processConsole());

/** The titles that begin with the text. */
function titlesOf(text: string): readonly string[] {
  const all = [...select(suites, defaultSettings).titles.values()];
  const titles = all.filter((title) => title.startsWith(text));
  if (titles.length > 0) return titles;
  throw new UsageError(
    `No case has a title that begins with ${JSON.stringify(text)} (--without)${didYouMean(text, all)}`,
  );
}

/** Prints which of the mutants no requirement fails any more; returns the exit code. */
async function survivorsWithout(
  text: string,
  subjects: readonly Subject[],
  extent: Extent,
  threads: number,
  console: Console,
): Promise<number> {
  const without = titlesOf(text);
  const mutants = subjects.filter(({ kind }) => kind === 'mutant');
  const outcomes = await outcomesOf(mutants, threads, { ...extent, without });
  const survivors = outcomes.filter(({ failed }) => failed.length === 0).map(({ subject }) => subject);
  const cost = costliest(select(suites, defaultSettings), defaultSettings).reduce(
    (sum, { title, writes }) => sum + (without.includes(title) ? writes : 0),
    0,
  );
  console.stdout(
    `Without ${without.join('; ')} (${counted(cost, 'write')} of a standard run): ${survivors.length} of ${counted(mutants.length, 'mutant')} survive\n`,
  );
  console.stdout(survivors.map((id) => `  ${id}\n`).join(''));
  return 0;
}
