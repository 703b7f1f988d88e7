// `npm run lab -- --network N --seed S`: N schedules from seed S on, as a table; or one schedule in full.

import { catalogue } from '../../lib/catalogue/index.ts';
import { type Console, styleOf } from '../../lib/cli/console.ts';
import { terminal } from '../../lib/report/terminal.ts';
import { type Random, seededRandom } from '../../lib/runtime/random.ts';
import { answersTo } from '../matrix/pool.ts';
import { type Subject, subjectOf, subjects } from '../matrix/subject.ts';
import { runBehind, type ScheduleOutcome } from './examine-schedule.ts';
import { kinds } from './kinds.ts';
import { scheduleNamed, scheduleOf } from './schedule.ts';
import { isMissed, networkTable, wrongSchedules } from './table.ts';

export interface NetworkOptions {
  /** How many schedules. */
  readonly count: number;
  readonly seed: number;
  readonly threads: number;
  /** A subject to stand behind all of them, in place of the reference and lawful servers in turn. */
  readonly subject?: string;
}

/** The exit code: 0 where no lawful server was accused, every run ended and nothing was left behind. */
export async function network({ count, seed, threads, subject }: NetworkOptions, console: Console): Promise<number> {
  if (subject !== undefined && subjectOf(subject) === undefined) {
    console.stderr(`there is no subject named ${subject}; reports/lab.md lists all subjects\n`);
    return 2;
  }
  const behind = subject === undefined ? '' : `-${subject}`;
  const names = Array.from({ length: count }, (_, index) => `network-${seed + index}${behind}`);
  if (count === 1) return inFull(names[0] ?? '', console);
  const step = Math.max(1, Math.floor(count / 20));
  const outcomes = await answersTo<ScheduleOutcome>(
    names,
    { work: 'schedules', how: { effort: 'standard' }, count: threads },
    (finished) => {
      if (finished % step === 0) console.stderr(`${finished} of ${count} examined\n`);
    },
  );
  const wrong = wrongSchedules(outcomes);
  console.stdout(`${networkTable(outcomes)}\n${wrong.map((line) => `${line}\n`).join('')}`);
  return wrong.length === 0 ? 0 : 1;
}

/** Of a sample of mutants behind 1 % of disturbances so many are still to be found. */
const foundMin = 0.95;

/** `npm run lab -- --network-mutants N --seed S`: N mutants, each behind a network that disturbs 1 %, and how many are found. */
export async function networkMutants({ count, seed, threads }: NetworkOptions, console: Console): Promise<number> {
  const names = mutantsBehind(count, seed);
  const outcomes = await answersTo<ScheduleOutcome>(
    names,
    { work: 'schedules', how: { effort: 'standard' }, count: threads },
    () => {},
  );
  const missed = outcomes.filter(isMissed);
  const lines = missed.map(({ subject, kind }) => `not found: ${subject} (${kind})\n`);
  const found = names.length - missed.length;
  const share = ((100 * found) / names.length).toFixed(1);
  console.stdout(
    `${lines.join('')}${found} of ${names.length} mutants found behind 1 % of disturbances (${share} %)\n`,
  );
  return found / names.length >= foundMin ? 0 : 1;
}

async function inFull(name: string, console: Console): Promise<number> {
  const schedule = scheduleNamed(name);
  const { built } = await runBehind(schedule);
  console.stdout(
    terminal(
      built.report,
      { ruling: () => undefined, again: () => `npm run lab -- --network 1 --seed ${schedule.seed}` },
      styleOf(console),
    ),
  );
  const { kind, perMille, outage, subject } = schedule;
  console.stdout(`\n${name}: ${kind.id}, ${perMille / 10} %, outage ${outage.join(' to ')} ms, before ${subject.id}\n`);
  return 0;
}

/** 1 %. */
const perMille = 10;
/** Among so many seeds each kind meets each rate more than once. */
const seedsMax = 10_000;

const areaOf = ({ red: [first] }: Subject): string => (first === undefined ? '' : catalogue[first].area);

/** In turn one of each area, until there are no more. */
function takingTurns(mutants: readonly Subject[]): Subject[] {
  const places = new Map<string, number>();
  const placed = mutants.map((one) => {
    const place = places.get(areaOf(one)) ?? 0;
    places.set(areaOf(one), place + 1);
    return { one, place };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ one }) => one);
}

/** A seed whose schedule disturbs 1 % of all requests. */
function seedFor(random: Random): number {
  for (;;) {
    const seed = random.int(0, seedsMax);
    if (kinds[seed % kinds.length]?.occasion === 'rate' && scheduleOf(seed).perMille === perMille) return seed;
  }
}

/** The names of so many schedules. */
function mutantsBehind(count: number, seed: number): string[] {
  const random = seededRandom(seed).derive('mutants behind a bad network');
  const mutants = takingTurns(random.shuffled(subjects.filter(({ kind }) => kind === 'mutant')));
  return mutants.slice(0, count).map(({ id }) => `network-${seedFor(random)}-${id}`);
}
