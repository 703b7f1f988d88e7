// The last step of `npm run check`: of the tests that what changed reaches the nearest, since origin/main, or since the last commit where there is none.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';

/** Nearly every test reaches the catalogue: more of them than this take longer than one waits for; `npm test` runs them all. */
const mostFiles = 10;

const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);
const found = spawnSync('git', ['rev-parse', '--verify', '--quiet', 'origin/main']).status === 0;
const others = git('ls-files', '--others', '--exclude-standard');
const changed = [...git('diff', '--name-only', found ? 'origin/main' : 'HEAD'), ...others];

const importers = new Map();
for (const file of [...git('ls-files'), ...others]) {
  if (!/\.m?[jt]s$/.test(file) || !existsSync(file)) continue;
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const imported = join(file, '..', path);
    importers.set(imported, [...(importers.get(imported) ?? []), file]);
  }
}

/** How many imports lie between a file and the nearest that changed. */
const distances = new Map(changed.map((file) => [file, 0]));
for (const [file, distance] of distances)
  for (const importer of importers.get(file) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);

const vitest = await createVitest('test', { run: true, project: ['ourselves'] });
const distanceOf = ({ moduleId }) => distances.get(relative(import.meta.dirname, moduleId));
const reached = (await vitest.globTestSpecifications()).filter((one) => distanceOf(one) !== undefined);
reached.sort((one, other) => distanceOf(one) - distanceOf(other) || (one.moduleId < other.moduleId ? -1 : 1));
await vitest.close();
const program = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', import.meta.url));
const near = reached.slice(0, mostFiles).map(({ moduleId }) => moduleId);
const words = [program, 'run', '--project', 'ourselves', ...near];
if (near.length > 0) process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
const left = reached.length - near.length;
if (left > 0) process.stdout.write(`Not run: ${left} more test files that what changed reaches; npm test runs them.\n`);
