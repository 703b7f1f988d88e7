// Writes reports: the folder is tried before a run begins, and no file is ever there half written.
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../configuration/settings.ts';
import type { RunResult } from '../result.ts';
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
    const text = redact(view.render(result, context));
    await writeWhole(path, text).catch((error: unknown) => {
      throw new NotWritten(path, error);
    });
    written.push(path);
  }
  return written;
}
