// Leaving out members that are undefined.
import { expect, test } from 'vitest';
import { defined } from './defined.ts';

test('undefined members are left out, and every other falsy value stays', () => {
  const members = defined({ a: undefined, b: null, c: 0, d: '', e: false });
  expect(members).toEqual({ b: null, c: 0, d: '', e: false });
  expect('a' in members).toBe(false);
});

test('a member that may be undefined becomes one that may be absent', () => {
  const reason = ['because', undefined][1];
  const row: { readonly id: number; readonly reason?: string } = defined({ id: 1, reason });
  expect(row).toEqual({ id: 1 });
});
