// Writes reports: the folder is tried before a run begins, and no file is ever there half written.
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../configuration/settings.ts';
import type { Report, RunResult } from '../result.ts';
import { explain, NotWritten } from '../runtime/disk.ts';
import type { View } from './views.ts';
import type { Context } from './wording.ts';

/** The whole file or none: written beside its place, then moved there. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}.part`;
  try {
    await writeFile(beside, text);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Step by step: where no folder can be made, as in /proc, making all at once would never end. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  if (made === undefined || (made.code === 'EEXIST' && (await stat(folder)).isDirectory())) return;
  if (made.code !== 'ENOENT' || dirname(folder) === folder) throw made;
  await makeFolder(dirname(folder));
  await mkdir(folder);
}

/**
 * Makes the folder and shows that files can be written into it.
 * @throws UsageError where they cannot.
 */
export async function prepareFolder(folder: string, files: readonly string[]): Promise<void> {
  const probe = join(folder, `.covenant-${process.pid}.part`);
  try {
    for (const file of files) {
      await makeFolder(dirname(join(folder, file)));
      const found = await stat(join(folder, file)).catch(() => undefined);
      if (found?.isDirectory() && file.includes('.')) throw Object.assign(new Error(file), { code: 'EISDIR' });
    }
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw new UsageError(`No report can be written to ${folder}: ${explain(error)}; choose another folder with --out.`);
  }
}

/** The scripts in a folder that are of requirements of these reports; other files there are not ours. */
export async function scriptsIn(path: string, reports: readonly Report[]): Promise<readonly string[]> {
  const ids = new Set(reports.flatMap(({ requirements }) => requirements.map(({ id }) => id)));
  const names = await readdir(path).catch(() => []);
  return names.filter((name) => ids.has(name.replace(/(?:-\d+)?\.sh$/, '')));
}

/** What an earlier run wrote there of the same requirements is gone afterwards. */
async function writeFolder(
  path: string,
  files: ReadonlyMap<string, string>,
  report: Report,
  redact: (text: string) => string,
): Promise<void> {
  for (const name of await scriptsIn(path, [report])) await rm(join(path, name));
  if (files.size === 0) return;
  await mkdir(path, { recursive: true });
  for (const [name, text] of files) await writeWhole(join(path, name), redact(text));
}

/** Writes every report and says where they are; `redact` takes out what must not be written. */
export async function writeReports(
  folder: string,
  result: RunResult,
  chosen: readonly View[],
  context: Context,
  redact: (text: string) => string,
): Promise<string[]> {
  const written: string[] = [];
  for (const view of chosen) {
    const path = join(folder, view.file);
    const rendered = view.render(result, context);
    try {
      if (typeof rendered === 'string') await writeWhole(path, redact(rendered));
      else await writeFolder(path, rendered, result.report, redact);
    } catch (error) {
      throw new NotWritten(path, error);
    }
    if (typeof rendered === 'string' || rendered.size > 0) written.push(path);
  }
  return written;
}
