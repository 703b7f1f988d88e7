// Tests of company numbers that several accounts use: whose replies count.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from './history.test-data.ts';
import { World } from './world.ts';

const company = (credential: string, name: string, id = 41): Exchange => {
  const body = { name, company_type: 'lender' };
  return {
    operation: 'POST /companies',
    path: '/companies',
    credential,
    body,
    status: 201,
    json: { data: { id, ...body } },
  };
};
const read = (credential: string, name: string): Exchange => ({
  operation: 'GET /companies/{company_id}',
  path: '/companies/41',
  credential,
  json: { data: { id: 41, name } },
});
const [one, other] = ['COVENANT_API_KEY', 'COVENANT_API_KEY_OTHER_ACCOUNT'];
const idsOf = (...exchanges: readonly Exchange[]): readonly number[] =>
  new World(historyOf(...exchanges)).replies.map(({ id }) => id);

test('the account that used the number most counts', () => {
  const made = [company(one, 'first company of two'), company(other, 'other company of two')];
  expect(idsOf(...made, read(other, 'other company of two'))).toEqual([2, 3]);
  expect(idsOf(...made, read(one, 'first company of two'))).toEqual([1, 3]);
});

test('a repeat under the same Idempotency-Key is no second company', () => {
  const again = { ...company(one, 'first company of two'), mayReplay: true } as const;
  const made = [company(one, 'first company of two'), company(other, 'other company of two'), again];
  expect(idsOf(...made, read(one, 'first company of two'))).toEqual([1, 3, 4]);
});

test('only the creations count where one account was given the number twice', () => {
  const made = [company(one, 'first company of two'), company(one, 'other company of two')];
  expect(idsOf(...made, read(one, 'first company of two'))).toEqual([1, 2]);
});

test('a list of the other account shows none of its records', () => {
  const made = [company(one, 'first company of two'), company(other, 'other company of two')];
  const world = new World(historyOf(...made, read(one, 'first company of two'), list(one), list(other)));
  const shown = world.replies.slice(-2).map((reply) => world.shown('company', reply, { id: 41, name: 'any' })?.id);
  expect(shown).toEqual([41, undefined]);
});

test('other numbers are not affected', () => {
  expect(idsOf(company(one, 'first company of two'), company(other, 'other company of two', 42))).toEqual([1, 2]);
});

const list = (credential: string): Exchange => ({
  operation: 'GET /companies',
  path: '/companies',
  credential,
  json: { data: [] },
});
