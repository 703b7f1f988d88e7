// Which calls ask for something of which the document does not say what it does.
import { expect, test } from 'vitest';
import { type Call, isUndocumented } from './request.ts';

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
