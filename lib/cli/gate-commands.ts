// The commands round a run: looking before it, cleaning up after it, showing and comparing results, waiving failures.
import type { Command } from 'commander';
import { waiversFile } from '../gate/waivers.ts';
import { views } from '../report/views.ts';
import { type CleanupOptions, cleanup } from './cleanup.ts';
import { type CompareOptions, compareReports } from './compare.ts';
import type { GuardedConsole } from './console.ts';
import { type DoctorOptions, doctor } from './doctor.ts';
import { explain } from './explain.ts';
import { addFormat } from './format.ts';
import { list } from './list.ts';
import { type MatrixOptions, matrix } from './matrix.ts';
import { type MergeOptions, merge } from './merge.ts';
import { type OnceMoreOptions, onceMore } from './once-more.ts';
import type { Parts } from './parts.ts';
import { type ReportOptions, report } from './report.ts';
import { type ShowOptions, showPage } from './show.ts';
import { addTargetOptions, profileHelp } from './target-options.ts';
import { type WaiveOptions, waive } from './waive.ts';

/** Takes the exit code of a command, or the promise of one. */
export type Finish = (code: number | Promise<number>) => Promise<void>;

export function addDoctor(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  const command = program
    .command('doctor')
    .description('check configuration and credentials with a handful of reads, and say what a run will test');
  addFormat(
    addTargetOptions(command)
      .option('--profile <name>', profileHelp)
      .option('--explain-config', 'say where each setting comes from, and send nothing'),
  ).action((options: DoctorOptions) => finish(doctor(options, console, parts)));
}

export function addReport(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('report <file>')
    .description('show the result of an earlier run again')
    .option(
      '--reporter <names>',
      `views to write, separated by commas: ${Object.keys(views).join(', ')}, script, or all`,
      list,
    )
    .option('--out <folder>', 'where they go; beside the file where it is left out')
    .option('--baseline <file>', 'an earlier report.json, to say what changed since')
    .action((file: string, options: ReportOptions) => finish(report(file, options, console, parts)));
}

export function addShow(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('show')
    .description('open the page of the last report in the browser, or print its path where there is none')
    .option('--out <folder>', 'where the report is', 'reports/')
    .action((options: ShowOptions) => finish(showPage(options, console, parts)));
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

export function addExplain(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('explain <requirement>')
    .description('say what a requirement means, what it needs, how the document is read, and what stands beside it')
    .action((requirement: string) => finish(explain(requirement, console, parts)));
}

export function addMatrix(program: Command, console: GuardedConsole, _: Parts, finish: Finish): void {
  program
    .command('matrix <files...>')
    .description('put the reports of several implementations, or releases, on one page')
    .option('--out <folder>', 'where matrix.html, matrix.md and matrix.json go', 'reports/')
    .action((files: readonly string[], options: MatrixOptions) => finish(matrix(files, options, console)));
}

export function addAgain(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('again <requirement>')
    .description('send what led to a failure anew, with fresh records and keys: FIXED, STILL or CANNOT')
    .option('--out <folder>', 'where the report is in which it failed', 'reports/')
    .option('--base-url <url>', 'the target, without /api/external/v2')
    .action((requirement: string, options: OnceMoreOptions) => finish(onceMore(requirement, options, console, parts)));
}

export function addMerge(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('merge <files...>')
    .description('join the reports of shards into one, with one verdict')
    .option('--out <folder>', 'where the joined report goes', 'reports/')
    .option(
      '--reporter <names>',
      `further reports, separated by commas: ${Object.keys(views).join(', ')}, or all`,
      list,
    )
    .option('--baseline <file>', 'an earlier report.json, to say what changed since')
    .option('--waivers <file>', 'accepted failures, which let the gate pass and change no verdict')
    .option('--allow-incomplete', 'exit with 0 when nothing failed, even if something was not tested')
    .option('--quiet', 'print nothing but errors')
    .action((files: readonly string[], options: MergeOptions) => finish(merge(files, options, console, parts)));
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

export function addCleanup(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  const command = program
    .command('cleanup')
    .description('take back what an interrupted run left behind, from its ledger');
  addTargetOptions(command)
    .option('--out <folder>', 'where reports go, and ledgers with them', 'reports/')
    .option('--force', 'also where the run seems to be under way')
    .action((options: CleanupOptions) => finish(cleanup(options, console, parts)));
}
