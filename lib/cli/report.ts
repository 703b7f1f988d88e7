// `covenant report`, `merge`, `show` and `matrix`: results that are already there, shown on the terminal, in the browser, and written in the views that are asked for.
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { isCi } from '../configuration/settings-sources.ts';
import { changes } from '../gate/changes.ts';
import { exitCode, exitCodes } from '../gate/exit-code.ts';
import { merged } from '../gate/merge.ts';
import { prepareFolder, writeReports } from '../report/folder.ts';
import { MatrixBuilder, matrixPage } from '../report/matrix/matrix.ts';
import { readReport } from '../report/read.ts';
import { changed } from '../report/terminal/summary.ts';
import { terminal } from '../report/terminal.ts';
import { chosenReporters, type View, views } from '../report/views.ts';
import { type Again, failedAt, hostOf } from '../report/wording.ts';
import type { Report } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { documentText } from '../schema/schema.ts';
import { lastReport } from './again.ts';
import { againFrom, type Console, callable, type GuardedConsole, quoted, styleOf } from './console.ts';
import { baselineFrom, type GateOptions, gated, gateFrom } from './gate.ts';
import { type Finish, list } from './options.ts';
import { located, namedFile, writeAll, writeRun } from './out-folder.ts';
import type { Parts } from './parts.ts';

interface ReportOptions {
  readonly reporter?: readonly string[];
  /** Beside the file where absent. */
  readonly out?: string;
  readonly baseline?: string;
}

/**
 * Shows, and says the exit code: 0, whatever the verdict of the run was.
 * @throws UsageError on a file that is not a report, and on a reporter that is not known.
 */
async function report(file: string, options: ReportOptions, console: GuardedConsole, parts: Parts): Promise<number> {
  const reporters = chosenReporters(options.reporter ?? [], []);
  const path = await located(console.folder, file);
  const out = resolve(console.folder, options.out ?? dirname(path));
  const found = readReport(await namedFile(console.folder, path), file);
  const baseline = options.baseline === undefined ? undefined : await baselineFrom(options.baseline, console);
  await show(found, { file: path, reporters, out, baseline }, console, parts);
  return exitCodes.conformant;
}

interface MergeOptions extends GateOptions {
  readonly reporter?: readonly string[];
  readonly out: string;
  readonly allowIncomplete?: boolean;
  readonly quiet?: boolean;
}

/**
 * Joins, shows and says the exit code.
 * @throws UsageError on a file that is not the report of a shard, and on shards that do not belong together.
 */
async function merge(
  files: readonly string[],
  options: MergeOptions,
  console: GuardedConsole,
  parts: Parts,
): Promise<number> {
  const reporters = chosenReporters(options.reporter ?? []);
  const out = resolve(console.folder, options.out);
  const gate = await gateFrom(options, console, parts);
  const named = [];
  for (const file of files) named.push({ file, report: readReport(await namedFile(console.folder, file), file) });
  const joined = merged(named, options.allowIncomplete);
  const { report } = gated({ report: joined, transcript: joined.exchanges }, gate, parts.clock.now());
  const { quiet } = options;
  for (const notice of quiet ? [] : gate.notices) console.stderr(`note: ${notice}\n`);
  await show(report, { reporters, out, baseline: gate.baseline, quiet }, console, parts);
  return exitCode(report, { interrupted: false });
}

interface Showing {
  /** The file that it is from; absent where it is written now. */
  readonly file?: string;
  readonly reporters: readonly View[];
  readonly out: string;
  readonly baseline?: Report | undefined;
  readonly quiet?: boolean | undefined;
}

/** A log of a service may be cut where it is long, and nobody reads the thirtieth failure there in full. */
const wholeInCi = 10;

/** A result as text for people; `path` is where its report.json is. */
export function shown(
  { report, path }: { readonly report: Report; readonly path: string },
  again: Again,
  console: GuardedConsole,
  { rulings }: Parts,
): string {
  const ruling = (id: string): string | undefined => rulings[id]?.ruling;
  const reader = { ruling, again, ...(isCi(console.environment) && { whole: wholeInCi }) };
  const text = terminal(report, reader, styleOf(console));
  const named = text.replaceAll(/(?<=\bin\s+|\bcovenant report )report\.json\b/g, relative(console.folder, path));
  return callable(`${named}\n`, console);
}

