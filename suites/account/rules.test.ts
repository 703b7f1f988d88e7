// Tests of rules over rate limits in profiles, the team list, made keys and sessions.
import { describe, expect, test } from 'vitest';
import type { History, Violation } from '../../lib/index.ts';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofAccounts, ofBodies, ofScopes, ofServed, ofTeam, ofThrottled } from '../rules.test-data.ts';

type Judge = (history: History) => readonly Violation[];

const found = (judge: Judge, ...exchanges: readonly Exchange[]): string[] => {
  const whole = historyOf(...exchanges);
  return judge(whole).map(({ id }) => id);
};
const session = 'COVENANT_JWT';
const me = (data: unknown, credential?: string): Exchange => ({
  ...{ operation: 'GET /me', path: '/me', json: { data } },
  ...(credential === undefined ? {} : { credential }),
});

describe('the limits that a profile reports', () => {
  const reported = (read: number, credential?: string): Exchange =>
    me({ platform: { rate_limits: { read_per_minute: read, write_per_minute: 30 } } }, credential);

  test('may change once, but not change back', () => {
    expect(found(ofThrottled, reported(200), reported(200), reported(300))).toEqual([]);
    expect(found(ofThrottled, reported(200), reported(199), reported(200))).toEqual(['rate-limits-read-enforced']);
    expect(found(ofThrottled, reported(199), reported(200), reported(200), reported(199))).toEqual([
      'rate-limits-read-enforced',
    ]);
  });

  test('are not limits if they count down', () => {
    const counted = [200, 199, 198, 197, 200].map((read) => reported(read));
    expect(found(ofThrottled, ...counted)).toEqual([]);
  });

  test('are those of the account: the sibling shares it, another key does not', () => {
    const [rate, sibling] = ['COVENANT_RATE_API_KEY', 'COVENANT_RATE_API_KEY_SIBLING'];
    expect(found(ofThrottled, reported(40, rate), reported(41, sibling), reported(40, rate))).toEqual([
      'rate-limits-read-enforced',
    ]);
    expect(found(ofThrottled, reported(40, rate), reported(200), reported(40, rate))).toEqual([]);
    expect(found(ofThrottled, reported(40, session), reported(200, session), reported(40, session))).toEqual([]);
  });
});

describe('the team', () => {
  const team = (count: number, pagination: unknown, path = '/account/team'): Exchange => ({
    ...{ operation: 'GET /account/team', path },
    json: { data: Array.from({ length: count }, (_, id) => ({ id })), pagination },
  });

  test('counts its members in every reply', () => {
    expect(found(ofTeam, team(2, { total: 2, has_more: false }))).toEqual([]);
    expect(found(ofTeam, team(2, { total: 1, has_more: false }))).toEqual(['pagination-total-exact']);
    expect(found(ofTeam, team(2, { total: 3, has_more: false }))).toEqual(['pagination-total-exact']);
    expect(found(ofTeam, team(2, { total: 2, has_more: true }))).toEqual(['pagination-has-more-last']);
  });

  test('is not judged if it has pages, no total or parameters', () => {
    expect(found(ofTeam, team(2, { total: 3, has_more: true }))).toEqual([]);
    expect(found(ofTeam, team(2, undefined))).toEqual([]);
    expect(found(ofTeam, team(1, { total: 2, has_more: false }, '/account/team?limit=1'))).toEqual([]);
  });
});

describe('billing', () => {
  const [restricted, accountless] = ['COVENANT_API_KEY_RESTRICTED', 'COVENANT_JWT_NO_ACCOUNT'];
  const billing = (credential: string, status: number, more: Partial<Exchange> = {}): Exchange => ({
    ...{ operation: 'GET /billing/summary', path: '/billing/summary', json: { data: {} }, credential, status },
    ...more,
  });
  const valid = (key: string, user_id: number, ...scopes: readonly string[]): Exchange => ({
    ...{ operation: 'POST /auth/validate-api-key', path: '/auth/validate-api-key', body: { api_key: key } },
    json: { data: { valid: true, user_id, account_id: 1, scopes, tier: 'team' } },
  });
  const offered = billing('COVENANT_API_KEY', 200);

  test('answers 403 to the key configured without the scope, unless a validation contradicts', () => {
    const [open, accused] = [billing(restricted, 200), ['billing-summary-scope']];
    expect(found(ofScopes, offered, open)).toEqual(accused);
    expect(found(ofScopes, offered, billing(restricted, 403))).toEqual([]);
    expect(found(ofScopes, offered, billing(restricted, 404))).toEqual(accused);
    expect(found(ofScopes, offered, billing(restricted, 404, { account: 'east' }))).toEqual([]);
    expect(found(ofScopes, offered, billing(restricted, 200, { undocumented: true }))).toEqual(accused);
    expect(found(ofScopes, billing(restricted, 404))).toEqual([]);
    expect(found(ofScopes, offered, valid(restricted, 2, 'billing:read'), open)).toEqual([]);
    expect(found(ofScopes, offered, valid('COVENANT_API_KEY', 1), valid(restricted, 1), open)).toEqual([]);
  });

  test('is refused to a session without an account whose profile never names the scope', () => {
    const open = billing(accountless, 200);
    expect(found(ofScopes, me({ scopes: [] }, accountless), open)).toEqual(['billing-summary-scope']);
    expect(found(ofScopes, me({ scopes: ['billing:read'] }, accountless), open)).toEqual([]);
    expect(found(ofScopes, me({ scopes: [] }, accountless), billing(accountless, 400))).toEqual([]);
    expect(found(ofScopes, open)).toEqual([]);
  });
});

