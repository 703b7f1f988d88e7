// `npm run lab -- --network N --seed S`: N schedules from seed S on, as a table; or one schedule in full.
import type { Console } from '../../lib/cli/console.ts';
import { showInFull } from '../command-line.ts';
import { answersTo } from '../matrix/pool.ts';
import { subjectOf } from '../matrix/subject.ts';
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

const accusations = (outcome: ScheduleOutcome): number =>
  wrongWith(scheduleNamed(outcome.subject), outcome).filter((one) => one.startsWith('accused')).length;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const columns = [
  'kind',
  'runs',
  'red runs',
  'reds',
  'inconcl.',
  'untested',
  'aborted',
  'requests',
  'minutes',
  'left',
  'no end',
];

/** Inconclusive, untested, requests and minutes are means of a run; the rest are sums. */
function row(kind: string, outcomes: readonly ScheduleOutcome[]): string[] {
  const mean = (of: (outcome: ScheduleOutcome) => number): string =>
    (sum(outcomes.map(of)) / outcomes.length).toFixed(1);
  const reds = outcomes.map(accusations);
  return [
    kind,
    String(outcomes.length),
    String(reds.filter((count) => count > 0).length),
    String(sum(reds)),
    mean(({ inconclusive }) => inconclusive.length),
    mean(({ untested }) => untested.length),
    String(outcomes.filter(({ verdict }) => verdict === 'aborted').length),
    mean(({ requests }) => requests),
    mean(({ durationMs }) => durationMs / 60_000),
    String(sum(outcomes.map(({ left }) => left.length))),
    String(outcomes.filter(({ ended }) => !ended).length),
  ];
}

function networkTable(outcomes: readonly ScheduleOutcome[]): string {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  const rows = [
    columns,
    ...kinds.map((kind) =>
      row(
        kind,
        outcomes.filter((one) => one.kind === kind),
      ),
    ),
    row('all', outcomes),
  ];
  const widths = columns.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return `${rows.map(line).join('\n')}\n`;
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
