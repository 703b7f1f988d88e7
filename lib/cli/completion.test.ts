// The generated completion, in a real bash; in zsh and fish as far as they are installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trial } from './trial.test-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'covenant-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    writeFileSync(join(folder, shell), (await trial(['completion', shell])).out);
  }
});

/** What bash offers for the last word. */
function offered(...words: string[]): readonly string[] {
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _covenant; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', script, 'bash', join(folder, 'bash'), ...words], { encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

test.each<[string[], string[]]>([
  [
    ['covenant', 'c'],
    ['cleanup', 'compare', 'certificate', 'completion'],
  ],
  [['covenant', '--eff'], ['--effort']],
  [['covenant', '--effort', 't'], ['thorough']],
  [['covenant', 'run', '--area', 'bill'], ['billing']],
  [['covenant', 'run', '--area', 'notes,bill'], ['notes,billing']],
  [['covenant', 'run', '--reporter', 'html,junit,b'], ['html,junit,badge']],
  [['covenant', 'run', '--requirement', 'notes-'], ['notes-order']],
  [['covenant', 'explain', 'billing-'], ['billing-summary-scope']],
  [['covenant', 'requirements', '--level', 'must,o'], ['must,observe']],
  [
    ['covenant', 'compare', '--format', ''],
    ['text', 'json'],
  ],
  [['covenant', 'serve', '--p'], ['--port']],
  [
    ['covenant', 'completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  // Nothing is offered where bash itself is to offer files.
  [['covenant', 'report', 'rep'], []],
  [['covenant', 'run', '--baseline', 'rep'], []],
])('bash: %j', (words, expected) => {
  expect([...offered(...words)].sort()).toEqual([...expected].sort());
});

const installed = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;

test.each(['bash', 'zsh', 'fish'])('%s accepts the script', (shell) => {
  // The others are read as text where they are not installed: every option stands in them.
  if (!installed(shell)) return expect(readFileSync(join(folder, shell), 'utf8')).toContain('max-minutes');
  const { status, stderr } = spawnSync(shell, ['-n', join(folder, shell)], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
