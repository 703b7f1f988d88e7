// The store's bounds.
import { expect, it } from 'vitest';
import { capacity, Store } from './store.ts';

it('gives out growing identifiers, and refuses with 403 when it is full', () => {
  const store = new Store(7);
  expect([store.admit('note'), store.admit('note'), store.admit('company')]).toEqual([7, 8, 7]);
  for (let count = 2; count < capacity; count += 1) store.admit('note');
  expect(() => store.admit('note')).toThrow(/no more than 20000/);
  expect(store.admit('company')).toBe(8);
});
