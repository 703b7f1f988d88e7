// Identifiers are found under each of their lawful names, and those of other records are not taken for them.
import { expect, test } from 'vitest';
import { identifierNames, identifierOf } from './reply.ts';
import { type Call, isUndocumented } from './request.ts';

test.each([
  [{ id: 7 }, ['id']],
  [{ company_id: 7, name: 'x' }, ['company_id']],
  [{ id: 7, company_id: 7 }, ['id', 'company_id']],
  [{ id: 'cmp_7', company_id: 7 }, ['id', 'company_id']],
  [{ ref: { id: 7, type: 'company' }, name: 'x' }, ['ref']],
  [{ owner: { id: 3 }, company: { companyId: 7 } }, ['company']],
  [{ uid: 7, employees: 12 }, ['uid']],
  [{ id: 3, company_id: 7 }, ['company_id']],
  [{ company_number: 7 }, ['company_number']],
  [{ id: 7, url: '/companies/7', city: 'Route 7', zip: '02107' }, ['id', 'url']],
])('the company %j has identifier 7', (record, names) => {
  expect(identifierOf('company', record)).toBe(7);
  expect(identifierNames('company', record)).toEqual(names);
});

test.each([
  {},
  { id: null },
  { number: '7', employees: 7 },
  { created_by: { id: 3 } },
  { contact: { id: 3 } },
  undefined,
])('the company %j has none', (record) => expect(identifierOf('company', record)).toBeUndefined());

test('the company of a contact is not the contact', () =>
  expect(identifierOf('contact', { company: { id: 3 }, company_id: 3, ref: { id: 'c-9' } })).toBe('c-9'));

const asking = (query: NonNullable<Call['query']>): Call => ({ query });

test.each([
  ['GET /companies', asking({ limit: 2, cursor: 'x', fields: 'name' })],
  ['GET /contacts', asking({ sort: 'created_at', offset: 2 })],
  ['GET /api-keys', asking({ limit: 2, offset: 1 })],
  ['GET /me/accounts', asking({ limit: undefined })],
  ['GET /me', { account: 'summit-west' }],
] as const)('%s %o is described', (operation, call) => {
  expect(isUndocumented(operation, call)).toBe(false);
});

test.each([
  ['GET /companies/{company_id}/notes', asking({ fields: 'text' })],
  ['GET /api-keys', asking({ cursor: 'x' })],
  ['GET /account/team', asking({ limit: 2 })],
  ['GET /me/accounts', asking({ fields: '"' })],
  ['GET /me', asking({ fields: 'platform' })],
  ['GET /me', { account: 'lakeshore', undocumented: true }],
] as const)('%s %o leaves something open', (operation, call) => {
  expect(isUndocumented(operation, call)).toBe(true);
});
