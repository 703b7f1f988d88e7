// Tests of the rules over bad credentials, over what refused writes leave, and over records of other accounts.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { seededRandom } from '../../lib/runtime/random.ts';
import { ofAuthentication, ofForeign, ofRefused } from '../rules.test-data.ts';
import { badTokens } from './refused.ts';

const primary = 'COVENANT_API_KEY';
const secondary = 'COVENANT_API_KEY_SECONDARY';
const mark = 'Covenant 0a1b2c company 1';
const bad = 'a_key';

/** Which account the owner of a key has. */
const validated = (api_key: string, account_id: number): Exchange => ({
  ...{ operation: 'POST /auth/validate-api-key', path: '/auth/validate-api-key', body: { api_key } },
  json: { data: { valid: true, account_id } },
});
const made = (credential: string, name = mark, status = 201): Exchange => ({
  ...{ operation: 'POST /companies', path: '/companies', status, credential },
  body: { name, company_type: 'lender' },
  json: status === 201 ? { data: { id: 7, name, company_type: 'lender' } } : {},
});
const at = (credential: string, status: number, name?: string): Exchange => ({
  ...{ operation: 'GET /companies/{company_id}', path: '/companies/7', status, credential },
  json: name === undefined ? {} : { data: { id: 7, name, company_type: 'lender' } },
});
const listed = (credential: string, name: string, query = '', next_cursor: string | null = null): Exchange => ({
  ...{ operation: 'GET /companies', path: `/companies${query}`, credential },
  json: {
    data: [{ id: 7, name, company_type: 'lender' }],
    pagination: { total: 2, limit: 1, has_more: next_cursor !== null, next_cursor },
  },
});
const edited = (credential: string, status: number): Exchange => ({
  ...{ operation: 'PATCH /companies/{company_id}', path: '/companies/7', status, credential },
  ...{ body: { name: 'Covenant 0a1b2c foreign 1', company_type: 'lender' }, json: {} },
});

test.each<[what: string, exchanges: readonly Exchange[], found: readonly string[]]>([
  ['left nothing', [made(bad, mark, 401), listed(primary, 'Another')], []],
  ['is listed', [made(bad, mark, 401), listed(primary, mark)], ['authentication-refused-effect']],
  ['was accepted as well', [made(bad, mark, 401), made(primary), listed(primary, mark)], []],
  [
    'has edited',
    [made(primary), edited(bad, 401), at(primary, 200, 'Covenant 0a1b2c foreign 1')],
    ['authentication-refused-effect'],
  ],
])('a write with a bad token %s', (_, exchanges, found) => {
  expect(ofRefused(historyOf(...exchanges)).map(({ id }) => id)).toEqual(found);
});

const accounts = [validated(primary, 1), validated(secondary, 2), made(primary)];

test.each<[what: string, exchanges: readonly Exchange[], found: readonly string[]]>([
  ['is not found', [at(secondary, 404)], []],
  ['is shown', [at(secondary, 200, mark)], ['authentication-foreign-read']],
  ['is named by its refusal', [at(secondary, 403, mark)], ['authentication-foreign-read']],
  ['is edited', [edited(secondary, 200)], ['authentication-foreign-write']],
  [
    'is edited, and that is denied',
    [edited(secondary, 404), at(primary, 200, 'Covenant 0a1b2c foreign 1')],
    ['authentication-foreign-write'],
  ],
  ['has the number of an own one', [at(secondary, 200, 'Another'), edited(secondary, 200)], []],
  ['is listed', [listed(secondary, mark)], ['authentication-foreign-list']],
  ['is listed to its own account', [listed(primary, mark)], []],
  [
    'comes behind a cursor',
    [listed(primary, 'Another', '', 'c'), listed(secondary, mark, '?cursor=c')],
    ['authentication-foreign-cursor'],
  ],
  [
    'is as the page before the cursor',
    [listed(primary, 'B', '', 'c'), listed(secondary, 'B', '?cursor=c')],
    ['authentication-foreign-cursor'],
  ],
])('a company of another account %s', (_, exchanges, found) => {
  expect(ofForeign(historyOf(...accounts, ...exchanges)).map(({ id }) => id)).toEqual(found);
  // Whose accounts nobody knows may be one.
  expect(ofForeign(historyOf(...accounts.slice(2), ...exchanges))).toEqual([]);
});

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const configured = {
  session: `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '1', exp: 4_000_000_000 })}.c2lnbmF0dXJlLm9mLmE`,
  key: 'svc_sk_0123456789abcdefghijklmnopqrstuv',
};
const kit = {
  random: seededRandom(1),
  invalid: (name: string, token: string) => ({ name, token, kind: 'invalid' as const, accounts: [] }),
};

test.each(badTokens.map((kind) => [kind.id, kind] as const))('all that %s sends is judged by it', (id, kind) => {
  const isOfSession = kind.source === 'session' || kind.source === 'expiredSession';
  const credential = {
    ...{ name: isOfSession ? 'COVENANT_JWT_EXPIRED' : 'COVENANT_API_KEY', accounts: [] },
    ...(isOfSession
      ? { kind: 'session' as const, token: configured.session }
      : { kind: 'key' as const, token: configured.key }),
  };
  const all = [
    ...kind.tokens(kit, credential),
    ...(kind.further?.(kit, credential) ?? []),
    ...(kind.attacks?.(kit, credential).map((one) => one.credential) ?? []),
  ];
  const served = (name: string) =>
    historyOf({ operation: 'GET /me', path: '/me', credential: name, json: { data: {} } });
  const missed = all.filter(({ name }) => !ofAuthentication(served(name)).some((one) => one.id === id));
  expect(missed.map(({ name }) => name)).toEqual([]);
});
