// The suite's own version, from its package.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Compiled files lie one folder deeper than their sources. */
const folder =
  ['../../', '../../../'].find((path) => existsSync(new URL(`${path}package.json`, import.meta.url))) ?? '../../';
const manifest: { readonly version: string } = require(`${folder}package.json`);

export const version = manifest.version;
