// What a run leaves in its folder: its own reports, and none beside them that another run wrote; the last whole run is kept.
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../report/context.ts';
import { scriptsIn, writeReports } from '../report/folder.ts';
import { readReport } from '../report/read.ts';
import { chosenReporters, type View } from '../report/views.ts';
import type { Report, RunResult } from '../result.ts';
import type { GuardedConsole } from './console.ts';
import { envelopePath, evidenceName } from './evidence-file.ts';
import { lastWhole } from './out-folder.ts';

const reportName = 'report.json';
/** What goes with a report where that is kept. */
const evidence = [evidenceName, envelopePath(evidenceName)];

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

/** By what a view of Covenant is known from a file of another program that has its name. */
const marks: Readonly<Record<string, string>> = {
  'report.html': 'name="generator" content="covenant',
  'junit.xml': 'package="covenant"',
  'summary.md': ' Covenant: ',
};
const scriptFolder = 'failures';

/** What an earlier run wrote there beside its report. */
async function viewsIn(folder: string, scripts: readonly string[]): Promise<readonly View[]> {
  const found: View[] = [];
  for (const view of chosenReporters(['all'], [])) {
    const mark = marks[view.file];
    const text = mark === undefined ? '' : await readFile(join(folder, view.file), 'utf8').catch(() => '');
    if (view.file === scriptFolder ? scripts.length > 0 : mark && text.includes(mark)) found.push(view);
  }
  return found;
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
  folder: string,
  result: RunResult,
  chosen: readonly View[],
  context: Context,
  console: GuardedConsole,
): Promise<string[]> {
  const before = await reportIn(folder);
  const scripts = await scriptsIn(join(folder, scriptFolder), [result.report, ...(before ? [before] : [])]);
  const there = await viewsIn(folder, scripts);
  if (isWhole(result.report)) {
    if (await reportIn(join(folder, lastWhole))) await rm(join(folder, lastWhole), { recursive: true });
  } else if (before && isWhole(before)) {
    await keep([reportName, ...there.map(({ file }) => file), ...evidence], folder);
  }
  for (const script of scripts) await rm(join(folder, scriptFolder, script), { force: true });
  return writeReports(folder, result, [...new Set([...chosen, ...there])], context, console.redact);
}
