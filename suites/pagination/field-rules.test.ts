// Tests of the rules over `fields`: other members are left out, and the chosen ones have their usual values.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofPagination } from '../rules.test-data.ts';

const page = (query: string, ...data: readonly object[]): Exchange => ({
  operation: 'GET /companies',
  path: `/companies${query}`,
  json: { data, pagination: { total: data.length, limit: 50, has_more: false } },
});
const created: Exchange = {
  ...{ operation: 'POST /companies', path: '/companies', body: { name: 'Harbor Point Lending', city: 'Boston' } },
  ...{ status: 201, json: { data: { id: 1, name: 'Harbor Point Lending', city: 'Boston' } } },
};
const one = { id: 1, name: 'Harbor Point Lending', city: 'Boston' };
const other = { id: 2, name: 'Somebody else', city: 'Salem' };
const whole = page('', one, other);
const found = (...exchanges: readonly Exchange[]) => ofPagination(historyOf(created, ...exchanges)).map(({ id }) => id);

test('a list with fields shows the values of a list without', () => {
  expect(found(whole, page('?fields=city', { id: 1, city: 'Boston' }, { id: 2, city: 'Salem' }), whole)).toEqual([]);
  const empty = page('?fields=city', { id: 1, city: null }, { id: 2, city: 'Salem' });
  expect(found(whole, empty, whole)).toEqual(['pagination-fields-kept']);
  expect(found(whole, empty)).toEqual([]);
});

test('a single changed record of others is no violation', () => {
  expect(found(whole, page('?fields=city', { id: 2, city: null }), whole)).toEqual([]);
  const third = { ...other, id: 3 };
  const [before, both] = [page('', one, other, third), page('?fields=city', { id: 2 }, { id: 3 })];
  expect(found(before, both, before)).toEqual(['pagination-fields-kept', 'pagination-fields-kept']);
  const moved = page('', one, { ...other, city: 'Lynn' });
  expect(found(moved, whole, page('?fields=city', { id: 1, city: 'Boston' }, { id: 2, city: 'Lynn' }), whole)).toEqual(
    [],
  );
});

test('a list with fields leaves out all other members', () => {
  expect(found(whole, page('?fields=city', one))).toEqual(['pagination-fields-restrict']);
});
