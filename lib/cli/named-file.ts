// Files that a person names: read whole, or one sentence that says why not.
import { access, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../configuration/settings.ts';
import { located } from './out-folder.ts';

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'is not there; check the path',
  ENOTDIR: 'is not there; a part of the path is a file',
  EACCES: 'may not be read by you; change its permissions',
  EPERM: 'may not be read by you; change its permissions',
  EISDIR: 'is a folder; name the file in it',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8 text; save it as UTF-8',
  ERR_STRING_TOO_LONG: 'is too large to be read',
};

/** Why a file cannot be read, and what to do, in one sentence. */
export function unreadable(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `${path} ${remedies[code] ?? `cannot be read (${code || String(error)})`}.`;
}

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
