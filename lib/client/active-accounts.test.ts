// Where requests of sessions and of made keys are counted, before and after switches.
import { expect, test } from 'vitest';
import { ActiveAccounts } from './active-accounts.ts';
import type { Credential } from './credential.ts';
import { replyOf } from './reply.test-data.ts';

const session: Credential = { name: 'COVENANT_JWT', kind: 'session', token: 'a.b.c', accounts: ['any', 'K', 'W'] };
const key: Credential = { name: 'COVENANT_API_KEY', kind: 'key', token: 'key', accounts: ['K'] };
const by = (account?: string) => ({ credential: session, account });
const switching = (slug: string, credential = session) => ({ credential, account: undefined, switchTo: { slug } });
const accepted = replyOf({ operation: 'PATCH /me/active-account' });

function known(): ActiveAccounts {
  const active = new ActiveAccounts();
  active.know(
    session,
    new Map([
      ['home', 'K'],
      ['west', 'W'],
    ]),
  );
  return active;
}

/** Switches, and counts where a request without X-Active-Account belongs then. */
function after(...switches: readonly (readonly [slug: string, status: number | undefined, by?: Credential])[]) {
  const active = known();
  for (const [slug, status, credential] of switches) {
    const acting = switching(slug, credential);
    active.sends(acting);
    active.ended(acting, [], status === undefined ? undefined : { ...accepted, status });
  }
  return active.of(by());
}

test('X-Active-Account says where a request counts; another value may be refused or not', () => {
  expect(known().of(by('west'))).toEqual(['W']);
  expect(known().of(by('elsewhere'))).toEqual(session.accounts);
  expect(known().of(by())).toEqual(session.accounts);
});

test.each([
  ['the account of the last switch', [['west', 200] as const], ['W']],
  ['the same after a refused switch', [['west', 200] as const, ['nowhere', 404] as const], ['W']],
  ['all after a switch without reply', [['west', 200] as const, ['home', undefined] as const], session.accounts],
  ['all after a failed switch', [['west', 200] as const, ['home', 500] as const], session.accounts],
  ['all after a key has switched', [['west', 200] as const, ['home', 200, key] as const], session.accounts],
])('a request counts on %s', (_, switches, pools) => {
  expect(after(...switches)).toEqual(pools);
});

test('of two switches at once it is not known which comes last', () => {
  const active = known();
  const both = [switching('west'), switching('home')] as const;
  for (const one of both) active.sends(one);
  for (const one of both) active.ended(one, [], accepted);
  expect(active.of(by())).toEqual(session.accounts);
});

test('a switch counts on both accounts', () => {
  const active = known();
  active.sends(switching('west'));
  active.ended(switching('west'), [], accepted);
  expect(active.of(switching('home'))).toEqual(['W', 'K']);
});

test('a key counts where the request that made it did, and nowhere once it is invalid', () => {
  const active = known();
  const made = replyOf({ operation: 'POST /api-keys', status: 201, json: { data: { api_key: 'new' } } });
  active.ended(by('west'), ['W'], made);
  const child: Credential = { ...key, name: 'MADE_KEY_1', token: 'new', accounts: session.accounts };
  expect(active.of({ credential: child, account: undefined })).toEqual(['W']);
  expect(active.of({ credential: { ...child, accounts: [] }, account: undefined })).toEqual([]);
});
