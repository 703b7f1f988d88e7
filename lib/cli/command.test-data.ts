// The real command line in a folder of its own, for tests.

import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compose } from './compose.ts';
import { keptConsole } from './console.test-data.ts';
import type { Console } from './console.ts';
import { covenant } from './program.ts';

/** What it printed, stdout and stderr together as a person sees them, and each for itself. */
export async function command(folder: string, words: readonly string[], environment: Console['environment'] = {}) {
  const { console, written } = keptConsole({ environment, folder });
  return { code: await covenant(words, console, compose()), ...written };
}

/** Inside the project, where its packages are found; git knows the folder as one to ignore. */
const folder = resolve(`.covenant-${process.pid}`);

/** The program. */
export const builtMain = join(folder, 'lib/cli/main.js');

export function build(): void {
  // Types are checked elsewhere.
  const options = ['-p', 'tsconfig.build.json', '--noCheck', '--declaration', 'false', '--outDir', folder];
  execFileSync('npx', ['tsc', ...options], { stdio: 'inherit' });
  cpSync('schemas', join(folder, 'schemas'), { recursive: true });
}

export const removeBuild = (): void => rmSync(folder, { recursive: true, force: true });
