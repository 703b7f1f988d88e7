// Rows of names that show every two of them apart.
import { expect, test } from 'vitest';
import { covering } from './covering.ts';
import { seededRandom } from './random.ts';

const namesOf = (count: number) => Array.from({ length: count }, (_, place) => place);
const areApart = (rows: readonly (readonly number[])[], one: number, other: number) =>
  rows.some((row) => row.includes(one) && !row.includes(other));

test.each([1, 2, 6, 7, 14, 20])('of %i names each stands in some row without each other one', (count) => {
  const names = namesOf(count);
  const rows = covering(names, seededRandom(count));
  expect(rows.length).toBeLessThanOrEqual(6);
  for (const one of names) for (const other of names) expect(areApart(rows, one, other)).toBe(one !== other);
});

test('in three rows, of names that are next to each other or next but one', () => {
  const names = namesOf(11);
  const rows = covering(names, seededRandom(1), 3);
  expect(rows).toHaveLength(3);
  for (const one of names)
    for (const other of names.filter((name) => Math.abs(name - one) === 1 || Math.abs(name - one) === 2))
      expect(areApart(rows, one, other)).toBe(true);
});
