// The laboratory's command line: one subject in full, as its user would see it.
import { expect, test } from 'vitest';
import { keptConsole } from '../lib/cli/trial.test-data.ts';
import { lab } from './cli.ts';

async function ran(...args: readonly string[]) {
  const { console, written } = keptConsole({ columns: 100, folder: '.' });
  return { code: await lab(args, console), text: written.text };
}

test('--mutant shows a mutant with the failure as a user sees it, and that it was judged as declared', async () => {
  const { code, text } = await ran('--mutant', 'member-delete-companies-id-notes-id-deleted-dropped');
  expect(text).toContain('notes-delete-result');
  expect(text).toMatch(/expected\s+true/);
  expect(text).toContain('DELETE /api/external/v2/companies/');
  expect(text).toContain('Judged exactly as declared.');
  expect(code).toBe(0);
});

test('--variant shows a variant, with the choice that it takes', async () => {
  const { code, text } = await ran('--variant', 'envelope-indented');
  expect(code).toBe(0);
  expect(text).toContain('JSON allows white space between tokens.');
});

test('--mutant shows a conditional mutant, with when it misbehaves and what a client sees of it', async () => {
  const { code, text } = await ran('--mutant', 'conditional-1-0');
  expect(code).toBe(0);
  expect(text).toMatch(/^conditional-1-0: [\w-]+, only where /m);
  expect(text).toMatch(/^Exchange \d+ of the long session: |^No lawful client sees a difference/m);
}, 300_000);

test('--random shows any randomised server by its seed', async () => {
  const { code, text } = await ran('--random', '4711');
  expect(code).toBe(0);
  expect(text).toContain('random-4711');
});

test.each([
  [['--mutant', 'notes-edit-is-lots'], 'There is no mutant notes-edit-is-lots; did you mean notes-edit-is-lost?'],
  [['--mutant', 'envelope-indented'], 'envelope-indented is a variant, not a mutant: use --variant envelope-indented.'],
  [['--variant', 'notes-edit-is-lost'], 'is a mutant, not a variant: use --mutant notes-edit-is-lost.'],
  [['--random', 'x'], '--random x is not a seed: give a whole number'],
  [['--mutant', 'a', '--random', '1'], 'Give only one of --mutant, --variant and --random.'],
  [['--area', 'notse'], 'No area is called "notse" (--area); did you mean notes? The areas are envelope,'],
  [['--area', 'notes,nothing'], 'No area is called "nothing" (--area)'],
  [['--only', 'no-such'], 'No subject has no-such in its name (--only); reports/lab.md lists all of them.'],
  [['--without', 'nothing'], 'No case has a title that begins with "nothing" (--without)'],
  [['--threads', 'none'], '--threads none is not possible: give a whole number from 1 to 999.'],
  [['--effort', 'some'], 'Allowed choices are quick, standard, thorough.'],
  [['--conditional', 'many'], '--conditional many is not possible: give a whole number from 1 to 99999.'],
  [['--conditional', '9', '--seed', 'x'], '--seed x is not a seed: give a whole number, or the word commit.'],
  [['--second-reading', 'some'], '--second-reading some is not possible: give a whole number from 1 to 99999.'],
  [['--mutants', 'x'], "unknown option '--mutants'"],
  [['notes'], 'too many arguments'],
])('%j is refused in one sentence, with exit code 2', async (args, sentence) => {
  const { code, text } = await ran(...args);
  expect(code).toBe(2);
  expect(text).toContain(sentence);
  expect(text).toMatch(/^lab: [^\n]+\n$/);
});

test('--help lists the options, with exit code 0', async () => {
  const { code, text } = await ran('--help');
  expect(code).toBe(0);
  expect(text).toContain('--area <names>');
});
