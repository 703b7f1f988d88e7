// Files that a person names: read whole, or one sentence that says why not.
import { access, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../configuration/settings.ts';
import { unreadable } from '../runtime/disk.ts';
import { located } from './out-folder.ts';

async function read<T>(folder: string, path: string, decoded: (bytes: Uint8Array) => T): Promise<T> {
  try {
    return decoded(await readFile(resolve(folder, await located(folder, path))));
  } catch (error) {
    throw new UsageError(unreadable(path, error));
  }
}

/** @throws UsageError where the file cannot be read as UTF-8 text. */
export const namedFile = (folder: string, path: string): Promise<string> =>
  read(folder, path, (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes));

/** @throws UsageError where the file cannot be read. */
export const namedBytes = (folder: string, path: string): Promise<Uint8Array> => read(folder, path, (bytes) => bytes);

export const isThere = (folder: string, path: string): Promise<boolean> =>
  access(resolve(folder, path)).then(
    () => true,
    () => false,
  );
