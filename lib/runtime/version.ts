// The suite's own package: its version, and where its other files are.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Compiled files lie one folder deeper than their sources. */
const folder =
  ['../../', '../../../'].find((path) => existsSync(new URL(`${path}package.json`, import.meta.url))) ?? '../../';
const manifest: { readonly version: string } = require(`${folder}package.json`);

/** The package's own folder. */
export const packageFolder = new URL(folder, import.meta.url);

export const version = manifest.version;
