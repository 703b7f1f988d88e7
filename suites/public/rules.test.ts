// Tests of the rule for the identities of two keys: equal ones are a violation only if something else distinguishes the keys.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofValidations } from '../rules.test-data.ts';

const [primary, secondary, restricted] = ['', '_SECONDARY', '_RESTRICTED'].map((name) => `COVENANT_API_KEY${name}`);
const valid = (api_key: string | undefined, user_id: number, account_id: number): Exchange => ({
  ...{ operation: 'POST /auth/validate-api-key', path: '/auth/validate-api-key', body: { api_key } },
  json: { data: { valid: true, user_id, account_id, scopes: [], tier: 'pro' } },
});
const read = (credential: string | undefined, operation: 'GET /me' | 'GET /billing/summary', data: unknown = {}) => ({
  ...{ operation, path: operation.slice(4), credential: credential ?? '' },
  ...(data === undefined ? { status: 403, json: {} } : { json: { data } }),
});
const profiles = (one: string, other: string) => [
  read(primary, 'GET /me', { account: { slug: one } }),
  read(secondary, 'GET /me', { account: { slug: other } }),
];
const rights = [read(primary, 'GET /billing/summary'), { ...read(restricted, 'GET /billing/summary'), status: 403 }];

test.each<[what: string, exchanges: readonly Exchange[], found: number]>([
  ['two users, two accounts', [valid(primary, 1, 1), valid(secondary, 2, 2), ...profiles('a', 'b')], 0],
  ['one user for two accounts', [valid(primary, 1, 1), valid(secondary, 1, 2), ...profiles('a', 'a')], 1],
  ['one account for two', [valid(primary, 1, 1), valid(secondary, 2, 1), ...profiles('a', 'b')], 1],
  ['perhaps one account', [valid(primary, 1, 1), valid(secondary, 2, 1), ...profiles('a', 'a')], 0],
  ['one user for two with other rights', [valid(primary, 1, 1), valid(restricted, 1, 1), ...rights], 1],
  ['perhaps one user', [valid(primary, 1, 1), valid(restricted, 1, 1), read(restricted, 'GET /me')], 0],
  ['two users of one account', [valid(primary, 1, 1), valid(restricted, 2, 1), ...rights], 0],
])('%s', (_, exchanges, found) => {
  const all = ofValidations(historyOf(...exchanges)).filter(({ id }) => id === 'public-validate-identity');
  expect(all).toHaveLength(found);
});

test.each([
  ['application/json', ['public-validate-open']],
  ['application/json; charset=utf-8', []],
])('a validation labelled %s and refused with 415', (type, found) => {
  const headers = { authorization: undefined, 'content-type': type };
  const refused = { ...valid(primary, 1, 1), status: 415, json: {}, headers };
  const all = ofValidations(historyOf(valid(primary, 1, 1), read(primary, 'GET /me'), refused));
  expect(all.map(({ id }) => id)).toEqual(found);
});
