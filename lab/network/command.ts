// `npm run lab -- --network N --seed S`: N schedules from seed S on, as a table; or one schedule in full.

import type { Console } from '../../lib/cli/console.ts';
import { showInFull } from '../command-line.ts';
import { answersTo } from '../matrix/pool.ts';
import { subjectOf } from '../matrix/subject.ts';
import { runBehind, type ScheduleOutcome } from './examine-schedule.ts';
import { scheduleNamed } from './schedule.ts';
import { networkTable, wrongSchedules } from './table.ts';

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

async function inFull(name: string, console: Console): Promise<number> {
  const schedule = scheduleNamed(name);
  const { built } = await runBehind(schedule);
  showInFull(built.report, `--network 1 --seed ${schedule.seed}`, console);
  const { kind, perMille, outage, subject } = schedule;
  console.stdout(`\n${name}: ${kind.id}, ${perMille / 10} %, outage ${outage.join(' to ')} ms, before ${subject.id}\n`);
  return 0;
}
