// Tests of the rules over sorted lists: the mode of a page, and the records at its offset.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofSlices, ofSorted } from '../rules.test-data.ts';

const list = (query: string, pagination: object): Exchange => ({
  operation: 'GET /companies',
  path: `/companies${query}`,
  json: { data: [{ id: 1 }], pagination: { total: 3, limit: 1, ...pagination } },
});
const plain = list('', { has_more: false });

test.each<[what: string, pagination: object, accused: boolean]>([
  ['by offset', { has_more: true, offset: 0 }, false],
  ['by cursor', { has_more: true, cursor: null, next_cursor: 'bmV4dA==' }, false],
  ['the end, by cursor', { has_more: false, cursor: null, next_cursor: null }, false],
  ['neither, with more to come', { has_more: true, cursor: null, next_cursor: null }, true],
])('a sorted page %s', (_, pagination, accused) => {
  const wrongs = ofSorted(historyOf(plain, list('?sort=created_at&limit=1', pagination)));
  expect(wrongs.map(({ id }) => id)).toEqual(accused ? ['pagination-sort-members'] : []);
});

const names = ['Acme', 'Birch', 'Cedar', 'Dune'];

const page = (query: string, offset: number, shown: readonly string[], total = names.length): Exchange => ({
  operation: 'GET /companies',
  path: `/companies?sort=name${query}`,
  json: {
    data: shown.map((name) => ({ id: names.indexOf(name) + 1, name })),
    pagination: { total, offset, limit: 50, has_more: false },
  },
});
const whole = page('', 0, names);
const rightly = page('&offset=2', 2, names.slice(2));
/** It begins at another offset than it reports. */
const wrongly = page('&offset=2&limit=2', 2, names.slice(1, 3));
const edit = (name: string): Exchange => ({
  ...{ operation: 'PATCH /companies/{company_id}', path: '/companies/2', body: { name } },
  json: { data: { id: 2, name } },
});

const found = (...exchanges: readonly Exchange[]) => ofSlices(historyOf(...exchanges)).map(({ id }) => id);

test('correct slices are no violations', () => {
  expect(found(whole, rightly, whole, rightly)).toEqual([]);
});

test('a shifted slice is a violation if whole lists before and after show its records', () => {
  expect(found(whole, wrongly, whole)).toEqual(['pagination-sort-pages']);
  expect(found(wrongly, whole, whole)).toEqual([]);
  expect(found(whole, wrongly)).toEqual([]);
});

test('a list that changed in between, or has no order, proves nothing', () => {
  expect(found(whole, page('', 0, names, 5), page('&offset=2&limit=2', 2, names.slice(1, 3), 5), whole)).toEqual([]);
  expect(found(whole, edit('Alder'), wrongly, edit('Birch'), whole)).toEqual([]);
  const [one, other] = [
    page('', 0, ['Birch', 'Acme', 'Dune', 'Cedar']),
    page('', 0, ['Cedar', 'Acme', 'Dune', 'Birch']),
  ];
  expect(found(one, other, one)).toEqual([]);
});

test('records of the same name may be in either order', () => {
  const twice = (ids: readonly number[]): Exchange => ({
    ...whole,
    json: {
      data: ids.map((id) => ({ id, name: 'Acme' })),
      pagination: { total: 2, offset: 0, limit: 50, has_more: false },
    },
  });
  expect(found(twice([1, 2]), twice([2, 1]), twice([1, 2]))).toEqual([]);
});

test('a page that repeats the end of the page before is a violation if nothing was written in between', () => {
  const [first, second] = [page('&limit=2', 0, names.slice(0, 2)), page('&limit=2&offset=2', 2, names.slice(2))];
  const again = page('&limit=2&offset=2', 2, names.slice(1, 3));
  expect(found(first, second)).toEqual([]);
  expect(found(first, again)).toEqual(['pagination-sort-pages']);
  expect(found(first, edit('Birch'), again)).toEqual([]);
});
