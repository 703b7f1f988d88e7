// Tests of the switch rules: 400 without a slug, 404 for an unknown or foreign one.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofSwitches } from '../rules.test-data.ts';

const session = 'COVENANT_JWT';
const to = (slug: unknown, status: number, more: Partial<Exchange> = {}): Exchange => ({
  operation: 'PATCH /me/active-account',
  path: '/me/active-account',
  body: slug === undefined ? {} : { slug },
  ...{ status, credential: session, ...more },
});
const own = to('north-shore', 200);
const read: Exchange = {
  operation: 'GET /companies',
  path: '/companies',
  json: { data: [] },
  credential: session,
  account: 'north-shore',
};
const invented = 'covenant-0123abcd';

test.each<[what: string, exchanges: readonly Exchange[], found: readonly string[]]>([
  ['one of nobody is malformed', [to(invented, 400)], ['account-active-unknown-slug']],
  ['one of nobody is taken, by a key', [to(invented, 200, { credential: 'KEY' })], ['account-active-unknown-slug']],
  ['one of nobody is an outage, by a key', [to(invented, 500, { credential: 'KEY' })], ['account-active-unknown-slug']],
  ['one of nobody is refused, by a key', [to(invented, 400, { credential: 'KEY' })], []],
  ['no slug is unprocessable', [to(undefined, 422)], ['account-active-missing-slug']],
  ['one of somebody else is malformed', [own, to('lakeshore', 400)], ['account-active-foreign-slug']],
  [
    'the same under a header that opens an account',
    [read, to('lakeshore', 422, { account: 'north-shore' })],
    ['account-active-foreign-slug'],
  ],
  [
    'under one that only the profile was shown with',
    [{ ...read, operation: 'GET /me', path: '/me' }, to('lakeshore', 422, { account: 'north-shore' })],
    [],
  ],
  ['under a header that opens none', [to('lakeshore', 422, { account: 'lakeshore' })], []],
  ['not found', [to(invented, 404), to('lakeshore', 404)], []],
  ['withheld', [to('lakeshore', 403)], []],
  ['withheld from somebody who may switch', [own, to(invented, 403)], ['account-active-unknown-slug']],
  ['by a key', [to('lakeshore', 400, { credential: 'KEY' })], []],
  ['an own one', [own, to('north-shore', 400)], []],
  ['of no usual form', [to('Lake Shore', 400)], []],
])('%s', (_, exchanges, found) => {
  expect(ofSwitches(historyOf(...exchanges)).map(({ id }) => id)).toEqual(found);
});
