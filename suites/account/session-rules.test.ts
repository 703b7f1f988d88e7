// Tests of the session rules: what changed the account without a switch, and keys on another account.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofAccount } from '../rules.test-data.ts';

const session = 'COVENANT_JWT';
const accounts: Exchange = {
  ...{ operation: 'GET /me/accounts', path: '/me/accounts', credential: session },
  json: { data: [{ slug: 'east' }, { slug: 'west' }] },
};
const to = (slug: unknown, status = 200, account?: string): Exchange => ({
  ...{ operation: 'PATCH /me/active-account', path: '/me/active-account', credential: session, status, body: { slug } },
  ...(account === undefined ? {} : { account }),
});
const seen = (plan: string, account?: string): Exchange => ({
  ...{ operation: 'GET /billing/summary', path: '/billing/summary', credential: session },
  json: { data: { plan } },
  ...(account === undefined ? {} : { account }),
});
const [inEast, inWest] = [seen('pro'), seen('team')];
const known = [accounts, to('east'), inEast, inEast, inEast, to('west'), inWest, inWest, inWest];
const judged = (...exchanges: readonly Exchange[]) => ofAccount(historyOf(...known, ...exchanges)).map(({ id }) => id);

test.each<[what: string, exchanges: readonly Exchange[], found: readonly string[]]>([
  ['a refused switch moves it', [to(null, 400), inEast], ['account-active-refused-effect']],
  ['a refused switch leaves it', [to(null, 400), inWest], []],
  ['the header moves it', [seen('pro', 'east'), inEast], ['account-header-temporary']],
  ['either may have moved it', [seen('pro', 'east'), to(null, 400), inEast], []],
  ['nothing but a switch may have', [to('east'), inWest], ['account-active-switch-effect']],
  [
    'right after a switch the header loses',
    [seen('pro', 'east'), to('west'), seen('team', 'east')],
    ['account-header-wins'],
  ],
  ['later the header loses', [seen('pro', 'east'), seen('team', 'east')], ['account-header-selects']],
  ['a switch is on its way', [{ ...to('east'), status: 503 }, inEast], []],
])('%s', (_, exchanges, found) => {
  expect(judged(...exchanges)).toEqual(found);
});

test('a lost switch by a key may have moved it to an account of the session only', () => {
  const lostBy = (name: string, slug: string) => ({
    ...{ method: 'PATCH', url: 'https://target.test/api/external/v2/me/active-account' },
    ...{ headers: { authorization: `Bearer ${name}` }, body: JSON.stringify({ slug }) },
  });
  const found = (lost: ReturnType<typeof lostBy>) =>
    ofAccount({ ...historyOf(...known, to('east'), inWest), lost: [lost] }).map(({ id }) => id);
  expect(found(lostBy('COVENANT_API_KEY', 'lakeshore'))).toEqual(['account-active-switch-effect']);
  expect(found(lostBy('COVENANT_API_KEY', 'west'))).toEqual([]);
  expect(found(lostBy(session, 'lakeshore'))).toEqual([]);
});

const made = (token: string, more: Partial<Exchange> = {}): Exchange => ({
  ...{ operation: 'POST /api-keys', path: '/api-keys', status: 201, body: { label: 'a' }, credential: session },
  ...{ json: { data: { id: token.length, label: 'a', api_key: token } }, ...more },
});
const valid = (token: string, account_id: number): Exchange => ({
  ...{ operation: 'POST /auth/validate-api-key', path: '/auth/validate-api-key', body: { api_key: token } },
  json: { data: { valid: true, account_id } },
});

test('a key stays on the account that its maker chose', () => {
  const inBoth = [made('svc_w'), valid('svc_w', 2), to('east'), made('svc_east'), valid('svc_east', 1)];
  expect(judged(...inBoth)).toEqual([]);
  expect(judged(...inBoth, valid('svc_w', 1))).toEqual(['account-active-key-unmoved']);
  expect(judged(...inBoth, made('svc_wester'), valid('svc_wester', 2))).toEqual(['account-active-switch-effect']);
  const under = { credential: 'svc_w', account: 'east' };
  expect(judged(...inBoth, made('svc_of_key', under), valid('svc_of_key', 2))).toEqual([]);
  expect(judged(...inBoth, made('svc_of_key', under), valid('svc_of_key', 1))).toEqual(['account-header-key-unmoved']);
  const foreign = { account: 'lakeshore', undocumented: true } as const;
  expect(judged(...inBoth, made('svc_foreign', foreign), valid('svc_foreign', 1))).toEqual([]);
  expect(judged(...inBoth, made('svc_foreign', foreign), valid('svc_foreign', 7))).toEqual(['account-header-foreign']);
});

test('a list under a foreign header shows no records of other accounts', () => {
  const listed = (credential: string, name: string, account?: string): Exchange => ({
    ...{ operation: 'GET /companies', path: '/companies', credential, json: { data: [{ id: 7, name }] } },
    ...(account === undefined ? {} : { account, undocumented: true }),
  });
  const key = 'COVENANT_API_KEY_SECONDARY';
  const inBoth = [made('svc_w'), valid('svc_w', 2), to('east'), made('svc_east'), valid('svc_east', 1), valid(key, 7)];
  const others = [...inBoth, listed(key, 'Theirs'), listed(session, 'Own')];
  expect(judged(...others, listed(session, 'Theirs', 'lakeshore'))).toEqual(['account-header-foreign']);
  expect(judged(...others, listed(session, 'Own', 'lakeshore'))).toEqual([]);
});

test('a switch to a slug from a list or a profile succeeds', () => {
  const platform = { rate_limits: { read: 200 } };
  const me: Exchange = {
    ...{ operation: 'GET /me', path: '/me', credential: session },
    json: { data: { account: { slug: 'East' }, platform } },
  };
  expect(judged(to('west', 404))).toEqual(['account-accounts-slugs']);
  expect(
    judged({ ...me, credential: 'COVENANT_API_KEY', json: { data: { slug: 'west', platform } } }, to('west', 404)),
  ).toEqual(['account-accounts-only-own']);
  expect(judged(me, to('East', 404))).toContain('account-me-slug');
  expect(judged(to('easter'))).toEqual(['account-active-unknown-slug']);
  expect(judged(to('lakeshore'))).toEqual(['account-active-foreign-slug']);
  expect(judged(to(null, 200), to('', 404))).toEqual(['account-active-invalid-slug']);
});

test('a session without an account has no team accounts', () => {
  const teams = (status: number, account?: string): Exchange => ({
    ...{ operation: 'GET /me/team-accounts', path: '/me/team-accounts', status, json: { data: [] } },
    ...{ credential: 'COVENANT_JWT_NO_ACCOUNT', ...(account === undefined ? {} : { account }) },
  });
  expect(judged(teams(400), teams(200, 'east'), teams(400))).toEqual([]);
  expect(judged(teams(400), teams(200))).toEqual(['account-team-accounts-undetermined']);
  expect(judged(teams(403))).toEqual([]);
});
