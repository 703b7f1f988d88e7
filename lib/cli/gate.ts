// `covenant compare` and `covenant waive`, and what a run is given for the gate: a baseline, and waivers; read before anything is sent.
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../configuration/settings.ts';
import { type Comparison, checkBaseline, compare, comparisonSentence } from '../gate/compare.ts';
import { exitCodes } from '../gate/exit-code.ts';
import {
  checkWaiver,
  endOf,
  readWaivers,
  sameSubject,
  type Waiver,
  waiversFile,
  withWaivers,
  writtenWaivers,
} from '../gate/waivers.ts';
import { writeWhole } from '../report/folder.ts';
import { readReport } from '../report/read.ts';
import { changed, waivers } from '../report/terminal/summary.ts';
import type { Report, RequirementResult, RunResult } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { codeOf } from '../runtime/disk.ts';
import { documentText } from '../schema/schema.ts';
import { type Console, callable, type GuardedConsole, styleOf } from './console.ts';
import { addFormat, type Finish, type FormatOptions, formatFrom, textOrJson } from './options.ts';
import { isThere, lastWhole, namedFile } from './out-folder.ts';
import type { Parts } from './parts.ts';

export interface GateOptions {
  readonly baseline?: string;
  readonly waivers?: string;
}

export interface Gate {
  readonly baseline?: Report;
  readonly waivers?: readonly Waiver[];
  readonly notices: readonly string[];
}

/** A report that something can be compared with. */
export async function baselineFrom(path: string, { folder }: Console): Promise<Report> {
  const report = readReport(await namedFile(folder, path), path);
  const whole = join(dirname(path), lastWhole, basename(path));
  checkBaseline(report, path, (await isThere(folder, whole)) ? `the last whole one, ${whole}` : undefined);
  return report;
}

const waiversFrom = async (path: string, { folder }: Console, { catalogue }: Parts): Promise<readonly Waiver[]> =>
  readWaivers(await namedFile(folder, path), path, catalogue);

/** @throws UsageError on a file that cannot be read, is broken, or waives what is not known. */
export async function gateFrom({ baseline, waivers }: GateOptions, console: Console, parts: Parts): Promise<Gate> {
  const forgotten = waivers === undefined && (await isThere(console.folder, waiversFile));
  return {
    ...defined({
      baseline: baseline === undefined ? undefined : await baselineFrom(baseline, console),
      waivers: waivers === undefined ? undefined : await waiversFrom(waivers, console, parts),
    }),
    notices: forgotten
      ? [`${waiversFile} is here but was not named, so nothing is waived: --waivers ${waiversFile}`]
      : [],
  };
}

/** The result with what its waivers came to; its transcript is made only when it is asked for. */
export function gated(result: RunResult, { waivers }: Gate, now: number): RunResult {
  if (waivers === undefined) return result;
  return {
    report: withWaivers(result.report, waivers, now),
    get transcript() {
      return result.transcript;
    },
  };
}

interface CompareOptions extends FormatOptions {
  readonly waivers?: string;
}

interface Compared {
  readonly before: Report;
  readonly after: Report;
  readonly comparison: Comparison;
}

const ids = (rows: readonly RequirementResult[]): string[] => rows.map(({ id }) => id);

function asJson({ before, after, comparison }: Compared): string {
  const { changes, failing, untested, exitCode } = comparison;
  const rows = (some: Comparison['changes']['failing']) =>
    some.map(({ id, level, statement, was, verdict, operations }) => ({
      id,
      level,
      statement,
      was,
      verdict,
      operations,
    }));
  const document = {
    format: 'covenant-comparison/1',
    before: { run: before.run.id, at: before.run.started_at, suite: before.suite, target: before.target.base_url },
    after: { run: after.run.id, at: after.run.started_at, suite: after.suite, target: after.target.base_url },
    sentence: comparisonSentence(comparison, after),
    exit_code: exitCode,
    cause: changes.cause,
    terms: changes.terms,
    compared: changes.compared,
    worse: { failing: ids(failing), untested: ids(untested) },
    newly_failing: rows(changes.failing),
    newly_passing: rows(changes.passing),
    newly_untested: rows(changes.undecided),
    no_longer_offered: rows(changes.withdrawn),
    observations: changes.answers,
    incomparable: { ...changes.incomparable, unselectedNow: ids(changes.incomparable.unselectedNow) },
    waivers: after.waivers ?? [],
  };
  return documentText('comparison', document);
}

