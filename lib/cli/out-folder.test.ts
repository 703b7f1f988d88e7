// A folder holds the files of one run; the last whole run is kept; `covenant show` opens its page.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exchange, failedCase, report, requirement } from '../report/terminal/example.test-data.ts';
import type { Report } from '../result.ts';
import { environment, inFolder, put, read, trial, useFolder } from './trial.test-data.ts';

useFolder();

const passed = requirement('passed');
const failed = requirement('failed', { cases: [failedCase()] });
const order = (verdict: 'passed' | 'failed') => ({ ...requirement(verdict), id: 'notes-order' });
const exchanges = [exchange(12, 'COVENANT_API_KEY_RESTRICTED', '{}')];

/** A run that finds this; its identifier is its name. */
const run = (id: string, found: Report, ...words: string[]) =>
  trial(['run', ...words], { environment, examine: () => ({ ...found, run: { ...found.run, id } }) });
const idIn = (path: string): string => JSON.parse(read(`reports/${path}`)).run.id;
const reportsOf = (path = ''): string[] => readdirSync(inFolder(`reports/${path}`)).sort();
const aborted = report([passed], { verdict: 'aborted', reason: 'nobody answers' });
const partial = report([passed], { options: { requirement: ['billing-summary-scope'] } });

test('what a red run wrote is written anew by a green one', async () => {
  const reporters = ['--reporter', 'html,junit,markdown'];
  await run('red-run', report([failed], { exchanges }), ...reporters);
  const red = reportsOf().map((name) => [name, read(`reports/${name}`)] as const);
  await run('green-run', report([passed]));
  expect(reportsOf()).toEqual(red.map(([name]) => name));
  for (const [name, before] of red) {
    expect([name, read(`reports/${name}`) === before, read(`reports/${name}`).includes('red-run')]).toEqual([
      name,
      false,
      false,
    ]);
  }
});

test('a page that no report belongs to any more is written anew, too', async () => {
  await run('red-run', report([failed]));
  rmSync(inFolder('reports/report.json'));
  await run('green-run', report([passed]));
  expect(read('reports/report.html').includes('red-run')).toBe(false);
});

test('a file of another program stays as it is', async () => {
  await run('run-one', report([failed]));
  put('reports/junit.xml', '<testsuites/>');
  await run('second', partial);
  expect(read('reports/report.html').includes('run-one')).toBe(false);
  expect([read('reports/junit.xml'), reportsOf('last-whole')]).toEqual([
    '<testsuites/>',
    ['report.html', 'report.json'],
  ]);
});

test.each([
  ['aborted', aborted],
  ['of some requirements', partial],
  ['of an area', report([passed], { options: { area: ['billing'] } })],
  ['without writes', report([passed], { options: { read_only: true } })],
])('a run that is %s leaves the last whole one beside its own report, until there is another', async (_, found) => {
  await run('whole', report([failed]), '--reporter', 'junit');
  for (const id of ['part', 'again']) {
    await run(id, found);
    expect([idIn('report.json'), idIn('last-whole/report.json')]).toEqual([id, 'whole']);
    expect(reportsOf('last-whole')).toEqual(['junit.xml', 'report.html', 'report.json']);
    expect(read('reports/junit.xml')).toContain(id);
  }
  await run('next', report([passed]));
  expect([idIn('report.json'), existsSync(inFolder('reports/last-whole'))]).toEqual(['next', false]);
});

const nothing = report([], { options: { requirement: [] } });
const asked = async (...words: string[]) => (await run('last', nothing, ...words)).examined[0]?.settings.requirements;

test('what failed in the last whole run and was not decided since is asked again', async () => {
  await run('whole', report([failed, order('failed')]));
  await run('none', aborted);
  const compared = await trial(['compare', 'reports/report.json', 'reports/report.json']);
  expect(compared.stderr).toContain('compare with the last whole one, reports/last-whole/report.json.');
  expect(await asked('--last-failed')).toEqual(['notes-order']);
  await run('other', report([order('failed')], { options: { requirement: ['notes-order'] } }));
  expect(await asked('--last-failed')).toEqual(['billing-summary-scope', 'notes-order']);
  await run('whole', report([passed, order('passed')]));
  expect((await run('last', nothing, '--last-failed')).stderr).toContain('leave --last-failed off');
});

test('in CI ten failures are shown in full, and where the others are', async () => {
  const found = report(Array.from({ length: 12 }, (_, index) => ({ ...failed, id: `notes-${index + 1}` })));
  const examine = () => found;
  const { out } = await trial(['run'], { environment: { ...environment, CI: 'true' }, examine });
  expect(out.match(/^✗ notes-/gm)).toHaveLength(10);
  expect(out).toMatch(/and 2 more, in full in reports.report\.json:\n +notes-11: the status should be 403\n/);
});

const red = () => report([requirement('failed', { cases: [failedCase()] })]);
const page = () => inFolder('reports/report.html');

test('without a browser the path is printed, of a page that is written where there is none of this run', async () => {
  await trial(['run']);
  expect(await trial(['show'])).toMatchObject({ code: 0, out: `${page()}\n`, stderr: '' });
  expect(read('reports/report.html')).toContain('staging.example.com');
  put('reports/report.html', 'of another run');
  await trial(['show']);
  expect(read('reports/report.html')).toContain('staging.example.com');
});

test('with a browser it is opened; where that fails the path is left', async () => {
  const opened: string[] = [];
  await trial(['run', '--out', 'elsewhere'], { examine: red });
  const open = async (path: string) => opened.push(path) === 1;
  const path = inFolder('elsewhere/report.html');
  expect((await trial(['show', '--out', 'elsewhere'], { open })).out).toBe(`Opening: ${path}\n`);
  expect((await trial(['show', '--out', 'elsewhere'], { open })).out).toBe(`${path}\n`);
  expect(opened).toEqual([path, path]);
});

test('a failed run on a terminal says so, with the folder of its report', async () => {
  const ended = async (words: readonly string[], more: object) => (await trial(words, { ...more })).out;
  const terminal = { stdoutIsTerminal: true };
  expect(await ended(['run'], { examine: red })).toMatch(/\nLook at: file:[^\n]*\n$/);
  expect(await ended(['run'], { examine: red, ...terminal })).toMatch(
    /\nLook at: file:[^\n]*\n {5}or: covenant show\n$/,
  );
  expect(await ended(['run', '--out', 'nightly'], { examine: red, ...terminal })).toMatch(
    / {5}or: covenant show --out nightly\n$/,
  );
  expect(await ended(['run'], terminal)).not.toContain('covenant show');
});

test('where there is no report one sentence says so', async () => {
  const { code, stderr } = await trial(['show']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^covenant: .*report\.json/);
});
