// What a run leaves in its folder: its own reports, and none beside them that another run wrote; the last whole run is kept.
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from '../report/context.ts';
import { makeFolder, writeReports } from '../report/folder.ts';
import { readReport } from '../report/read.ts';
import { chosenReporters } from '../report/reporters.ts';
import { scripts } from '../report/scripts.ts';
import { type View, views } from '../report/views.ts';
import { failedAt } from '../report/wording.ts';
import type { Report, RunResult } from '../result.ts';
import type { GuardedConsole } from './console.ts';
import { lastWhole, type OutFolder, pointTo } from './out-folder.ts';

const reportName = 'report.json';
/** What goes with a report where that is kept. */
const evidence = ['evidence.jsonl.gz', 'evidence.dsse.json'];

/** Everything was selected, and the run came to its end: what other runs are held against. */
export const isWhole = ({ verdict, run: { decided, options } }: Report): boolean =>
  verdict !== 'aborted' &&
  decided === undefined &&
  options.area === null &&
  options.requirement === null &&
  !options.read_only &&
  options.exhaustion &&
  options.shard === undefined;

async function reportIn(folder: string): Promise<Report | undefined> {
  try {
    return readReport(await readFile(join(folder, reportName), 'utf8'), folder);
  } catch {
    // None, or none of ours, which is simply replaced.
    return undefined;
  }
}

/** Whether the run of this report wrote the view; a file of the same name may be of another program. */
async function isOf(report: Report, view: View, folder: string): Promise<boolean> {
  const path = join(folder, view.file);
  const rendered = () => view.render({ report, transcript: report.exchanges });
  const names = await readdir(path).catch(() => undefined);
  const text = names ? undefined : await readFile(path, 'utf8').catch(() => undefined);
  if (text !== undefined) return text.includes(report.run.id) || text === rendered();
  const files = names ? rendered() : '';
  return typeof files !== 'string' && (names ?? []).some((name) => files.has(name));
}

async function viewsOf(report: Report, folder: string): Promise<readonly View[]> {
  const found: View[] = [];
  for (const view of chosenReporters(['all'], []))
    if (view.file !== reportName && (await isOf(report, view, folder))) found.push(view);
  return found;
}

/** Those of requirements that this run does not ask for would stay otherwise. */
async function withoutScripts(report: Report, folder: string): Promise<void> {
  const names = scripts({ report, transcript: report.exchanges }).keys();
  for (const name of names) await rm(join(folder, 'failures', name), { force: true });
}

/** Moves what the whole run wrote out of the way of one that is not; a folder of that name that is not ours stays. */
async function keep(files: readonly string[], folder: string): Promise<void> {
  const kept = join(folder, lastWhole);
  if (await reportIn(kept)) await rm(kept, { recursive: true });
  const made = await mkdir(kept).then(
    () => true,
    () => false,
  );
  if (!made) return;
  for (const file of files) await rename(join(folder, file), join(kept, file)).catch(() => {});
}

/** Writes the reports and says where they are. Views of the run before are written anew, or go with it. */
export async function writeRun(
  out: OutFolder,
  result: RunResult,
  chosen: readonly View[],
  context: Context,
  console: GuardedConsole,
): Promise<string[]> {
  const folder = out.of(result.report);
  if (folder !== out.base) await makeFolder(folder);
  const before = await reportIn(folder);
  const there = before ? await viewsOf(before, folder) : [];
  if (isWhole(result.report)) {
    if (folder !== out.base) await pointTo(out.base, folder, lastWhole);
    else if (await reportIn(join(folder, lastWhole))) await rm(join(folder, lastWhole), { recursive: true });
  } else if (before && isWhole(before)) {
    await keep([reportName, ...there.map(({ file }) => file), ...evidence], folder);
  }
  if (before) await withoutScripts(before, folder);
  return writeReports(folder, result, [...new Set([...chosen, ...there])], context, console.redact);
}

/** The line that opens the page at its first failure; empty where there is neither. */
export function pageLink(written: readonly string[], report: Report): string {
  const page = written.find((path) => basename(path) === views.html.file);
  const [first] = [...failedAt(report, 'must'), ...failedAt(report, 'should')];
  return page === undefined || first === undefined ? '' : `Look at: ${pathToFileURL(page).href}#${first.id}\n`;
}

/** Where every run has a folder of its own, a line that says how the last one is found. */
export async function pointer({ base }: OutFolder, folder: string): Promise<string> {
  if (folder === base) return '';
  const path = await pointTo(base, folder);
  return path === undefined
    ? `Note: ${join(base, 'latest')} is not of Covenant, so it was not made to lead to this run.\n`
    : `Latest: ${path}\n`;
}
