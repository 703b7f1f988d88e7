// Rules over cursors: what a list gave it takes back, from the same caller, in the same way, and soon.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofPagination } from '../rules.test-data.ts';

const page = (query: string, next?: string): Exchange => ({
  operation: 'GET /contacts',
  path: `/contacts${query}`,
  json: { data: [], pagination: { total: 9, limit: 2, has_more: true, next_cursor: next } },
});
const refused = (query: string, more: Partial<Exchange> = {}): Exchange => ({
  operation: 'GET /contacts',
  path: `/contacts${query}`,
  status: 400,
  ...more,
});
const found = (...exchanges: readonly Exchange[]) => ofPagination(historyOf(...exchanges)).map(({ id }) => id);

test('a cursor that is refused to whoever just got it is a list that ends before its end', () => {
  expect(found(page('?limit=2', 'abc'), refused('?limit=2&cursor=abc'))).toEqual(['pagination-traversal-complete']);
  expect(found(page('?limit=2&fields=name', 'abc'), refused('?cursor=abc&limit=2&fields=name'))).toEqual([
    'pagination-fields-later-pages',
  ]);
});

test('a cursor of another way, of another caller, with a sort, or from long ago may be refused', () => {
  expect(found(page('?limit=2', 'abc'), refused('?limit=3&cursor=abc'))).toEqual([]);
  expect(found(page('?limit=2', 'abc'), refused('?limit=2&cursor=abd'))).toEqual([]);
  expect(found(page('?limit=2', 'abc'), refused('?limit=2&cursor=abc&sort=name'))).toEqual([]);
  expect(found(page('?sort=name', 'abc'), refused('?sort=name&cursor=abc'))).toEqual([]);
  expect(found(page('?limit=2', 'abc'), refused('?limit=2&cursor=abc', { status: 401 }))).toEqual([]);
  expect(
    found(page('?limit=2', 'abc'), refused('?limit=2&cursor=abc', { credential: 'COVENANT_API_KEY_SECONDARY' })),
  ).toEqual([]);
  expect(found(page('?limit=2', 'abc'), refused('?limit=2&cursor=abc', { at: 60_000 }))).toEqual([]);
});
