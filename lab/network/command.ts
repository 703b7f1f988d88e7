// `npm run lab -- --network N --seed S`: N schedules from seed S on, and which of them went wrong; or one schedule in full.
import type { Console } from '../../lib/cli/console.ts';
import { showInFull } from '../command-line.ts';
import { answersTo } from '../matrix/pool.ts';
import { runBehind, type ScheduleOutcome } from './examine-schedule.ts';
import { type Schedule, scheduleNamed } from './schedule.ts';

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
  const sent = outcomes.reduce((sum, { requests }) => sum + requests, 0);
  console.stdout(
    `${wrong.map((line) => `${line}\n`).join('')}${wrong.length} of ${count} went wrong, ${sent} requests\n`,
  );
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

/** Of a lawful server: red beyond its declared warnings, something left behind, no end, or a crash; of a mutant: nothing found. */
function wrongWith({ subject }: Schedule, { failed, left, ended, trouble = '' }: ScheduleOutcome): string[] {
  const accused = failed.filter((id) => !(subject.red as readonly string[]).includes(id));
  const missed = subject.kind === 'mutant' && !subject.red.some((id) => failed.includes(id));
  return [
    ...accused.map((id) => `accused: ${id}`),
    ...(missed ? [`not found: ${subject.red.join(', ')}`] : []),
    ...left.map((one) => `left behind: ${one}`),
    ...(ended ? [] : ['it did not end']),
    ...(/suite itself|crashed/.test(trouble) ? [trouble] : []),
  ];
}

/** One line a schedule that went wrong. */
export function wrongSchedules(outcomes: readonly ScheduleOutcome[]): string[] {
  return outcomes.flatMap((outcome) => {
    const schedule = scheduleNamed(outcome.subject);
    const wrong = wrongWith(schedule, outcome);
    const { kind, perMille, outage, subject } = schedule;
    const when = kind.occasion === 'rate' ? `${perMille / 10} %` : `${outage.map((ms) => ms / 1000).join(' to ')} s`;
    return wrong.length === 0
      ? []
      : [`${outcome.subject}: ${kind.id} (${when}) before ${subject.id}: ${wrong.join('; ')}`];
  });
}
