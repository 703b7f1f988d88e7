// A sample of conditional mutants: the suite kills at least as many as it did when this bound was measured. And the report.
import { expect, test } from 'vitest';
import { seedsOfCommit } from '../command-line.ts';
import { withLeanFetch } from '../lean-fetch.test-data.ts';
import { conditionalId } from './index.ts';
import { isKilled, type Judged, judged, reportOf } from './judged.ts';

withLeanFetch();

/** A stretch of seed 1 that is killed about as often as the seed on the whole. */
const sample = { first: 109, count: 10 };
/** One less than was measured: a mutant that is renamed may change a draw. */
const leastKilled = 5;

test(`kills at least ${leastKilled} of ${sample.count} of seed 1 by a standard run`, async () => {
  const counted: Judged[] = [];
  for (let number = sample.first; counted.length < sample.count; number += 1) {
    const one = await judged(conditionalId(1, number), 'standard');
    if (one !== undefined) counted.push(one);
  }
  expect(counted.filter(isKilled).length).toBeGreaterThanOrEqual(leastKilled);
}, 600_000);

const plain: Judged = {
  subject: 'conditional-1-0',
  why: 'notes-list-lacks-one, only where a session calls',
  kind: 'caller',
  area: 'notes',
  witness: 'GET /companies/1/notes as the session: data has 1 entries instead of 2',
  failed: [],
  verdict: 'conformant',
};

test('reports killed and survived by trigger and area, and lists the survivors with their witnesses', () => {
  const killed: Judged = { ...plain, subject: 'conditional-1-3', kind: 'node', failed: ['notes-list-record'] };
  const text = reportOf([1], 'standard', [plain, killed]);
  expect(text).toContain('seed 1: 1 of 2 killed by a standard run (50.0 %)');
  expect(text).toMatch(/^caller +0 +1 +0\.0 %$/m);
  expect(text).toMatch(/^node +1 +0 +100\.0 %$/m);
  expect(text).toMatch(/^notes +1 +1 +50\.0 %$/m);
  expect(text).toContain(`${plain.subject} (conformant)\n    ${plain.why}\n    ${plain.witness}\n`);
  expect(text).not.toContain('conditional-1-3');
});

test('draws three unseen seeds from the hash of a commit', () => {
  const seeds = seedsOfCommit('382831d7a1b2c3d4e5f60718293a4b5c6d7e8f90');
  expect(seeds).toHaveLength(3);
  expect(new Set(seeds).size).toBe(3);
  expect(Math.min(...seeds)).toBeGreaterThanOrEqual(1_000);
  expect(seedsOfCommit('382831d7a1b2c3d4e5f60718293a4b5c6d7e8f90')).toEqual(seeds);
});
