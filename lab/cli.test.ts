// The laboratory's command line: one subject in full, as its user would see it.
import { expect, test } from 'vitest';
import type { Console } from '../lib/cli/console.ts';
import { lab } from './cli.ts';

function listening() {
  const said: string[] = [];
  const console: Console = {
    stdout: (text) => said.push(text),
    stderr: (text) => said.push(text),
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    columns: 100,
    environment: {},
    folder: '.',
    onStop: () => () => {},
    leave: () => {},
  };
  return { console, text: () => said.join('') };
}

test('shows a mutant with the failure as a user sees it, and that it was judged as declared', async () => {
  const { console, text } = listening();
  const code = await lab(['--mutant', 'member-delete-companies-id-notes-id-deleted-dropped'], console);
  expect(text()).toContain('notes-delete-result');
  expect(text()).toMatch(/expected\s+true/);
  expect(text()).toContain('DELETE /api/external/v2/companies/');
  expect(text()).toContain('Judged exactly as declared.');
  expect(code).toBe(0);
});

test('shows a variant, with the choice that it takes', async () => {
  const { console, text } = listening();
  expect(await lab(['--variant', 'envelope-indented'], console)).toBe(0);
  expect(text()).toContain('White space between tokens is JSON.');
});

test('shows any randomised server by its seed', async () => {
  const { console, text } = listening();
  expect(await lab(['--random', '4711'], console)).toBe(0);
  expect(text()).toContain('random-4711');
});

test.each([
  ['--mutant', 'no-such'],
  ['--only', 'no-such'],
  ['--threads', 'none'],
])('says what it does not know, and where to look: %s %s', async (...args) => {
  const { console, text } = listening();
  expect(await lab(args, console)).toBe(2);
  expect(text()).toContain(args[1]);
  expect(text()).toContain('reports/lab.md');
});
