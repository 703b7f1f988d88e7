// Tests of the rules over keys: creation, rights and use of a key, and revocations.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofNewKeys, ofRevocations } from '../rules.test-data.ts';

const secret = (id: number) => `svc_sk_secret${id}`;
const record = (id: number, label: string) => ({
  ...{ id, label, key_prefix: 'svc_sk_sec', created_at: '2026-03-02T09:00:00Z', api_key: secret(id) },
});
const made = (id: number, label = `key ${id}`, more: object = {}): Exchange => ({
  ...{ operation: 'POST /api-keys', path: '/api-keys', status: 201, body: { label } },
  json: { data: { ...record(id, label), ...more } },
});
const refused = (label: string): Exchange => ({ ...made(0, label), status: 422, json: {} });
const used = (id: number, status = 200): Exchange => ({
  ...{ operation: 'GET /companies', path: '/companies', status, json: { data: [] }, credential: secret(id) },
});
const revoked = (id: number, status = 200, credential = 'COVENANT_API_KEY'): Exchange => ({
  ...{ operation: 'DELETE /api-keys/{key_id}', path: `/api-keys/${id}`, status, credential },
  json: status === 200 ? { data: { deleted: true } } : {},
});
const own: Exchange = { ...used(0), credential: 'COVENANT_API_KEY' };
const byColleague = 'COVENANT_API_KEY_RESTRICTED';
const ofColleague: Exchange = { ...used(0), credential: byColleague };

const news = (...exchanges: readonly Exchange[]) => ofNewKeys(historyOf(...exchanges)).map(({ id }) => id);
const later = (...exchanges: readonly Exchange[]) => ofRevocations(historyOf(...exchanges)).map(({ id }) => id);

test('the reply to a creation shows what no later reply shows', () => {
  expect(news(made(1), made(2), used(1))).toEqual([]);
  expect(news(made(1, 'key 1', { id: '1' }))).toEqual(['api-keys-create-id']);
  expect(news(made(1, 'key 1', { api_key: 'svc_pk_1', key_prefix: 'svc_pk' }))).toEqual(['api-keys-create-secret']);
  expect(news(made(1, 'key 1', { key_prefix: 'secret1' }))).toEqual(['api-keys-create-key-prefix']);
  expect(news(made(1, 'key 1', { created_at: 1772442000 }))).toEqual(['api-keys-create-created-at']);
  expect(news(own, made(1), made(1, 'key 2', { api_key: secret(2) }))).toEqual(['api-keys-create-id']);
});

test('a new key works from the first request on, unless somebody has revoked it', () => {
  expect(news(own, made(1), used(1, 401))).toEqual(['api-keys-create-works']);
  expect(news(own, made(1), used(1), used(1, 401))).toEqual([]);
  expect(news(own, made(1), revoked(1), used(1, 401))).toEqual([]);
});

test('a long label is kept whole; a refusal counts only if other keys are created meanwhile', () => {
  const long = 'Covenant 0a1b2c key '.padEnd(255, 'K');
  expect(news(made(1, long, { label: long.slice(0, 250) }))).toEqual(['api-keys-label-lengths']);
  const tries = [1, 2, 3].flatMap((id) => [refused(long), made(id), revoked(id)]);
  expect(news(own, ...tries)).toEqual(['api-keys-label-lengths']);
  expect(news(own, ...tries.slice(0, 4))).toEqual([]);
  expect(news(own, refused(long), refused(long), refused(long))).toEqual([]);
  // An earlier run may have used it.
  expect(news(own, ...[1, 2, 3].flatMap((id) => [refused('Loan'), made(id), revoked(id)]))).toEqual([]);
});

test('a revocation does not affect other keys of the user', () => {
  const two = [own, made(1), made(2), used(1), used(2)];
  expect(later(...two, revoked(1), used(2, 401))).toEqual(['api-keys-revoked-siblings']);
  expect(later(...two, revoked(1), used(2, 401), used(2))).toEqual([]);
  expect(later(...two, revoked(1), revoked(2), used(2, 401))).toEqual([]);
});

test('a key works while only other users have tried to revoke it', () => {
  const both = [own, ofColleague, made(1), used(1)];
  expect(later(...both, revoked(1, 404, byColleague), used(1, 401))).toEqual(['api-keys-revoke-foreign-user']);
  expect(later(...both, revoked(1, 404, byColleague), revoked(1), used(1, 401))).toEqual([]);
  const other = 'COVENANT_API_KEY_SECONDARY';
  const third = { ...own, credential: other };
  expect(later(...both, third, revoked(1, 200, other), used(1, 401))).toEqual(['api-keys-revoke-foreign-account']);
});

test('a key has the permissions of its maker, if those never change', () => {
  const forbidden = { ...own, status: 403 };
  expect(later(own, made(1), used(1, 403))).toEqual(['api-keys-made-rights']);
  expect(later(forbidden, made(1), used(1))).toEqual(['api-keys-made-rights']);
  expect(later(own, forbidden, made(1), used(1, 403))).toEqual([]);
});

test('a key that was used has last_used_at a minute later', () => {
  const listed = (at: number): Exchange => ({
    ...{ operation: 'GET /api-keys', path: '/api-keys', at },
    json: { data: [{ ...record(1, 'key 1'), last_used_at: null }], pagination: { total: 1, has_more: false } },
  });
  expect(later(own, made(1), used(1), listed(50_000))).toEqual([]);
  expect(later(own, made(1), used(1), listed(90_000))).toEqual(['api-keys-list-last-used-moves']);
});
