// What a reply says: identifiers under each of their lawful names, integers that no double holds, which replies are the target's own word, and what a call leaves open.
import { describe, expect, test } from 'vitest';
import { doubtOf, endOfObject, mayDifferFromFirst, shapeOf } from './doubt.ts';
import { LargeIntegers, parseExactly } from './large-integers.ts';
import { identifierNames, identifierOf, type Sent } from './reply.ts';
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

const large = '1234567890123456789';
const next = '1234567890123456790';
const limits = { timeoutMs: 1000 };
const get: Sent = { method: 'GET', url: 'http://t.test/x', headers: {} };

function exchanging(body: string) {
  const integers = new LargeIntegers();
  const sent: Sent[] = [];
  const send = integers.through(async (request) => {
    sent.push(request);
    return { status: 200, headers: {}, body };
  });
  return { integers, sent, send };
}

test('two neighbours stay two integers, and come out as they came in', async () => {
  const { integers, sent, send } = exchanging(
    `{"data":[{"id":${large}},{"id":${next}},{"id":7}],"half":0.12500000000000000000}`,
  );
  const { data, half } = JSON.parse((await send(get, limits)).body);
  const [one, other, small] = data;
  expect([one, other, small].every(({ id }) => Number.isSafeInteger(id))).toBe(true);
  expect(new Set([one.id, other.id, small.id]).size).toBe(3);
  expect([small.id, half]).toEqual([7, 0.125]);
  const headers = { 'x-active-account': String(other.id) };
  await send({ ...get, url: `http://t.test/x/${one.id}/y/${other.id}`, headers, body: `{"id":${one.id}}` }, limits);
  expect(sent[1]).toMatchObject({
    url: `http://t.test/x/${large}/y/${next}`,
    headers: { 'x-active-account': next },
    body: `{"id":${large}}`,
  });
  expect(integers.asked({ ...get, ...sent[1] })).toMatchObject({
    url: `http://t.test/x/${one.id}/y/${other.id}`,
    headers,
    body: `{"id":${one.id}}`,
  });
  expect(integers.written(`the note ${one.id} of ${other.id}`)).toBe(`the note ${large} of ${next}`);
  expect(integers.writtenIn({ entry: 'made', n: 1, id: String(one.id) })).toEqual({ entry: 'made', n: 1, id: large });
});

test('a text that holds the digits of a number stays the same text, before and after the number was shown', async () => {
  const { integers, sent, send } = exchanging(`{"id":"con_${large}","seq":${large},"cursor":"${large}"}`);
  const [first, second] = [await send(get, limits), await send(get, limits)].map(({ body }) => JSON.parse(body));
  expect(second).toEqual(first);
  expect(first).toMatchObject({ id: `con_${large}`, cursor: large });
  const given: Sent = {
    ...get,
    url: `http://t.test/x?cursor=${large}`,
    headers: { 'x-of': `no. ${large}` },
    body: `{"text":"${large}"}`,
  };
  await send(given, limits);
  expect(sent[2]).toEqual(given);
  expect(integers.asked(given)).toEqual(given);
});

test('read outside of a run, an integer that no double holds is a text of its digits', () => {
  expect(parseExactly(`{"a":${large},"b":[-${large},12,1.5e300],"c":"${large}"}`)).toEqual({
    a: large,
    b: [`-${large}`, 12, 1.5e300],
    c: large,
  });
});

const received = (status: number, text: string) => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status, text, json };
};
const envelope = '{"request_id":"r","error":{"code":"C","message":"m"}}';

describe('the target’s own word', () => {
  test.each([
    [200, '{"request_id":"r","data":{}}'],
    [404, '{"detail":"not in the envelope"}'],
    [500, envelope],
    [503, envelope],
    [408, envelope],
    [429, envelope],
    [204, ''],
    [302, '<html>moved</html>'],
    [200, `)]}'\n${envelope}`],
    [200, `${envelope}\n${envelope}`],
    [200, `${envelope}</html>`],
  ])('%d %s', (status, text) => {
    expect(doubtOf(received(status, text))).toBeUndefined();
  });
});

describe('suspect', () => {
  test.each([
    [502, '<html>Bad Gateway</html>', '502 without the error envelope'],
    [503, '{"message":"Service Unavailable"}', '503 without the error envelope'],
    [503, '{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}', '503 without the error envelope'],
    [504, '{"error":{"code":"BackendConnectionFailure","message":"m"}}', '504 without the error envelope'],
    [523, '', '523 without the error envelope'],
    [408, '<html>', '408 without the error envelope'],
    [429, '<html>', '429 without the error envelope'],
    [200, '{"request_id":"r","da', '200 with a body that is not JSON'],
    [404, '<html>', '404 with a body that is not JSON'],
    [403, '', '403 with an empty body'],
  ])('%d %s', (status, text, why) => {
    expect(doubtOf(received(status, text))).toBe(why);
  });
});

describe('sent again after its reply was lost', () => {
  const notes = 'POST /companies/{company_id}/notes';
  test.each<[string, string, boolean, boolean, number, boolean]>([
    ['GET', 'GET /me', false, true, 404, false],
    ['DELETE', 'DELETE /api-keys/{key_id}', true, true, 200, false],
    ['DELETE', 'DELETE /api-keys/{key_id}', true, true, 404, true],
    ['DELETE', 'DELETE /api-keys/{key_id}', true, true, 401, true],
    ['DELETE', 'DELETE /api-keys/{key_id}', true, false, 401, false],
    ['PATCH', 'PATCH /me/active-account', false, true, 200, false],
    ['POST', 'POST /auth/validate-api-key', false, true, 200, false],
    ['POST', notes, true, true, 201, false],
    ['POST', notes, true, true, 409, true],
    ['POST', notes, false, true, 201, true],
    ['POST', 'POST /companies', true, true, 201, true],
    ['POST', 'POST /api-keys', false, true, 422, false],
  ])('%s: %s, keyed %s, authorised %s, %d', (method, operation, keyed, authorised, status, differs) => {
    expect(mayDifferFromFirst({ method, operation, keyed, authorised }, status)).toBe(differs);
  });
});

test.each([
  ['1', 0, 1],
  ['[]', 1, 2],
  ['[1,2,[3]]', 2, 5],
  ['{"a":{"b":[]},"c":"[{,\\"]"}', 3, 5],
  ['"\\\\",[', 1, 3],
  ['"never ended [', 0, 1],
])('%s has %i levels, %i values', (text, levels, values) => {
  expect(shapeOf(text)).toEqual({ levels, values });
});

test.each([
  ['{}', 2],
  ['{"a":{"b":"}\\""}} more', 17],
  ['{"a":[{}', undefined],
  [' {}', undefined],
  ['[]', undefined],
])('the object with which %s begins ends at %s', (text, end) => {
  expect(endOfObject(text)).toBe(end);
});