describe('a made key', () => {
  const made: Exchange = {
    ...{ operation: 'POST /api-keys', path: '/api-keys', status: 201, credential: session },
    json: { data: { id: 5, label: 'a', api_key: 'MADE_KEY_1' } },
  };
  const teams = (credential: string, status: number): Exchange => ({
    ...{ operation: 'GET /me/team-accounts', path: '/me/team-accounts', credential, status },
    json: { data: [] },
  });
  const judge: Judge = ofScopes;
  const opened = [teams(session, 200), made, teams(session, 200)];

  test('may do what its maker may always do', () => {
    expect(found(judge, ...opened, teams('MADE_KEY_1', 200))).toEqual([]);
    expect(found(judge, ...opened, teams('MADE_KEY_1', 403))).toEqual(['api-keys-made-rights']);
    expect(found(judge, ...opened, teams(session, 403), teams('MADE_KEY_1', 403))).toEqual([]);
    expect(found(judge, ...opened, { ...teams('MADE_KEY_1', 403), account: 'east' })).toEqual([]);
  });

  test('of a user with further accounts may be on one without the scope', () => {
    const accounts: Exchange = {
      ...{ operation: 'GET /me/accounts', path: '/me/accounts', credential: session },
      json: { data: [{ slug: 'east' }, { slug: 'west' }, { slug: 'north' }] },
    };
    expect(found(judge, accounts, ...opened, teams('MADE_KEY_1', 403))).toEqual([]);
  });
});

describe('a session', () => {
  const accounts: Exchange = {
    ...{ operation: 'GET /me/accounts', path: '/me/accounts', credential: session },
    json: { data: [{ slug: 'east' }, { slug: 'west' }] },
  };
  const on = (slug: string): Exchange => me({ account: { slug } }, session);
  const unknownAccount = me({ account: {} }, session);

  test('shows an account from the moment one is stored', () => {
    expect(found(ofAccounts, accounts, unknownAccount, on('east'))).toEqual([]);
    expect(found(ofAccounts, accounts, me({ platform: { slug: 'cloud' } }, session), on('east'))).toEqual([]);
    expect(found(ofAccounts, accounts, on('east'), unknownAccount)).toEqual(['account-me-slug']);
    expect(found(ofAccounts, accounts, on('east'), { ...unknownAccount, account: 'west' })).toEqual([]);
    expect(found(ofAccounts, accounts, { ...on('west'), account: 'west' }, unknownAccount)).toEqual([]);
  });

  test('may lack an account only until a request on the stored one was accepted', () => {
    const listed = (path: string, status = 200): Exchange => ({
      ...{ operation: 'GET /companies', path, status, credential: session },
      json: { data: [] },
    });
    expect(found(ofServed, listed('/companies?limit=20', 400), listed('/companies'))).toEqual([]);
    expect(found(ofServed, listed('/companies'), listed('/companies?limit=20', 400))).toEqual([
      'envelope-valid-served',
    ]);
    expect(found(ofServed, { ...listed('/companies'), account: 'east' }, listed('/companies', 400))).toEqual([]);
  });

  test('is not refused between two accepted reads', () => {
    const listed = (status: number): Exchange => ({
      operation: 'GET /companies',
      path: '/companies',
      status,
      json: { data: [] },
    });
    const [open, closed] = [listed(200), listed(403)];
    expect(found(ofServed, open, closed, open)).toEqual(['envelope-valid-served']);
    expect(found(ofServed, closed, open, open)).toEqual([]);
    expect(found(ofServed, open, closed, closed)).toEqual([]);
  });

  test('gets the refusal of an invalid creation once it has created a record', () => {
    const create = (body: unknown, status: number): Exchange => ({
      ...{ operation: 'POST /companies', path: '/companies', body, status, credential: session },
      json: { data: { id: 7 } },
    });
    const whole = { name: 'Acme', company_type: 'lender' };
    expect(found(ofBodies, create({ name: 'Acme' }, 400), create(whole, 201))).toEqual([]);
    expect(found(ofBodies, create(whole, 201), create({ name: 'Acme' }, 400))).toEqual([
      'companies-create-missing-type',
    ]);
  });
});
