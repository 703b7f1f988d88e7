// Rules over sorted lists: by offset or by cursor, each page that has more says where that begins.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofSorted } from '../rules.test-data.ts';

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
