// A folder holds the files of one run: views of the run before are written anew, and the last whole run is kept beside.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchange, failedCase, report, requirement } from '../report/terminal/example.test-data.ts';
import type { Report } from '../result.ts';
import { trial } from './trial.test-data.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'covenant-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const environment = { COVENANT_BASE_URL: 'https://staging.example.com', COVENANT_API_KEY: 'svc_sk_canary_primary' };
const passed = requirement('passed');
const failed = requirement('failed', { cases: [failedCase()] });
const order = (verdict: 'passed' | 'failed') => ({ ...requirement(verdict), id: 'notes-order' });
const exchanges = [exchange(12, 'COVENANT_API_KEY_RESTRICTED', '{}')];

/** A run that finds this; its identifier is its name. */
const run = (id: string, found: Report, ...words: string[]) =>
  trial(['run', ...words], { environment, folder, examine: () => ({ ...found, run: { ...found.run, id } }) });
const read = (path: string): string => readFileSync(join(folder, 'reports', path), 'utf8');
const idIn = (path: string): string => JSON.parse(read(path)).run.id;
const files = (path = ''): string[] => readdirSync(join(folder, 'reports', path)).sort();
const aborted = report([passed], { verdict: 'aborted', reason: 'nobody answers' });
const partial = report([passed], { options: { requirement: ['billing-summary-scope'] } });

test('what a red run wrote is written anew by a green one', async () => {
  const reporters = ['--reporter', 'html,junit,markdown,badge,har,script'];
  await run('red-run', report([failed], { exchanges }), ...reporters);
  expect(files('failures')).toEqual(['billing-summary-scope.sh']);
  const red = files().map((name) => [name, name === 'failures' ? '' : read(name)] as const);
  await run('green-run', report([passed]));
  expect(files()).toEqual(red.map(([name]) => name));
  for (const [name, before] of red) {
    if (name === 'failures') expect(files(name)).toEqual([]);
    else expect([name, read(name) === before, read(name).includes('red-run')]).toEqual([name, false, false]);
  }
});

test('a page that no report belongs to any more is written anew, too', async () => {
  await run('red-run', report([failed]));
  rmSync(join(folder, 'reports/report.json'));
  await run('green-run', report([passed]));
  expect(read('report.html').includes('red-run')).toBe(false);
});

test('a file of another program stays as it is', async () => {
  await run('run-one', report([failed]));
  writeFileSync(join(folder, 'reports/junit.xml'), '<testsuites/>');
  await run('second', partial);
  expect(read('report.html').includes('run-one')).toBe(false);
  expect([read('junit.xml'), files('last-whole')]).toEqual(['<testsuites/>', ['report.html', 'report.json']]);
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
    expect(files('last-whole')).toEqual(['junit.xml', 'report.html', 'report.json']);
    expect(read('junit.xml')).toContain(id);
  }
  await run('next', report([passed]));
  expect([idIn('report.json'), existsSync(join(folder, 'reports/last-whole'))]).toEqual(['next', false]);
});

test('where every run has a folder of its own, a name leads to the last whole one', async () => {
  const out = ['--out', 'reports/{run}'];
  await run('whole', report([failed]), ...out);
  await run('part', partial, ...out);
  expect([idIn('latest/report.json'), idIn('last-whole/report.json')]).toEqual(['part', 'whole']);
  const { examined } = await run('later', report([passed]), ...out, '--last-failed');
  expect(examined).toHaveLength(0);
});

const nothing = report([], { options: { requirement: [] } });
const asked = async (...words: string[]) => (await run('last', nothing, ...words)).examined[0]?.settings.requirements;

test('what failed in the last whole run and was not decided since is asked again', async () => {
  await run('whole', report([failed, order('failed')]));
  await run('none', aborted);
  const compared = await trial(['compare', 'reports/report.json', 'reports/report.json'], { folder });
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
  const { out } = await trial(['run'], { environment: { ...environment, CI: 'true' }, folder, examine });
  expect(out.match(/^✗ notes-/gm)).toHaveLength(10);
  expect(out).toMatch(/and 2 more, in full in reports.report\.json:\n +notes-11: the status should be 403\n/);
});