function asText({ before, after, comparison }: Compared, console: GuardedConsole): string {
  const style = styleOf(console);
  const waived = waivers(after, style);
  return [
    ...changed(comparison.changes, before, after, style),
    '',
    ...(waived.length === 0 ? [] : [...waived, '']),
    style.colors.bold(comparisonSentence(comparison, after)),
    '',
  ].join('\n');
}

/**
 * Compares and says the exit code; see `compare` in lib/gate.
 * @throws UsageError on a file that is not a report or of a run that judged nothing, on wrong waivers, on an unknown format.
 */
async function compareReports(
  paths: readonly [before: string, after: string],
  options: CompareOptions,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const format = formatFrom(options, textOrJson);
  const before = await baselineFrom(paths[0], console);
  const later = readReport(await namedFile(console.folder, paths[1]), paths[1]);
  const waived = options.waivers === undefined ? undefined : await waiversFrom(options.waivers, console, parts);
  const after = waived === undefined ? later : withWaivers(later, waived, parts.clock.now());
  const compared: Compared = { before, after, comparison: compare(before, after) };
  console.stdout(format === 'json' ? asJson(compared) : callable(asText(compared, console), console));
  return compared.comparison.exitCode;
}

interface WaiveOptions extends Omit<Waiver, 'requirement'> {
  readonly file: string;
}

function checkExpiry({ expires }: Waiver, now: number): void {
  const end = endOf(expires);
  if (end !== undefined && end > now) return;
  throw new UsageError(`--expires ${expires} is over already; give a day from today on, as YYYY-MM-DD.`);
}

/** Somebody may have put a credential into the reason. */
function checkSecrets(waiver: Waiver, console: GuardedConsole): void {
  const text = JSON.stringify(waiver);
  if (console.redact(text) === text) return;
  throw new UsageError(
    'The waiver contains a credential, and its file is made to be shared; leave the credential out.',
  );
}

async function write(path: string, text: string): Promise<void> {
  try {
    await writeWhole(path, text);
  } catch (error) {
    throw new UsageError(
      `${path} cannot be written (${codeOf(error) || String(error)}); check its folder and permissions.`,
    );
  }
}

/**
 * Adds the waiver, or renews the one for the same requirement and operation.
 * @throws UsageError where it is about nothing known, or already over, or the file cannot be read or written.
 */
async function waive(
  requirement: string,
  options: WaiveOptions,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const { file, ...terms } = options;
  const waiver: Waiver = { requirement, ...terms };
  checkWaiver(waiver, parts.catalogue, 'The waiver');
  checkExpiry(waiver, parts.clock.now());
  checkSecrets(waiver, console);
  const there = await isThere(console.folder, file);
  const before = there ? readWaivers(await namedFile(console.folder, file), file, parts.catalogue) : [];
  const others = before.filter((other) => !sameSubject(waiver, other));
  await write(resolve(console.folder, file), writtenWaivers([...others, waiver]));
  const done = others.length < before.length ? 'renewed' : 'written';
  const use = callable(`covenant run --waivers ${file}`, console);
  console.stdout(`Waiver ${done}: ${file}. It holds until ${waiver.expires}, and only where it is named: ${use}\n`);
  return exitCodes.conformant;
}

export function addCompare(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  const command = program
    .command('compare <old> <new>')
    .description('say what changed between two runs; exits with 1 or 3 where something is worse');
  addFormat(command)
    .option('--waivers <file>', 'accepted failures, to hold against the newer run')
    .action((before: string, after: string, options: CompareOptions) =>
      finish(compareReports([before, after], options, console, parts)),
    );
}

export function addWaive(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('waive <requirement>')
    .description('accept a failure for a time; runs take it into account where --waivers names the file')
    .requiredOption('--reason <text>', 'why it is accepted')
    .requiredOption('--owner <name>', 'who sees to it that it can go')
    .requiredOption('--expires <date>', 'the last day on which it holds, as YYYY-MM-DD (UTC)')
    .option('--operation <operation>', 'only there, such as "GET /me"')
    .option('--link <url>', 'where it is tracked')
    .option('--file <file>', 'the file of waivers', waiversFile)
    .action((requirement: string, options: WaiveOptions) => finish(waive(requirement, options, console, parts)));
}
