// Tests of the rules over pages of keys: has_more and total agree while no key changes, and total counts lasting keys.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofKeyPages } from '../rules.test-data.ts';

const key = (id: number) => ({
  id,
  label: `key ${id}`,
  key_prefix: `svc_sk_${id}`,
  created_at: '2026-03-02T09:00:00Z',
});
const listed = (ids: readonly number[], total: number, limit = 50): Exchange => ({
  ...{ operation: 'GET /api-keys', path: `/api-keys?limit=${limit}` },
  json: { data: ids.map(key), pagination: { total, limit, offset: 0, has_more: ids.length < total } },
});
const attempt = (status: number, id = 9): Exchange => ({
  ...{ operation: 'POST /api-keys', path: '/api-keys', body: { label: `key ${id}` }, status },
  json: { data: { ...key(id), api_key: `svc_sk_${id}` } },
});
const found = (...exchanges: readonly Exchange[]): string[] => ofKeyPages(historyOf(...exchanges)).map(({ id }) => id);

test('total counts keys that whole lists show before and after', () => {
  const [before, after] = [listed([1, 2, 3], 3), listed([2, 3, 9], 3)];
  expect(found(before, listed([1], 3, 1), attempt(201), after)).toEqual([]);
  // One of the three may have been revoked.
  expect(found(before, attempt(201), listed([2, 3], 2), after)).toEqual([]);
  expect(found(before, attempt(201), listed([2], 1, 1), after)).toEqual(['api-keys-list-total']);
  expect(found(before, attempt(201), listed([2], 1, 1))).toEqual([]);
});

test('a list may lag behind a new key, but not show a refused one', () => {
  const pagination = { total: 4, limit: 50, offset: 0, has_more: false };
  const contradiction = { ...listed([], 0), at: 12_000, json: { data: [1, 2, 3].map(key), pagination } };
  const before = listed([1, 2, 3], 3);
  expect(found(before, { ...attempt(201), at: 11_000 }, contradiction)).toEqual([]);
  expect(found(before, { ...attempt(422), at: 11_000 }, contradiction)).toEqual(['api-keys-list-total']);
});

test('a last page that leaves keys out contradicts itself, unless others create and revoke keys', () => {
  const pagination = { total: 3, limit: 2, offset: 0, has_more: false };
  const cut: Exchange = { ...listed([1, 2], 3, 2), json: { data: [1, 2].map(key), pagination } };
  const [before, after] = [listed([1, 2, 3], 3), listed([1, 2, 3, 4], 4)];
  expect(found(before, cut)).toEqual(['api-keys-list-has-more']);
  expect(found(before, cut, after)).toEqual([]);
});
