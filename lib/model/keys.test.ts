// Tests of which key a revocation ended, where each account may number its keys itself.
import { expect, test } from 'vitest';
import { ofValidations } from '../../suites/rules.test-data.ts';
import { type Reply, type Sent, World } from '../index.ts';
import { type Exchange, historyOf } from './history.test-data.ts';

const born = (id: number, token: string): Exchange => ({
  operation: 'POST /api-keys',
  path: '/api-keys',
  status: 201,
  json: { data: { id, label: token, api_key: token } },
});
const revoked = (id: number): Exchange => ({
  operation: 'DELETE /api-keys/{key_id}',
  path: `/api-keys/${id}`,
  json: { data: { deleted: true } },
});

const lostCreation: Sent = { method: 'POST', url: 'https://target.test/api/external/v2/api-keys', headers: {} };

/** The tokens of the keys that are known to be revoked after these exchanges. */
function ended(asked: readonly (readonly [by: string, what: Exchange])[], lost: readonly Sent[] = []): string[] {
  const { replies } = historyOf(...asked.map(([, what]) => what));
  const spoken = replies.map((reply, index): Reply => ({ ...reply, credential: asked[index]?.[0] ?? '' }));
  return new World({ replies: spoken, lost }).keys.all
    .filter((one) => one.revoked !== undefined)
    .map(({ token }) => token);
}

const [jwt, key] = ['COVENANT_JWT', 'COVENANT_API_KEY'];

test('a revocation of its number on its own account ends a key', () => {
  expect(
    ended([
      [key, born(2, 'a')],
      [key, revoked(2)],
    ]),
  ).toEqual(['a']);
  expect(
    ended([
      [jwt, born(2, 'a')],
      [jwt, revoked(2)],
    ]),
  ).toEqual(['a']);
  expect(
    ended([
      [jwt, born(2, 'a')],
      [key, born(3, 'b')],
      [jwt, revoked(2)],
    ]),
  ).toEqual(['a']);
});

test('the state is unknown if a session may have revoked a key of the same number', () => {
  expect(
    ended([
      [jwt, born(2, 'a')],
      [key, born(2, 'b')],
      [jwt, revoked(2)],
    ]),
  ).toEqual([]);
  expect(
    ended(
      [
        [jwt, born(2, 'a')],
        [jwt, revoked(2)],
      ],
      [lostCreation],
    ),
  ).toEqual([]);
  expect(
    ended(
      [
        [key, born(2, 'a')],
        [key, revoked(2)],
      ],
      [lostCreation],
    ),
  ).toEqual(['a']);
});

test('a key is not known to be live once its creator was revoked', () => {
  const ask: Exchange = { operation: 'GET /me', path: '/me', status: 401 };
  const { replies } = historyOf(born(2, 'maker'), born(3, 'child'), ask, revoked(2), ask);
  const asKey = (reply: Reply, token: string): Reply => ({
    ...reply,
    credential: `MADE_KEY_${token}`,
    request: { ...reply.request, headers: { ...reply.request.headers, authorization: `Bearer ${token}` } },
  });
  const spoken = replies.map((reply, index) =>
    index === 0 || index === 3 ? reply : asKey(reply, index === 1 ? 'maker' : 'child'),
  );
  const { keys } = new World({ replies: spoken, lost: [] });
  const lives = spoken.filter(({ status }) => status === 401).map((reply) => keys.isLive('child', reply));
  expect(lives).toEqual([true, false]);
});

test('keys of one user on one account have the same scopes, in whatever order', () => {
  const asked = (token: string, ...scopes: readonly string[]): Exchange => ({
    ...{ operation: 'POST /auth/validate-api-key', path: '/auth/validate-api-key', body: { api_key: token } },
    json: { data: { valid: true, user_id: 1, account_id: 1, tier: 'pro', scopes } },
  });
  const found = (...exchanges: readonly Exchange[]): string[] => {
    const whole = historyOf(born(2, 'svc_sk_a'), born(3, 'svc_sk_b'), ...exchanges);
    return ofValidations(whole).map(({ id }) => id);
  };
  expect(found(asked('svc_sk_a', 'x', 'y'), asked('svc_sk_b', 'y', 'x'))).toEqual([]);
  expect(found(asked('svc_sk_a', 'x', 'y'), asked('svc_sk_b', 'x'))).toEqual(['api-keys-made-scopes']);
});

test('a key that was sent before it was returned was not created then', () => {
  const [a, b] = ['MADE_KEY_1', 'MADE_KEY_2'];
  const { replies, lost } = historyOf(
    { ...born(2, a), credential: a },
    { ...born(3, b), credential: a },
    { ...born(4, a), credential: b },
  );
  const { keys, callers } = new World({ replies, lost });
  expect(keys.all.map(({ token }) => token)).toEqual([b]);
  expect(keys.all.every(({ token }) => keys.isLive(token, replies[2] as Reply))).toBe(true);
  expect(callers.ownerOf(b)).toBe(a);
});
