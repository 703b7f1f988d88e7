// Rules over limits that no list may have: refused, or replaced by one within the bounds, whoever asks.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofPagination } from '../rules.test-data.ts';

const list = (limit: number | string, more: Partial<Exchange> = {}): Exchange => ({
  operation: 'GET /contacts',
  path: `/contacts?limit=${limit}`,
  json: { data: [], pagination: { total: 0, limit, has_more: false } },
  ...more,
});
const replaced = { json: { data: [], pagination: { total: 0, limit: 200, has_more: false } } };

test.each<[what: string, exchange: Exchange, found: readonly string[]]>([
  ['served as it was asked for', list(201), ['pagination-limit-above']],
  ['served below', list(-1, { credential: 'COVENANT_JWT' }), ['pagination-limit-below']],
  ['a page that says nothing', list(0, { json: { data: [] } }), ['pagination-limit-below']],
  ['an outage', list(-1, { status: 500, json: { error: {} } }), ['pagination-limit-below']],
  ['refused', list(0, { status: 422 }), []],
  ['refused for who asks', list(0, { status: 403 }), []],
  ['replaced', list(100_000, replaced), []],
  ['within the bounds', list(200), []],
  ['no number', list('many', { status: 500 }), []],
  ['a list whose row names no limit', list(0, { operation: 'GET /account/team', path: '/account/team?limit=0' }), []],
])('%s', (_, exchange, found) => {
  expect(ofPagination(historyOf(exchange)).map(({ id }) => id)).toEqual(found);
});
