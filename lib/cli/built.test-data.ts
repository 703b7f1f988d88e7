// The command as it is installed, built into a folder of its own, for tests that need a process.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Inside the project, where its packages are found; git knows the folder as one to ignore. */
const folder = resolve(`.covenant-${process.pid}`);

/** The program. */
export const builtMain = join(folder, 'lib/cli/main.js');

export function build(): void {
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json', '--outDir', folder], { stdio: 'inherit' });
  cpSync('schemas', join(folder, 'schemas'), { recursive: true });
}

export const removeBuild = (): void => rmSync(folder, { recursive: true, force: true });
