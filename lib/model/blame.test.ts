// Tests of blame: the first cause whose premise holds is blamed.
import { expect, test } from 'vitest';
import { type Blame, blamed, otherwise } from './blame.ts';

const table: Blame<{ readonly isLost: boolean; readonly isOnPages: boolean }, string> = [
  [({ isLost }) => isLost, 'lost'],
  [({ isOnPages }) => isOnPages, 'skipped'],
  [otherwise, 'not listed'],
];

test.each([
  [true, true, 'lost'],
  [false, true, 'skipped'],
  [false, false, 'not listed'],
])('lost %s, on pages %s: %s', (isLost, isOnPages, id) => {
  expect(blamed(table, { isLost, isOnPages })).toBe(id);
});

test('a table without a last row is a mistake of ours', () => {
  expect(() => blamed([[() => false, 'never']], {})).toThrow('no premise');
});
