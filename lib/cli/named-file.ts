// Reads files that the person named, and the `.env` of the working directory, with one sentence for each reason why it cannot.
import { access, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
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

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'may not be read by you; change its permissions',
  EPERM: 'may not be read by you; change its permissions',
  EISDIR: 'is a folder; remove it or put a file in its place',
};

/** @throws UsageError where the file is there and cannot be read as UTF-8 text. */
export async function envText(folder: string): Promise<string | undefined> {
  const path = join(folder, '.env');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') return undefined;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new UsageError(`${path} is not UTF-8 text; save it as UTF-8.`);
    throw new UsageError(`${path} ${remedies[code] ?? `cannot be read (${code || String(error)})`}.`);
  }
}
