// The pages: links lead somewhere, commands and options exist, and the failure in the README is one that Covenant prints.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSettings, examine } from '../lab/examine.ts';
import { mutants } from '../lab/mutants/index.ts';
import { command } from '../lib/cli/trial.test-data.ts';
import { styled } from '../lib/report/terminal/layout.ts';
import { terminal } from '../lib/report/terminal.ts';
import { select } from '../lib/run/selection.ts';
import { suites } from '../suites/index.ts';

const docs = readdirSync('docs').map((name) => `docs/${name}`);
const pages = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs];
const text = (page: string): string => readFileSync(page, 'utf8');
const withoutCode = (page: string): string => text(page).replaceAll(/^```.*?^```$/gms, '');

/** The anchors that GitHub gives the headings of a page. */
const anchors = (page: string): string[] =>
  [...withoutCode(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

test.each(pages)('every link of %s leads somewhere', (page) => {
  const links = [...withoutCode(page).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  const dead = links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    return !/^https?:/.test(link) && !(existsSync(file) && (anchor === undefined || anchors(file).includes(anchor)));
  });
  expect(dead).toEqual([]);
});

test('the README is short, and leads to every page', () => {
  expect(text('README.md').split('\n').length).toBeLessThanOrEqual(120);
  expect(docs.filter((page) => !text('README.md').includes(`](${page}`))).toEqual([]);
});

test.each(pages)('the commands and options in %s exist', async (page) => {
  const calls = text(page)
    .replaceAll('\\\n', '')
    .matchAll(/npx (?:--no-install )?covenant(?: ([a-z]+))?([^`#\n]*)/g);
  const unknown: string[] = [];
  for (const [call, name = 'run', rest = ''] of calls) {
    const help = (await command('.', [name, '--help'])).text;
    const options = rest.matchAll(/(?<= )--[a-z][\w-]*/g);
    const missing = [...options].filter(([option]) => !new RegExp(`${option}(?![\\w-])`).test(help));
    if (!help.includes(`covenant ${name}`) || missing.length > 0) unknown.push(call);
  }
  expect(unknown).toEqual([]);
});

test('the failure in the README is printed as it stands there', async () => {
  const wrap = mutants.find(({ id }) => id === 'notes-delete-tells-text')?.wrap;
  if (!wrap) throw new Error('there is no such mutant');
  const requirement = 'notes-delete-result';
  const { report } = await examine({ wrap, settings: { requirements: [requirement], effort: 'quick' } });
  const again = (id: string, seed: number) =>
    `npx covenant run --base-url http://127.0.0.1:4010 --requirement ${id} --seed ${seed}`;
  const printed = terminal(report, { ruling: () => undefined, again }, styled(false));
  const alike = (lines: string): string => lines.replaceAll(/req_\w+/g, 'req_').replaceAll(/\/\d+/g, '/0');
  const shown = /```text\n(.*?)```/s.exec(text('README.md'))?.[1] ?? '';
  for (const part of shown.split('    [...]\n')) expect(alike(printed)).toContain(alike(part));
});

test('a quick run leaves out as many questions as its page says, and no requirement that is judged', () => {
  const selectionAt = (effort: 'quick' | 'standard') => select(suites, { ...defaultSettings, effort });
  const [quick, standard] = [selectionAt('quick'), selectionAt('standard')];
  const left = [...standard.ids].filter((id) => !quick.ids.has(id));
  expect(text('docs/running.md')).toContain(`It leaves out ${left.length} questions`);
  expect(left.filter((id) => standard.rows[id].level !== 'observe')).toEqual([]);
});
