// Tests of rules for creations: ordinary ones are accepted, and get 403 for a user without the permission.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofCharsets, ofCreations, ofForbidden } from '../rules.test-data.ts';

const restricted = 'COVENANT_API_KEY_RESTRICTED';
const usual = { name: 'Northfield Capital', company_type: 'lender', city: 'Northfield' };
const company = (status: number, body: object = usual, more: Partial<Exchange> = {}): Exchange => ({
  ...{ operation: 'POST /companies', path: '/companies', body, status, json: { data: { id: 7 } } },
  ...more,
});
const contact = (status: number, change: object = {}): Exchange => ({
  operation: 'POST /contacts',
  path: '/contacts',
  body: { contact_type: 'sponsor', company_id: 7, last_name: 'Lovelace', ...change },
  status,
  json: { data: { id: 9 } },
});

const bare = { name: 'Southfield Capital', company_type: 'lender' };
const whole = { ...usual, state: 'MA', website: 'https://www.example.com/' };
const short = (status: number, name: string): Exchange => company(status, { name, company_type: 'lender' });

const [first_name, city, state, title] = ['Ada', 'Boston', 'MA', 'Analyst'];
const dialled = { phones: [{ raw: '(212) 555-0142' }] };

test.each<[what: string, exchanges: readonly Exchange[], accused: number]>([
  ['a usual creation that is refused', [company(201), company(422, { ...usual, name: 'Southfield Capital' })], 1],
  [
    'what was taken with less, and with more',
    [short(201, 'Eastfield'), company(201, whole), company(422, { ...bare, state: 'NY' })],
    1,
  ],
  ['what was only ever taken with more', [company(201, whole), company(422, { ...bare, state: 'NY' })], 0],
  ['a member that was never taken', [short(201, 'Eastfield'), company(422, { ...bare, state: 'NY' })], 0],
  [
    'of its members any two were taken together, and each without what it lacks',
    [contact(201, { city, state }), contact(201, { city, title }), contact(201, { state }), contact(422, { city })],
    1,
  ],
  [
    'a member that was never taken without another one',
    [contact(201, { city, state }), contact(201, { title }), contact(422, { city, last_name: undefined, first_name })],
    0,
  ],
  [
    'a contact without a last name, where that was taken',
    [contact(201, { first_name, last_name: undefined }), contact(422, { first_name, last_name: undefined })],
    1,
  ],
  ['a name of one character, which an earlier run may have given', [short(201, 'Q'), short(422, 'X')], 0],
  ['a name that another company has', [company(201), company(422)], 0],
  ['an array without phones', [contact(201, dialled), contact(422, { phones: [] })], 0],
  ['a usual contact that is refused', [contact(201, { city: 'Berlin' }), contact(422, { city: 'Boston' })], 1],
  ['a body of a kind that is never taken', [contact(201), contact(422, { city: 'Boston' })], 0],
  ['a known phone that is refused', [contact(201, dialled), contact(422, dialled)], 1],
  ['a phone that is never taken', [contact(201, dialled), contact(422, { phones: [{ raw: '2125550141' }] })], 0],
  ['an unknown phone that is refused', [contact(201), contact(422, { phones: [{ raw: '555' }] })], 0],
  ['a contact of a company that was never written to', [contact(201), contact(404, { company_id: 8 })], 0],
  ['what nobody could make', [company(422), company(422)], 0],
  ['a text of two lines', [company(201), company(422, { ...usual, city: 'North\nfield' })], 0],
  ['what is no address', [contact(201), contact(422, { email: 'no address at all' })], 0],
  ['a creation that came too often', [company(201), company(429)], 0],
  ['an outage', [contact(201, dialled), contact(500, { phones: [] })], 1],
  ['an outage of a body with a member of another type', [contact(201), contact(500, { phones: null })], 0],
  ['an outage where nothing was ever made', [contact(201), contact(500, { company_id: 8 })], 0],
  ['a defect', [company(201), company(422, { ...usual, company_type: 'broker' })], 0],
])('%s', (_, exchanges, accused) => {
  expect(ofCreations(historyOf(...exchanges)).map(({ id }) => id)).toEqual(
    Array.from({ length: accused }, () => 'envelope-valid-served'),
  );
});

const by = { credential: restricted };
const seen: Exchange = { operation: 'GET /companies', path: '/companies', json: { data: [{ id: 7 }] }, ...by };

test.each<[what: string, exchanges: readonly Exchange[], accused: readonly string[]]>([
  ['one is not found', [403, 403, 404].map((status) => company(status, usual, by)), ['companies']],
  ['one is carried out', [403, 403, 201].map((status) => company(status, usual, by)), ['companies']],
  ['it is refused for something else', [company(422, usual, by)], ['companies']],
  ['a defect is refused first', [company(403, usual, by), company(422, { name: 'x' }, by)], []],
  ['an odd member is refused first', [company(422, { ...usual, zip: 'none' }, by)], []],
  ['a contact of a company that is not shown is not found', [{ ...contact(404), ...by }], []],
  ['a contact of a type that the company never took', [seen, { ...contact(422), ...by }], []],
  ['one of a type that it took from others', [contact(201), seen, { ...contact(422), ...by }], ['contacts']],
  ['a contact of a company that is shown is not found', [contact(201), seen, { ...contact(404), ...by }], ['contacts']],
])('a user who may not create: %s', (_, exchanges, accused) => {
  expect(ofForbidden(historyOf(...exchanges)).map(({ id }) => id)).toEqual(
    accused.map((id) => `${id}-create-forbidden`),
  );
});

test.each<[what: string, labelled: readonly (readonly [status: number, charset?: string])[], accused: number]>([
  ['is taken', [[201, '; charset=utf-8'], [201]], 0],
  ['is refused', [[415, '; charset=utf-8'], [201]], 1],
  ['is refused once', [[415, '; charset=utf-8'], [201, ';charset=UTF-8'], [201]], 0],
  ['is refused with everything else', [[415, '; charset=utf-8'], [415]], 0],
  ['is limited', [[429, '; charset=utf-8'], [201]], 0],
])('a note with a charset in its Content-Type %s', (_, labelled, accused) => {
  const notes = labelled.map(
    ([status, charset = '']): Exchange => ({
      ...{ operation: 'POST /companies/{company_id}/notes', path: '/companies/7/notes', body: { text: 'ab' }, status },
      headers: { 'content-type': `application/json${charset}` },
    }),
  );
  expect(ofCharsets(historyOf(...notes))).toHaveLength(accused);
});
