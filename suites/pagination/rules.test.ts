// Tests of the rules over limits: a valid one is in effect, others are refused or replaced, whoever asks.
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

const plain: Exchange = { ...list(50), path: '/contacts' };
const company = (limit: number, data: readonly object[], query = `?limit=${limit}`, more = {}): Exchange => ({
  ...{ operation: 'GET /companies', path: `/companies${query}`, ...more },
  json: { data, pagination: { total: 9, limit, has_more: true, next_cursor: 'YQ==' } },
});

test.each<[what: string, exchanges: readonly Exchange[], found: readonly string[]]>([
  ['the least limit, refused', [plain, list(1, { status: 422 })], ['pagination-limit-bounds']],
  ['the greatest, refused to whom nothing is served', [list(200, { status: 400 })], []],
  ['the greatest, cut', [list(200, { json: { data: [], pagination: { limit: 100 } } })], ['pagination-limit-bounds']],
  ['another one, not in effect', [company(2, [{}, {}], '?limit=3')], ['pagination-limit-reported']],
  ['a page that is too long', [company(2, [{}, {}, {}])], ['pagination-limit-respected']],
  ['another default', [company(20, [], '')], ['pagination-limit-default']],
  [
    'another limit on a later page',
    [company(2, [{}, {}]), company(1, [{}, {}], '?limit=1&cursor=YQ%3D%3D', { undocumented: true })],
    ['pagination-limit-respected'],
  ],
  [
    'the limit of the page before',
    [company(2, [{}, {}]), company(2, [{}, {}], '?limit=1&cursor=YQ%3D%3D', { undocumented: true })],
    [],
  ],
])('%s', (_, exchanges, found) => {
  expect(ofPagination(historyOf(...exchanges)).map(({ id }) => id)).toEqual(found);
});
