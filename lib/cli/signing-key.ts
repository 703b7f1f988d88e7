// The key to sign with: from a file that nobody else may read, or from COVENANT_SIGNING_KEY.
import type { KeyObject } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnvFile } from '../configuration/env-file.ts';
import { UsageError } from '../configuration/settings.ts';
import { variableLookup } from '../configuration/settings-sources.ts';
import { privateKeyFrom } from '../evidence/keys.ts';
import type { GuardedConsole } from './console.ts';
import { envText } from './env-text.ts';
import { namedFile } from './named-file.ts';

const othersMayRead = 0o077;

async function keyInFile(path: string, { folder }: GuardedConsole): Promise<KeyObject> {
  const pem = await namedFile(folder, path);
  const { mode } = await stat(resolve(folder, path));
  // Windows keeps no such mode.
  if (process.platform !== 'win32' && (mode & othersMayRead) !== 0) {
    throw new UsageError(`The key in ${path} may be read by others than you; chmod 600 ${path}, or make a new one.`);
  }
  return privateKeyFrom(pem, path);
}

/**
 * `named`: the file that --sign or --key names, or true where it names none.
 * @throws UsageError where there is no key, or none that may be used.
 */
export async function signingKey(named: string | true, console: GuardedConsole): Promise<KeyObject> {
  if (named !== true) return keyInFile(named, console);
  const found = variableLookup(
    console.environment,
    parseEnvFile((await envText(console.folder)) ?? ''),
  )('COVENANT_SIGNING_KEY');
  if (found === undefined) {
    throw new UsageError('No key to sign with; name its file, or put it into COVENANT_SIGNING_KEY.');
  }
  return privateKeyFrom(found.value, found.where);
}