/** Rejects with a UsageError, before anything is shown, where the folder cannot be written to. */
async function show(
  report: Report,
  { file, reporters, out, baseline, quiet }: Showing,
  console: GuardedConsole,
  parts: Parts,
): Promise<void> {
  if (reporters.length > 0) {
    await prepareFolder(
      out,
      reporters.map(({ file }) => file),
    );
  }
  const style = styleOf(console);
  const say = quiet ? () => {} : console.stdout;
  const again = againFrom(console, report);
  const path = file ?? join(out, 'report.json');
  say(shown({ report, path: resolve(console.folder, path) }, again, console, parts));
  if (baseline) say(callable(`${changed(changes(baseline, report), baseline, report, style).join('\n')}\n\n`, console));
  if (reporters.length === 0) return;
  // The exchanges that the report kept are all that is left of the transcript.
  const result = { report, transcript: report.exchanges };
  const context = { rulings: parts.rulings, again, ...defined({ baseline }) };
  const isRun = reporters.some((view) => view.file === 'report.json');
  const written = isRun
    ? await writeRun(out, result, reporters, context, console)
    : await writeReports(out, result, reporters, context, console.redact);
  say(written.map((path) => `Written: ${path}\n`).join(''));
}

interface ShowOptions {
  readonly out: string;
}

/** The line that leads to the page, at its first failure, and on a terminal the command; empty where there is neither. */
export function pageLink(written: readonly string[], report: Report, out: string, console: Console): string {
  const page = written.find((path) => basename(path) === views.html.file);
  const [first] = [...failedAt(report, 'must'), ...failedAt(report, 'should')];
  if (page === undefined || first === undefined) return '';
  const link = `Look at: ${pathToFileURL(page).href}#${first.id}\n`;
  if (!console.stdoutIsTerminal) return link;
  const folder = relative(console.folder, out);
  const named = folder === 'reports' ? '' : ` --out ${quoted(folder || '.')}`;
  return `${link}${callable(`     or: covenant show${named}\n`, console)}`;
}

/**
 * Opens it and says the exit code: 0, whatever the verdict of the run was.
 * @throws UsageError where there is no report.
 */
async function showPage({ out }: ShowOptions, console: GuardedConsole, { rulings }: Parts): Promise<number> {
  const { path, report } = await lastReport(out, console);
  const folder = dirname(resolve(console.folder, path));
  const page = join(folder, views.html.file);
  // It is written only where something failed, or where it is asked for.
  if (!(await readFile(page, 'utf8').catch(() => '')).includes(report.run.id)) {
    const context = { rulings, again: againFrom(console, report) };
    await writeReports(folder, { report, transcript: report.exchanges }, [views.html], context, console.redact);
  }
  const opens = await console.open?.(page);
  console.stdout(`${opens ? 'Opening: ' : ''}${page}\n`);
  return exitCodes.conformant;
}

export function addReport(program: Command, console: GuardedConsole, parts: Parts, finish: Finish): void {
  program
    .command('report <file>')
    .description('show the result of an earlier run again')
    .option('--reporter <names>', `views to write, separated by commas: ${Object.keys(views).join(', ')}, or all`, list)
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

interface MatrixOptions {
  readonly out: string;
}

/** By host; where several reports are of one, also by the moment of the run and the number of the report. */
function namesOf(hosts: readonly string[], moments: readonly string[]): readonly string[] {
  const names = hosts.map((host, index) =>
    hosts.filter((one) => one === host).length === 1 ? host : `${host} ${moments[index]?.slice(0, 16) ?? ''}`,
  );
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name} (${index + 1})`));
}

/**
 * Writes the matrix and says the exit code: 0, whatever the verdicts are.
 * @throws UsageError on a file that is not a report.
 */
async function matrix(files: readonly string[], options: MatrixOptions, console: GuardedConsole): Promise<number> {
  const builder = new MatrixBuilder();
  for (const file of files) {
    const report = readReport(await namedFile(console.folder, file), file);
    builder.add(report, hostOf(report));
  }
  const found = builder.build();
  const names = namesOf(
    found.columns.map(({ name }) => name),
    found.columns.map(({ at }) => at),
  );
  const named = { ...found, columns: found.columns.map((column, index) => ({ ...column, name: names[index] ?? '' })) };
  const folder = resolve(console.folder, options.out);
  const texts = {
    'matrix.html': matrixPage(named),
    'matrix.json': documentText('matrix', named, 0),
  };
  await writeAll(folder, texts, console);
  return exitCodes.conformant;
}

export function addMatrix(program: Command, console: GuardedConsole, _: Parts, finish: Finish): void {
  program
    .command('matrix <files...>')
    .description('put the reports of several implementations, or releases, on one page')
    .option('--out <folder>', 'where matrix.html and matrix.json go', 'reports/')
    .action((files: readonly string[], options: MatrixOptions) => finish(matrix(files, options, console)));
}
