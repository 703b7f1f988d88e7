// The last step of `npm run check`: the tests of what changed since origin/main, or since the last commit where there is none.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const found = spawnSync('git', ['rev-parse', '--verify', '--quiet', 'origin/main']).status === 0;
const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', import.meta.url));
const words = [
  vitest,
  'run',
  '--project',
  'ourselves',
  '--passWithNoTests',
  '--changed',
  found ? 'origin/main' : 'HEAD',
];
process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
