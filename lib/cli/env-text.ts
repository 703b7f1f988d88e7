// Reads the `.env` of the working directory: absent is fine, unreadable is not.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../configuration/settings.ts';

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
