// Tests of the rules for errors: each fails on a violation, and says nothing about a lawful reply.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofErrors } from '../rules.test-data.ts';
import { unknownId } from './rules.ts';

const envelope = { request_id: 'r', error: { code: 'NO', message: 'No.' } };
const mark = 'Covenant 0a1b2c company 1';
const list: Exchange = { operation: 'GET /companies', path: '/companies', json: { data: [{ id: 7, name: mark }] } };
const create: Exchange = { operation: 'POST /companies', path: '/companies', json: envelope };
const [undocumented, nobody] = [true as const, { headers: { authorization: undefined } }];
const cut: Exchange = { ...create, text: `{"name": "${mark}", "company_type": "lender"`, undocumented };
const long: Exchange = { ...list, path: `/companies?fields=${'x'.repeat(2100)}`, undocumented };
const unknown: Exchange = { ...list, path: '/covenant-unknown', json: envelope, status: 404 };
const blank: Exchange = {
  ...{ operation: 'POST /companies/{company_id}/notes', body: { text: ' ' }, json: envelope },
  path: `/companies/${unknownId}/notes`,
};
const contact: Exchange = { operation: 'POST /contacts', path: '/contacts', json: envelope };

test.each<[what: string, exchanges: readonly Exchange[], found: readonly string[]]>([
  [
    'a body that is no JSON is refused and leaves nothing',
    [
      { ...cut, status: 400 },
      { ...list, json: {} },
    ],
    [],
  ],
  ['a body that is no JSON is an outage', [{ ...cut, status: 500 }], ['errors-malformed-json-status']],
  ['a body that is no JSON leaves a record', [{ ...cut, status: 422 }, list], ['errors-malformed-json-effect']],
  [
    'a body that is no JSON is answered without the envelope',
    [{ ...cut, status: 400, json: {} }],
    ['errors-malformed-json-envelope'],
  ],
  ['odd input is accepted', [{ ...list, undocumented }], []],
  ['odd input is refused', [{ ...list, json: envelope, status: 400, undocumented }], []],
  ['odd input is an outage', [{ ...create, body: [], status: 500, undocumented }], ['errors-strange-input-status']],
  [
    'odd input gets a page',
    [{ ...create, body: [], status: 400, json: undefined, undocumented }],
    ['errors-strange-input-envelope'],
  ],
  ['a long query is accepted', [long], []],
  ['a long query gets a page', [{ ...long, status: 414, json: undefined }], ['errors-long-query']],
  ['an unknown route has the envelope', [unknown], []],
  ['an unknown route has a page', [{ ...unknown, json: undefined }], ['errors-unknown-route']],
  ['an unknown route is a success', [{ ...unknown, status: 200 }], ['errors-unknown-route']],
  [
    'a blank text on nothing is refused',
    [
      { ...blank, status: 422 },
      { ...blank, status: 404 },
    ],
    [],
  ],
  ['a blank text on nothing is an outage', [{ ...blank, status: 500 }], ['errors-defects-combined']],
  ['a blank text is all that is wrong', [{ ...blank, path: '/companies/7/notes', status: 500 }], []],
  ['an unknown company is all that is wrong', [{ ...blank, body: { text: 'a' }, status: 500 }], []],
  ['nobody sends a defect, refused', [{ ...create, ...nobody, body: {}, status: 401 }], []],
  ['nobody sends a defect, accepted', [{ ...create, ...nobody, body: {}, status: 201 }], ['errors-defects-combined']],
  ['a gateway may have answered', [{ ...create, ...nobody, body: {}, status: 503 }], []],
  [
    'a contact lacks its type and has no number to call',
    [{ ...contact, body: { phones: [{ raw: 'none' }, null] }, status: 500 }],
    ['errors-defects-combined'],
  ],
  ['a contact lacks its type', [{ ...contact, body: { phones: [{ raw: '5' }] }, status: 500 }], []],
])('%s', (_, exchanges, found) => {
  expect(ofErrors(historyOf(...exchanges)).map(({ id }) => id)).toEqual(found);
});

test('a method that a path does not offer gets the envelope, and an undocumented path is open', () => {
  const found = (path: string, json?: unknown) => {
    const { replies, lost } = historyOf({ ...create, path, status: 405, json });
    const routes = replies.map(({ operation: _, ...one }) => ({ ...one, request: { ...one.request, method: 'PUT' } }));
    return ofErrors({ lost, replies: routes }).map(({ id, operation }) => [id, operation]);
  };
  expect(found('/companies', envelope)).toEqual([]);
  expect(found('/companies')).toEqual([['errors-wrong-method', undefined]]);
  expect(found('/deals')).toEqual([]);
});
