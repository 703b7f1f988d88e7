// The last report, and what failed there: `covenant run --last-failed` asks only that again, and `covenant again` one failure.
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { didYouMean } from '../configuration/checked.ts';
import { type Settings, UsageError } from '../configuration/settings.ts';
import type { Configuration, RunFlags } from '../configuration/target.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { readReport } from '../report/read.ts';
import { inert, labelled, type Style } from '../report/terminal/layout.ts';
import { casesOf, failedIn, holdMsOf, type Outcome, outcomeOf } from '../reproduce/rerun.ts';
import { quoting } from '../reproduce/shell.ts';
import type { Failure, Report, RequirementResult, RunResult } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { counted, oneLine, short } from '../runtime/text.ts';
import { withLedger } from './cleanup.ts';
import { type Console, type GuardedConsole, stoppable, styleOf, wholeRunCommand } from './console.ts';
import { type Finish, targetFrom } from './options.ts';
import { isThere, isWhole, lastWhole, located, namedFile } from './out-folder.ts';
import type { Examination, Parts } from './parts.ts';
import { displayOf, Progress } from './progress.ts';
import type { OwnSuites } from './run-choices.ts';

interface Choices extends RunFlags {
  readonly out: string;
  readonly repeat?: string;
}

interface Last {
  readonly path: string;
  readonly report: Report;
}

const reportAt = async (path: string, folder: string): Promise<Last> => ({
  path,
  report: readReport(await namedFile(folder, path), path),
});

/**
 * The report of the last run, and before it that of the last whole one of that target, where it was not whole itself.
 * @throws UsageError where there is none, or it cannot be read.
 */
export async function lastReports(out: string, { folder }: Console): Promise<readonly [Last, ...Last[]]> {
  const last = await reportAt(await located(folder, join(out, 'report.json')), folder);
  const path = join(out, lastWhole, 'report.json');
  if (isWhole(last.report) || !(await isThere(folder, path))) return [last];
  const whole = await reportAt(path, folder);
  return whole.report.target.base_url === last.report.target.base_url ? [whole, last] : [last];
}

/** The last report; of a requirement, the last one in which it failed, where there is one. */
export async function lastReport(out: string, console: Console, requirement?: string): Promise<Last> {
  const reports = await lastReports(out, console);
  const failed = reports.findLast(({ report }) =>
    report.requirements.some(({ id, verdict }) => id === requirement && verdict === 'failed'),
  );
  return failed ?? reports.at(-1) ?? reports[0];
}

/** @throws UsageError where what is configured is not what the report is of. */
export function checkSameTarget({ report, path }: Last, { target }: Pick<Configuration, 'target'>): void {
  if (target === undefined || target.baseUrl === report.target.base_url) return;
  throw new UsageError(
    `${path} is of ${report.target.base_url}, but ${target.baseUrl} is configured; name the folder of its last run with --out.`,
  );
}

/** The rows of the first report, each as a later one decided it. */
function rowsOf(reports: readonly Last[]): readonly RequirementResult[] {
  const rows = new Map<string, RequirementResult>();
  for (const { report } of reports)
    for (const row of [...report.requirements, ...(report.own?.requirements ?? [])])
      if (!rows.has(row.id) || row.verdict === 'passed' || row.verdict === 'failed') rows.set(row.id, row);
  return [...rows.values()];
}

/**
 * The flags with which what is not decided yet is asked again: with its seed and effort, and no further than that run went.
 * @throws UsageError where nothing is open, or the selection is already named.
 */
export function lastFailed<T extends Choices>(
  flags: T,
  reports: readonly [Last, ...Last[]],
  known: OwnSuites['requirements'],
): T {
  const rival = (['requirement', 'repeat', 'shard'] as const).find((name) => flags[name] !== undefined);
  if (rival !== undefined) throw new UsageError(`--last-failed names the requirements itself; leave --${rival} off.`);
  const open = rowsOf(reports).filter(({ verdict }) => !['passed', 'observed'].includes(verdict));
  const requirement = open.map(({ id }) => id).filter((id) => Object.hasOwn(known, id));
  if (requirement.length === 0) {
    const paths = reports.map(({ path }) => path).join(' or since in ');
    throw new UsageError(
      `Nothing failed and nothing stayed open in ${paths}; leave --last-failed off to run everything.`,
    );
  }
  const { options, seed } = reports[0].report.run;
  return {
    ...flags,
    ...defined({ readOnly: options.read_only || flags.readOnly }),
    requirement,
    seed: flags.seed ?? String(seed),
    effort: flags.effort ?? options.effort,
    profile: flags.profile ?? options.profile,
    exhaustion: options.exhaustion && flags.exhaustion !== false,
  };
}

interface AgainOptions extends Pick<RunFlags, 'baseUrl'> {
  readonly out: string;
}

