// Each run in a folder of its own, and the way to the last one, by a link or, where there are none, by a file.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import { located, outFolder, pointTo } from './out-folder.ts';
import { trial } from './trial.test-data.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'covenant-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const environment = { COVENANT_BASE_URL: 'https://staging.example.com', COVENANT_API_KEY: 'svc_sk_canary_primary' };
const named = (id: string) => {
  const made = report([requirement('passed')]);
  return { ...made, run: { ...made.run, id } };
};
const inFolder = (...words: string[]) => trial(words, { folder });
const run = (id: string, out = 'reports/{date}/{run}') =>
  trial(['run', '--out', out], { environment, folder, examine: () => named(id) });
const idIn = (path: string): string => JSON.parse(readFileSync(join(folder, path), 'utf8')).run.id;

test('every run keeps its reports, and latest leads to the last one', async () => {
  for (const id of ['one', 'two']) expect((await run(id)).code).toBe(0);
  const [date = ''] = readdirSync(join(folder, 'reports')).filter((name) => name !== 'latest');
  expect(readdirSync(join(folder, 'reports', date)).sort()).toEqual(['one', 'two']);
  expect(idIn(`reports/${date}/one/report.json`)).toBe('one');
  expect(idIn('reports/latest/report.json')).toBe('two');
  expect(date).toBe(named('one').run.started_at.slice(0, 10));
});

test('whatever reads report.json finds that of the last run', async () => {
  await run('one');
  const paths = ['reports/report.json', 'reports/latest/report.json'];
  for (const path of paths) expect((await inFolder('report', path)).code).toBe(0);
  expect((await inFolder('compare', paths[0] ?? '', paths[1] ?? '')).code).toBe(0);
  expect((await inFolder('report', 'reports/other.json')).stderr).toContain('reports/other.json is not there');
});

test('a report that stands where it is named is read, whatever the last run was', async () => {
  await run('one', 'reports');
  await run('two');
  expect(await located(folder, 'reports/report.json')).toBe('reports/report.json');
});

test('where the file system has no links a file leads to the folder', async () => {
  const base = join(folder, 'reports');
  mkdirSync(join(base, 'one'), { recursive: true });
  writeFileSync(join(base, 'one/report.json'), '{}');
  const refused = async () => {
    throw new Error('EPERM');
  };
  for (const to of ['none', 'one']) await pointTo(base, join(base, to), undefined, refused);
  expect(readFileSync(join(base, 'latest'), 'utf8')).toBe('one\n');
  for (const path of ['reports/report.json', 'reports/latest/report.json'])
    expect(await located(folder, path)).toBe('reports/one/report.json');
  expect(readdirSync(base).sort()).toEqual(['latest', 'one']);
});

test('a folder that is called latest is left alone, and a sentence says so', async () => {
  mkdirSync(join(folder, 'reports/latest'), { recursive: true });
  writeFileSync(join(folder, 'reports/latest/mine'), '');
  expect((await run('one')).out).toContain('latest is not of Covenant');
  expect(existsSync(join(folder, 'reports/latest/mine'))).toBe(true);
});

test('a report is rendered again into the folder of its run', async () => {
  await run('one');
  expect((await inFolder('report', 'reports/report.json', '--reporter', 'badge', '--out', 'again/{run}')).code).toBe(0);
  expect(readdirSync(join(folder, 'again/one'))).toEqual(['badge.svg']);
  // Beside the file, where nothing else is said.
  expect((await inFolder('report', 'reports/report.json', '--reporter', 'badge')).code).toBe(0);
  expect(readdirSync(join(folder, 'reports/latest')).sort()).toEqual(['badge.svg', 'report.json']);
});

test.each([
  ['reports/{rnu}', '{rnu}; did you mean {run}? There are {run} and {date}.'],
  ['reports/{}', 'knows no placeholder {}'],
  ['reports/{date', 'knows no placeholder {date'],
  ['reports/run}', 'knows no placeholder }'],
])('--out %s is one sentence, and nothing is sent', async (out, why) => {
  const { code, stderr, examined } = await run('one', out);
  expect([code, examined, stderr]).toEqual([2, [], expect.stringContaining(why)]);
  expect(stderr).toMatch(/^covenant: [^\n]+\n$/);
});

test('the name of a run leads out of no folder', () => {
  expect(() => outFolder('{run}', folder).of(named('../..'))).toThrow('no folder can be named');
});
