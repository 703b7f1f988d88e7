// Where the commands that speak with a target take their configuration from: flags, environment, `.env`.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RunFlags, Sources } from '../configuration/target.ts';
import { defined } from '../runtime/defined.ts';
import type { Console } from './console.ts';
import { envText } from './env-text.ts';
import type { Parts } from './parts.ts';

/** @throws UsageError where a `.env` is there and cannot be read. */
export async function sourcesFrom(flags: RunFlags, console: Console, parts: Parts): Promise<Sources> {
  const envFile = await envText(console.folder);
  return {
    flags,
    environment: console.environment,
    ...defined({ envFile }),
    readFile: (path) => readFileSync(resolve(console.folder, path), 'utf8'),
    freshSeed: parts.freshSeed(),
    requirements: parts.catalogue,
  };
}
