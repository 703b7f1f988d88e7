// `covenant again`: each outcome with its exit code, and every way to go wrong before anything is sent.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import type { Report } from '../result.ts';
import { trial } from './trial.test-data.ts';

const environment = {
  COVENANT_BASE_URL: 'https://staging.example.com',
  COVENANT_API_KEY: 'svc_sk_canary0123456789',
};
const id = 'billing-summary-scope';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'covenant-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const judged = (verdict: 'failed' | 'passed', title = 'the summary') =>
  requirement(verdict, { cases: [{ verdict, case: title, duration_ms: 1 }] });

const failed = () => trial([], { environment, folder, examine: () => report([judged('failed')]) });
const again = (words: readonly string[], found: Report = report([requirement('passed')])) =>
  trial(['again', ...words], { environment, folder, examine: () => found });

const open = {
  ...requirement('not-tested'),
  cases: [{ verdict: 'not-tested', reason: 'no key', duration_ms: 0 }],
} as const;

test.each([
  [report([judged('passed')]), 0, 'FIXED'],
  [report([judged('failed')]), 1, 'STILL'],
  [report([judged('passed', 'another case')]), 3, 'covenant run --base-url https://staging.example.com --seed 42'],
  [report([open]), 3, 'no key'],
  [report([{ ...requirement('passed'), cases: [] }]), 3, 'CANNOT'],
  [{ ...report([]), verdict: 'aborted', reason: 'nobody answers' } as const, 4, 'nobody answers'],
])('what it comes to %#', async (found, code, word) => {
  await failed();
  const ended = await again([id], found);
  expect([ended.code, ended.stderr]).toEqual([code, '']);
  expect(ended.out).toContain(word);
  expect(ended.examined[0]?.settings).toMatchObject({ seed: report([]).run.seed });
  expect(ended.examined[0]?.only).toEqual(new Set(['the summary']));
});

test.each([
  [['notes-order'], 'notes-order did not fail'],
  [['billing-summary-scop'], 'did you mean billing-summary-scope?'],
  [[id, '--out', 'nowhere'], 'is not there'],
  [[id, '--base-url', 'http://other.example'], 'http://other.example is configured'],
  [[], "missing required argument 'requirement'"],
])('again %j is refused in one sentence', async (words, why) => {
  await failed();
  const { code, stderr, examined } = await again(words);
  expect([code, examined]).toEqual([2, []]);
  expect(stderr).toContain(why);
  expect(stderr).toMatch(/^covenant: [^\n]+\n$/);
});
