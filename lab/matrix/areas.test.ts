// What is examined for some areas only.
import { expect, test } from 'vitest';
import { concerns, within } from './areas.ts';
import type { Subject } from './subject.ts';

const mutant: Subject = {
  id: 'notes-text-is-cut',
  kind: 'mutant',
  why: '',
  examination: {},
  red: ['notes-create-text', 'pagination-list-empty'],
  collateral: { 'pagination-list-empty': 'it compares' },
  untested: {},
};
const variant: Subject = {
  ...mutant,
  kind: 'variant',
  examination: { settings: { seed: 7 } },
  red: ['idempotency-company-create', 'api-keys-list-last-used-moves'],
  collateral: {},
  untested: { 'api-keys-create-id': 'no keys', 'notes-create-id': 'no notes' },
};

test('a mutant concerns the areas of what it breaks, not those of its collateral', () => {
  expect(concerns(mutant, ['billing', 'notes'])).toBe(true);
  expect(concerns(mutant, ['pagination'])).toBe(false);
});

test('the reference and the variants concern every area, randomised servers none', () => {
  expect(concerns(variant, ['billing'])).toBe(true);
  expect(concerns({ ...variant, kind: 'reference' }, ['billing'])).toBe(true);
  expect(concerns({ ...variant, kind: 'random' }, ['billing'])).toBe(false);
});

test('a mutant is examined in full, so that what it makes red elsewhere is seen', () => {
  expect(within(mutant, ['notes'])).toBe(mutant);
});

test('a lawful server is examined and judged by the requirements of the areas only', () => {
  expect(within(variant, ['notes', 'idempotency'])).toEqual({
    ...variant,
    examination: { settings: { seed: 7, areas: ['notes', 'idempotency'] } },
    red: ['idempotency-company-create'],
    untested: { 'notes-create-id': 'no notes' },
  });
});
