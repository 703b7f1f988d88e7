// The word that was probably meant: near enough to be a slip, and never a guess.
import { expect, test } from 'vitest';
import { didYouMean } from './nearest.ts';

const areas = ['account', 'api-keys', 'billing', 'companies', 'contacts', 'notes'];

test.each([
  ['bililng', 'billing'],
  ['Companys', 'companies'],
  ['note', 'notes'],
  ['contract', 'contacts'],
  ['api_keys', 'api-keys'],
  ['ntoes', 'notes'],
])('%s was meant to be %s', (word, meant) => expect(didYouMean(word, areas)).toBe(`; did you mean ${meant}?`));

test.each(['users', 'x', 'deals', ''])('%j is near to no known word', (word) => {
  expect(didYouMean(word, areas)).toBe('.');
});
