// The bounds of the store.
import { expect, test } from 'vitest';
import { capacity, Store } from './store.ts';

test('identifiers grow, and creation is refused with 403 when the store is full', () => {
  const store = new Store(7);
  expect([store.admit('note'), store.admit('note'), store.admit('company')]).toEqual([7, 8, 7]);
  for (let count = 2; count < capacity; count += 1) store.admit('note');
  expect(() => store.admit('note')).toThrow(/no more than 20000/);
  expect(store.admit('company')).toBe(8);
});
