// Tests of the view rules: an account is shown with the data of another one in between.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofViews } from '../rules.test-data.ts';

const [east, west] = ['COVENANT_API_KEY', 'COVENANT_API_KEY_SECONDARY'];
const validation = (credential: string, account: number): Exchange => ({
  ...{ operation: 'POST /auth/validate-api-key', path: '/auth/validate-api-key', body: { api_key: credential } },
  json: { data: { valid: true, account_id: account } },
});
const both = [validation(east, 1), validation(west, 2)];
const billing = (credential: string, plan: string, more = {}): Exchange => ({
  ...{ credential, operation: 'GET /billing/summary', path: '/billing/summary' },
  json: { data: { plan, seats: 7, ...more } },
});
const judged = (...exchanges: readonly Exchange[]) => {
  const whole = historyOf(...both, ...exchanges);
  return ofViews(whole).map(({ id }) => id);
};

test('an account shown as another one in between is a violation', () => {
  const seen = [billing(east, 'pro'), billing(west, 'team'), billing(east, 'team'), billing(east, 'pro')];
  expect(judged(...seen)).toEqual(['account-active-key-unmoved']);
});

test('an account that changes for good, or to new values, is none', () => {
  expect(judged(billing(east, 'pro'), billing(west, 'team'), billing(east, 'team'), billing(east, 'team'))).toEqual([]);
  expect(judged(billing(east, 'pro'), billing(west, 'team'), billing(east, 'trial'), billing(east, 'pro'))).toEqual([]);
});

test('counters are left out, and short values prove nothing', () => {
  const counted = (credential: string, used: number) => billing(credential, 'pro', { used });
  expect(judged(...[7, 8, 7, 9, 7].map((used) => counted(east, used)), counted(west, 8), counted(west, 6))).toEqual([]);
});

test('a member that only one of two nodes shows proves nothing', () => {
  const [old, fresh] = [
    (who: string) => billing(who, 'pro'),
    (who: string) => billing(who, 'pro', { release: 'canary' }),
  ];
  expect(judged(old(east), fresh(west), fresh(east), old(east))).toEqual([]);
});

test('a value that two nodes write differently proves nothing', () => {
  const [old, fresh] = [
    (who: string) => billing(who, 'pro', { unit: 'dollars' }),
    (who: string) => billing(who, 'pro', { unit: 'us dollars' }),
  ];
  expect(judged(old(east), old(west), fresh(west), fresh(east), old(east))).toEqual([]);
});

const jwt = 'COVENANT_JWT';
const listed: Exchange = {
  ...{ credential: jwt, operation: 'GET /me/accounts', path: '/me/accounts' },
  json: { data: [{ slug: 'north' }] },
};
const switched: Exchange = {
  ...{ credential: jwt, operation: 'PATCH /me/active-account', path: '/me/active-account', body: { slug: 'north' } },
  json: { data: { slug: 'north' } },
};
const made: Exchange = {
  ...{ credential: jwt, operation: 'POST /api-keys', path: '/api-keys', body: { label: 'a' }, status: 201 },
  json: { data: { id: 5, label: 'a', api_key: 'svc_sk_north' } },
};
const begun = [listed, switched, made, validation('svc_sk_north', 3), billing(east, 'pro')];
/** Billing under a foreign header, then of the own account after another switch. */
const strayed = (plan: string, later = 'team'): readonly Exchange[] => [
  billing(jwt, 'team'),
  { ...billing(jwt, plan), account: '2' },
  switched,
  billing(jwt, later),
];

test('a foreign account shown to a session under a foreign header is a violation', () => {
  expect(judged(...begun, ...strayed('pro'))).toEqual(['account-header-foreign']);
});

test('its own account there, an unknown one, or a changed one is none', () => {
  expect(judged(...begun, ...strayed('team'))).toEqual([]);
  expect(judged(...begun, ...strayed('trial'))).toEqual([]);
  expect(judged(...begun, ...strayed('pro', 'pro'))).toEqual([]);
});

test('the profile of another account under a header is a violation for a key, not for a session', () => {
  const me = (credential: string, account: string, header?: string): Exchange => ({
    ...{ credential, operation: 'GET /me', path: '/me', json: { data: { account: { slug: account } } } },
    ...(header === undefined ? {} : { account: header }),
  });
  const seen = (who: string) => [me(who, 'east'), me(west, 'west'), me(who, 'west', 'west'), me(who, 'east')];
  expect(judged(...seen(east))).toEqual(['account-header-key-unmoved']);
  expect(judged(...seen(jwt))).toEqual([]);
  expect(judged(me(east, 'east'), me(west, 'west'), me(east, 'east', 'west'), me(east, 'east'))).toEqual([]);
});

test('a key of unknown account always shows the same account', () => {
  const me = (credential: string, account: string, header?: string): Exchange => ({
    ...{ credential, operation: 'GET /me', path: '/me', json: { data: { account: { slug: account } } } },
    ...(header === undefined ? {} : { account: header }),
  });
  const known = [me(east, 'east'), me(west, 'west')];
  const nobodys = 'svc_sk_nobodys';
  const shown = (...accounts: readonly string[]) => accounts.map((account) => me(nobodys, account));
  expect(judged(...known, ...shown('east', 'west', 'east'))).toEqual(['account-active-key-unmoved']);
  expect(judged(...known, me(nobodys, 'east'), me(nobodys, 'west', 'west'), me(nobodys, 'east'))).toEqual([
    'account-header-key-unmoved',
  ]);
  expect(judged(...known, ...shown('east', 'west', 'west'))).toEqual([]);
  expect(judged(...known, ...shown('east', 'trial', 'east'))).toEqual([]);
  expect(judged(...known, me(nobodys, 'east'), me('svc_sk_another', 'west'), me(nobodys, 'east'))).toEqual([]);
});
