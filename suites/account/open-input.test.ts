// Tests that replies to requests with input that the document leaves open are no violations.
import { describe, expect, test } from 'vitest';
import type { History, Violation } from '../../lib/index.ts';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofAccounts, ofKeys, ofPagination, ofScopes, ofValidations } from '../rules.test-data.ts';

type Find = (history: History) => readonly Violation[];

const found = (find: Find, exchanges: readonly Exchange[]): readonly string[] => {
  return find(historyOf(...exchanges)).map(({ id }) => id);
};
const [key, other, session] = ['COVENANT_API_KEY', 'COVENANT_API_KEY_SECONDARY', 'COVENANT_JWT'];

const me = (data: unknown, credential = session): Exchange => ({
  ...{ operation: 'GET /me', path: '/me', json: { data }, credential },
});
const accounts = (...slugs: readonly string[]): Exchange => ({
  ...{ operation: 'GET /me/accounts', path: '/me/accounts', credential: session },
  json: { data: slugs.map((slug) => ({ slug })) },
});
const valid = (api_key: string, user_id: number): Exchange => ({
  ...{ operation: 'POST /auth/validate-api-key', path: '/auth/validate-api-key', body: { api_key } },
  json: { data: { valid: true, user_id, account_id: user_id, scopes: [], tier: 'team' } },
});
const made: Exchange = {
  ...{ operation: 'POST /api-keys', path: '/api-keys', status: 201, body: { label: 'a' } },
  json: { data: { id: 5, label: 'a', api_key: 'MADE_KEY_1' } },
};
const keys = (...data: readonly unknown[]): Exchange => ({
  ...{ operation: 'GET /api-keys', path: '/api-keys' },
  json: { data, pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
});
const billing: Exchange = { operation: 'GET /billing/summary', path: '/billing/summary', json: { data: {} } };

/** The requirement that the last reply violates, unless its request is marked as undocumented. */
const histories: readonly (readonly [string, Find, readonly Exchange[]])[] = [
  ['account-me-slug', ofAccounts, [accounts('west', 'east'), me({ account: { slug: 'west' } }), me({})]],
  ['account-me-caller', ofValidations, [valid(key, 1), valid(other, 2), me({}, key), me({}, other)]],
  ['account-me-scopes', ofScopes, [billing, billing, me({ scopes: ['billing:read'] }, key), me({}, key)]],
  ['api-keys-list-contains', ofKeys, [made, keys({})]],
];

test.each(histories)('%s', (id, find, exchanges) => {
  expect(found(find, exchanges)).toEqual([id]);
  const before = exchanges.slice(0, -1);
  const last = exchanges.slice(-1).map((one) => ({ ...one, undocumented: true }) as const);
  expect(found(find, [...before, ...last])).toEqual([]);
});

test('between two lists of the same accounts, one that was asked for under a foreign header may show none', () => {
  const [whole, none] = [accounts('west', 'east'), accounts()];
  expect(found(ofAccounts, [whole, none, whole])).toEqual(['account-accounts-complete']);
  expect(found(ofAccounts, [whole, { ...none, undocumented: true }, whole])).toEqual([]);
});

describe('fields', () => {
  const company = { company_id: 1, name: 'Summit', company_type: 'lender' };
  const list = (query: string, data: unknown = company): Exchange => ({
    ...{ operation: 'GET /companies', path: `/companies${query}` },
    json: { data: [data], pagination: { total: 1, limit: 50, cursor: null, has_more: false, next_cursor: null } },
  });

  test('that a target knows leave no others', () => {
    expect(found(ofPagination, [list(''), list('?fields=name')])).toEqual(['pagination-fields-restrict']);
    expect(found(ofPagination, [list(''), list('?fields=company_id')])).toEqual(['pagination-fields-restrict']);
    expect(found(ofPagination, [list(''), list('?fields=website')])).toEqual(['pagination-fields-restrict']);
  });

  test('that a target does not know may leave all', () => {
    expect(found(ofPagination, [list(''), list('?fields=id')])).toEqual([]);
    expect(found(ofPagination, [list(''), list('?fields=name,id')])).toEqual([]);
  });
});
