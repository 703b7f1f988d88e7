// Where the commands that speak with a target take their configuration from: flags, environment, `.env`, the product's file.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { at } from '../client/reply.ts';
import { UsageError } from '../configuration/settings.ts';
import type { RunFlags, Sources } from '../configuration/target.ts';
import { defined } from '../runtime/defined.ts';
import type { Console } from './console.ts';
import { envText, isThere, namedFile } from './named-file.ts';
import type { Parts } from './parts.ts';

export const productFile = 'covenant.product.json';

/** @throws UsageError where the file is there and is no JSON. */
async function declaredProfile(folder: string): Promise<Sources['profile']> {
  if (!(await isThere(folder, productFile))) return undefined;
  const text = await namedFile(folder, productFile);
  try {
    const profile = at(JSON.parse(text), 'profile');
    return profile === undefined ? undefined : { value: String(profile), where: `profile in ${productFile}` };
  } catch {
    throw new UsageError(`${productFile} is not JSON; mend it, or remove it.`);
  }
}

/** @throws UsageError where a `.env` or a product's file is there and cannot be read. */
export async function sourcesFrom(flags: RunFlags, console: Console, parts: Parts): Promise<Sources> {
  const envFile = await envText(console.folder);
  return {
    flags,
    environment: console.environment,
    ...defined({ envFile, profile: await declaredProfile(console.folder) }),
    readFile: (path) => readFileSync(resolve(console.folder, path), 'utf8'),
    freshSeed: parts.freshSeed(),
    requirements: parts.catalogue,
  };
}
