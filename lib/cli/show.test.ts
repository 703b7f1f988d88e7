// `covenant show` opens the page of the last report, and prints its path where nobody would see it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failedCase, report, requirement } from '../report/terminal/example.test-data.ts';
import { trial } from './trial.test-data.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'covenant-show-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const red = () => report([requirement('failed', { cases: [failedCase()] })]);
const page = () => join(folder, 'reports', 'report.html');

test('without a browser the path is printed, of a page that is written where there is none of this run', async () => {
  await trial(['run'], { folder });
  expect(await trial(['show'], { folder })).toMatchObject({ code: 0, out: `${page()}\n`, stderr: '' });
  expect(readFileSync(page(), 'utf8')).toContain('staging.example.com');
  writeFileSync(page(), 'of another run');
  await trial(['show'], { folder });
  expect(readFileSync(page(), 'utf8')).toContain('staging.example.com');
});

test('with a browser it is opened; where that fails the path is left', async () => {
  const opened: string[] = [];
  await trial(['run', '--out', 'elsewhere'], { folder, examine: red });
  const open = async (path: string) => opened.push(path) === 1;
  const path = join(folder, 'elsewhere', 'report.html');
  expect((await trial(['show', '--out', 'elsewhere'], { folder, open })).out).toBe(`Opening: ${path}\n`);
  expect((await trial(['show', '--out', 'elsewhere'], { folder, open })).out).toBe(`${path}\n`);
  expect(opened).toEqual([path, path]);
});

test('a failed run on a terminal says so, with the folder of its report', async () => {
  const ended = async (words: readonly string[], more: object) => (await trial(words, { folder, ...more })).out;
  const terminal = { stdoutIsTerminal: true };
  expect(await ended(['run'], { examine: red })).toMatch(/\nLook at: file:[^\n]*\n$/);
  expect(await ended(['run'], { examine: red, ...terminal })).toMatch(
    /\nLook at: file:[^\n]*\n {5}or: covenant show\n$/,
  );
  expect(await ended(['run', '--out', 'nightly/{run}'], { examine: red, ...terminal })).toMatch(
    / {5}or: covenant show --out nightly\n$/,
  );
  expect(await ended(['run'], terminal)).not.toContain('covenant show');
});

test('where there is no report one sentence says so', async () => {
  const { code, stderr } = await trial(['show'], { folder });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^covenant: .*report\.json/);
});
