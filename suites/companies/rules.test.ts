// Tests of rules for company lists: the order of the replies decides, even within one millisecond.
import { expect, test } from 'vitest';
import { type History, lacksOwn, World } from '../../lib/index.ts';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofListed, ofOrganizations } from '../rules.test-data.ts';

const moment = { at: 1000 };
const creation: Exchange = {
  ...moment,
  operation: 'POST /companies',
  path: '/companies',
  status: 201,
  json: { data: { id: 7 } },
};
const list = (...ids: readonly number[]): Exchange => ({
  ...moment,
  operation: 'GET /companies',
  path: '/companies',
  json: { data: ids.map((id) => ({ id })), pagination: { total: ids.length, limit: 50, has_more: false } },
});

test('a list before a creation of the same millisecond lacks nothing', () => {
  expect(lacksOwn('company', new World(historyOf(list(), creation, list(7))))).toBe(false);
});

test('a list requested after a creation must show it', () => {
  expect(lacksOwn('company', new World(historyOf(creation, list(), list(7))))).toBe(true);
});

test('a list with chosen fields may show another identifier than the path', () => {
  const birth: Exchange = { ...creation, at: 0, json: { data: { company_id: 7, id: 'com_a' } } };
  const page = (query: string, item: object): Exchange => ({
    ...{ operation: 'GET /companies', path: `/companies${query}`, at: 60_000 },
    json: { data: [item], pagination: { total: 1, limit: 50, has_more: false } },
  });
  const found = (...pages: readonly Exchange[]) => ofListed(historyOf(birth, ...pages)).map(({ id }) => id);
  const whole = page('', { company_id: 7, id: 'com_a' });
  expect(found(whole, page('?fields=id', { id: 'com_a' }))).toEqual([]);
  expect(found(whole, page('?fields=company_id', { company_id: 8 }))).toEqual(['companies-list-contains']);
});

test('a record created under a header that may be ignored is expected in no list', () => {
  const credential = 'COVENANT_JWT';
  const under = (account: string, one: Exchange): Exchange => ({ ...one, credential, account });
  const accounts: Exchange = {
    ...{ operation: 'GET /me/accounts', path: '/me/accounts', credential },
    json: { data: [{ slug: 'east' }] },
  };
  const late = { ...list(), at: 60_000 };
  const found = (...more: readonly Exchange[]) =>
    ofListed(historyOf(accounts, under('east', creation), under('east', late), ...more)).map(({ id }) => id);
  expect(found()).toEqual(['companies-list-contains']);
  expect(found(under('nobody', { ...late, at: 70_000 }))).toEqual([]);
});

test('a record of a list with chosen fields, under another identifier, is no copy of it', () => {
  const name = 'Covenant 1a2b3c company x 1';
  const birth: Exchange = { ...creation, at: 0, body: { name }, json: { data: { company_id: 7, id: 'com_a', name } } };
  const page = (query: string, ...items: readonly object[]): Exchange => ({
    ...{ operation: 'GET /companies', path: `/companies${query}`, at: 60_000 },
    json: { data: items, pagination: { total: items.length, limit: 50, has_more: false } },
  });
  const found = (...pages: readonly Exchange[]) => ofListed(historyOf(birth, ...pages)).map(({ id }) => id);
  const whole = page('', { company_id: 7, id: 'com_a', name });
  expect(found(whole, page('?fields=name', { id: 'com_a', name }))).toEqual([]);
  const twice = page('', { company_id: 7, id: 'com_a', name }, { company_id: 8, id: 'com_b', name });
  expect(found(whole, twice)).toEqual(['companies-create-once']);
});

test('a company under a number of another account counts among those of its name', () => {
  const name = 'Covenant 1a2b3c company x 1';
  const born = (id: number, credential: string, at: number, called = name): Exchange => ({
    ...{ ...creation, at, credential, body: { name: called } },
    json: { data: { company_id: id, name: called } },
  });
  const own = [7, 8].map((company_id) => ({ company_id, name }));
  const page: Exchange = {
    ...{ operation: 'GET /companies', path: '/companies', at: 60_000 },
    json: { data: own, pagination: { total: 2, limit: 50, has_more: false } },
  };
  const other = 'COVENANT_API_KEY_SECONDARY';
  const history = [born(7, 'COVENANT_API_KEY', 0), born(8, 'COVENANT_API_KEY', 1), born(7, other, 2, `${name}0`)];
  const reads = [3, 4].map(
    (at): Exchange => ({
      ...{ operation: 'GET /companies/{company_id}', path: '/companies/7', credential: other, at },
      json: { data: { company_id: 7, name: `${name}0` } },
    }),
  );
  expect(ofListed(historyOf(...history, ...reads, page)).map(({ id }) => id)).toEqual([]);
});

test('an organization shown by some read comes back, as an integer', () => {
  const made = (org_id: unknown): Exchange => ({
    ...{ operation: 'POST /companies', path: '/companies', status: 201 },
    ...{ body: { name: 'A', company_type: 'lender', org_id: 5 }, json: { data: { id: 7, org_id } } },
  });
  const shown = (org_id: number): Exchange => ({ ...list(), json: { data: [{ id: 3, org_id }] } });
  const found = (...exchanges: readonly Exchange[]) => ofOrganizations(historyOf(...exchanges)).length;
  expect([found(made(5)), found(made(null)), found(made(null), shown(6)), found(made(5), shown(5))]).toEqual([
    0, 0, 0, 0,
  ]);
  expect([found(made('5')), found(made(null), shown(5)), found(shown(5), made(undefined))]).toEqual([1, 1, 1]);
});

test('a name sent again after a refusal may exist, whatever the second reply was', () => {
  const body = { name: 'Covenant b62e95 company 1', company_type: 'lender' };
  const sent = (status: number): Exchange => ({ operation: 'POST /companies', path: '/companies', status, body });
  const listed: Exchange = { ...list(), json: { ...Object(list(7).json), data: [{ id: 7, ...body }] } };
  const history = historyOf(sent(422), sent(201), listed);
  const [refused, again, shown] = history.replies;
  const ids = (given: History) => ofListed(given).map(({ id }) => id);
  if (!refused || !again || !shown) throw new Error('three replies were made');
  expect(ids({ lost: [], replies: [refused, shown] })).toContain('companies-create-refused-effect');
  expect(ids({ lost: [], replies: [refused, shown], suspect: [again] })).not.toContain(
    'companies-create-refused-effect',
  );
});
