// The track record: the page holds what the mutants say, and every mutant of a reported defect has its thread.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reported } from './mutants/reported/index.ts';
import { trackRecord } from './track-record.ts';

test('docs/track-record.md is what `npm run lab -- --track-record` writes', () => {
  const page = readFileSync('docs/track-record.md', 'utf8');
  const [, quick, commit = ''] = /a quick run (\d+) of them\. Measured on commit `([0-9a-f]{7,})`/.exec(page) ?? [];
  expect(page).toBe(trackRecord({ commit, quick: Number(quick) }));
});

test('every reported defect names its public thread, and what users suffered', () => {
  expect(reported.length).toBeGreaterThanOrEqual(24);
  for (const { id, report } of reported) {
    expect(id).toMatch(/^reported-/);
    expect(report?.url).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$/);
    expect(report?.suffered).toMatch(/^[A-Z][^.]+$/);
  }
  const threads = reported.map(({ report }) => report?.url);
  expect(threads.filter((one, index) => threads.indexOf(one) !== index)).toEqual([]);
});
