// Where files are: the folder of reports, and files that the person named, with one sentence for each reason why one cannot be read.
import { access, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../configuration/settings.ts';
import { prepareFolder, writeWhole } from '../report/folder.ts';
import { codeOf, unreadable } from '../runtime/disk.ts';
import type { GuardedConsole } from './console.ts';

/** In the folder of reports: the files of the last whole run, where a later one was not whole. */
export const lastWhole = 'last-whole';

/** Where a file is: at its path, or else among those of the last whole run. A path that leads nowhere stays as it is. */
export async function located(folder: string, path: string): Promise<string> {
  const kept = join(dirname(path), lastWhole, basename(path));
  return !(await isThere(folder, path)) && (await isThere(folder, kept)) ? kept : path;
}

const utf8 = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

async function read<T>(folder: string, path: string, decoded: (bytes: Uint8Array) => T): Promise<T> {
  try {
    return decoded(await readFile(resolve(folder, await located(folder, path))));
  } catch (error) {
    throw new UsageError(unreadable(path, error));
  }
}

/** @throws UsageError where the file cannot be read as UTF-8 text. */
export const namedFile = (folder: string, path: string): Promise<string> => read(folder, path, utf8);

/** @throws UsageError where the file cannot be read. */
export const namedBytes = (folder: string, path: string): Promise<Uint8Array> => read(folder, path, (bytes) => bytes);

export const isThere = (folder: string, path: string): Promise<boolean> =>
  access(resolve(folder, path)).then(
    () => true,
    () => false,
  );

/** @throws UsageError where the file is there and cannot be read as UTF-8 text. */
export async function envText(folder: string): Promise<string | undefined> {
  const path = join(folder, '.env');
  try {
    return utf8(await readFile(path));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder; remove it or put a file in its place.`);
    throw new UsageError(unreadable(path, error));
  }
}

/**
 * Writes these texts by the names of their files, and says where they are.
 * @throws UsageError where the folder cannot be written to.
 */
export async function writeAll(
  folder: string,
  texts: Readonly<Record<string, string>>,
  console: GuardedConsole,
): Promise<void> {
  await prepareFolder(folder, Object.keys(texts));
  for (const [name, text] of Object.entries(texts)) {
    await writeWhole(join(folder, name), console.redact(text));
    console.stdout(`Written: ${join(folder, name)}\n`);
  }
}