/** @throws UsageError where the requirement did not fail in the report. */
function failureOf(id: string, report: Report, path: string): RequirementResult {
  const row = report.requirements.find((one) => one.id === id);
  if (row !== undefined && failedIn(row).length > 0) return row;
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed').map((one) => one.id);
  const some = failed.length === 0 ? 'Nothing failed there.' : `There failed: ${failed.slice(0, 5).join(', ')}.`;
  throw new UsageError(`${id} did not fail in ${path}${didYouMean(id, failed)} ${some}`);
}

const textMax = 600;
const text = (failure: Failure | undefined, side: 'expected' | 'actual', report: Report): string =>
  failure === undefined ? '' : inert(short(oneLine(quoting(failure, report)(failure[side])), textMax));

/** The failure then and now, expected before received. */
function difference(
  then: RequirementResult,
  outcome: Outcome,
  reports: { readonly was: Report; readonly is: Report; readonly whole: string },
  style: Style,
): string[] {
  const line = (label: string, value: string): string[] => labelled(label, value, style);
  if (outcome.word === 'CANNOT') return [...line('why', inert(outcome.why)), ...line('this can', reports.whole)];
  const before = failedIn(then);
  if (outcome.word === 'FIXED') {
    const [first] = before;
    return [
      ...line('expected', text(first?.failure, 'expected', reports.was)),
      ...line('then', text(first?.failure, 'actual', reports.was)),
      ...line('now', 'as expected'),
    ];
  }
  return outcome.failures.flatMap((now) => {
    const same = before.find(({ operation }) => operation === now.operation) ?? before[0];
    const was = text(same?.failure, 'actual', reports.was);
    const is = text(now.failure, 'actual', reports.is);
    return [
      ...line('at', now.operation ?? ''),
      ...line('wrong', inert(now.failure?.message ?? '')),
      ...line('expected', text(now.failure, 'expected', reports.is)),
      ...line('then', was),
      ...line('now', was === is ? 'the same' : is),
    ];
  });
}

const noTarget = 'The bundled reference is gone with its run; set COVENANT_BASE_URL and credentials to that target.';
const codes = { FIXED: exitCodes.conformant, STILL: exitCodes.nonConformant, CANNOT: exitCodes.incomplete } as const;

/**
 * Runs the failure again and returns the exit code: 0 FIXED, 1 STILL, 3 CANNOT, 4 the target cannot be reached.
 * @throws UsageError if the requirement did not fail in the last report, or the target is another.
 */
async function runAgain(id: string, options: AgainOptions, console: GuardedConsole, parts: Parts): Promise<number> {
  const last = await lastReport(options.out, console, id);
  const { report: before } = last;
  const row = failureOf(id, before, last.path);
  const { profile } = before.run.options;
  const flags = { profile, ...defined({ baseUrl: options.baseUrl }) };
  const { target, network, settings: configured } = await targetFrom(flags, console, parts, noTarget);
  checkSameTarget(last, { target });
  const { seed, options: asked } = before.run;
  const settings: Settings = {
    ...configured,
    ...defined({ areas: asked.area ?? undefined, requirements: asked.requirement ?? undefined }),
    seed: Number(seed),
    effort: asked.effort === 'quick' || asked.effort === 'thorough' ? asked.effort : 'standard',
    readOnly: asked.read_only,
    exhaustion: asked.exhaustion,
  };
  const progress = new Progress(displayOf(console, parts.clock));
  const stopping = stoppable(console);
  const examine = (record: Examination['record']): Promise<RunResult> =>
    parts
      .examine({
        ...{ target, network, settings, signal: stopping.signal, onEvent: progress.hear },
        only: casesOf(row, before),
        holdMs: holdMsOf(row, before),
        ...defined({ record }),
      })
      .finally(progress.stop);
  try {
    const result = await withLedger(resolve(console.folder, options.out), console, examine);
    const { report } = result;
    const outcome = outcomeOf(row, before, result);
    const sent = report.budget.reduce((sum, one) => sum + one.sent, 0);
    const style = styleOf(console);
    const lines = [
      `${outcome.word}  ${id}: ${row.statement}`,
      ...difference(row, outcome, { was: before, is: report, whole: wholeRunCommand(console, before) }, style),
      ...labelled('sent', `${counted(sent, 'request')} anew, in run ${report.run.id}`, style),
    ];
    console.stdout(`${lines.join('\n')}\n`);
    if (stopping.signal.aborted) return exitCodes.interrupted;
    return report.verdict === 'aborted' ? exitCodes.couldNotJudge : codes[outcome.word];
  } finally {
    stopping.release();
  }
}

export function addAgain(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('again <requirement>')
    .description('send what led to a failure anew, with fresh records and keys: FIXED, STILL or CANNOT')
    .option('--out <folder>', 'where the report is in which it failed', 'reports/')
    .option('--base-url <url>', 'the target, without /api/external/v2')
    .action((requirement: string, options: AgainOptions) => finish(runAgain(requirement, options, console, parts)));
}
