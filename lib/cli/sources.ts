// Where the commands that speak with a target take their configuration from: flags, environment, `.env`.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../configuration/settings.ts';
import type { RunFlags, Sources } from '../configuration/target.ts';
import { defined } from '../runtime/defined.ts';
import type { Console } from './console.ts';
import { envText } from './env-text.ts';
import { unreadable } from './named-file.ts';
import type { Parts } from './parts.ts';

function textOf(folder: string, path: string): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (error) {
    throw new UsageError(unreadable(path, error));
  }
}

/** @throws UsageError where a `.env` is there and cannot be read. */
export async function sourcesFrom(flags: RunFlags, console: Console, parts: Parts): Promise<Sources> {
  const envFile = await envText(console.folder);
  return {
    flags,
    environment: console.environment,
    ...defined({ envFile }),
    readFile: (path) => textOf(console.folder, path),
    freshSeed: parts.freshSeed(),
    requirements: parts.catalogue,
  };
}
