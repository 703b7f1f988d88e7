// What varies means nothing, follows from the seed, and leaves alone what a case means to send.
import { expect, test } from 'vitest';
import { seededRandom } from '../../runtime/random.ts';
import { at } from '../reply.ts';
import type { Call } from '../request.ts';
import { Variation } from './variation.ts';

const key = { name: 'COVENANT_API_KEY', kind: 'key', token: 'a', accounts: ['COVENANT_API_KEY'] } as const;
const note = 'POST /companies/{company_id}/notes';

function begun(seed = 1): Variation {
  const variation = new Variation(seededRandom(seed));
  variation.acceptsCharset();
  variation.acceptsAccount(key, 'own');
  variation.begin();
  return variation;
}

const many = (
  call: Call,
  operation: typeof note | 'POST /companies' | 'POST /api-keys' | 'GET /companies' = note,
): Call[] => {
  const variation = begun();
  return Array.from({ length: 60 }, () => variation.of('case', operation, key, call));
};

test('nothing is varied before the run has begun, and never what is to be sent exactly', () => {
  const call = { body: { text: 'a' } };
  expect(new Variation(seededRandom(1)).of('case', note, key, call)).toBe(call);
  const exact = { ...call, exactly: true } as const;
  const { text, ...rest } = begun().of('case', note, key, exact);
  expect(rest).toEqual(exact);
  expect(JSON.parse(text ?? '')).toEqual(call.body);
});

test('a body is written in many ways and always says the same', () => {
  const texts = many({ body: { text: 'ä "b"', more: [1, null] } }).map(({ text = '' }) => text);
  expect(new Set(texts).size).toBeGreaterThan(20);
  for (const text of texts) expect(JSON.parse(text)).toEqual({ text: 'ä "b"', more: [1, null] });
});

test('a new company keeps what the case gave it, whatever else it gets', () => {
  const bodies = many({ body: { name: 'A', company_type: 'lender' } }, 'POST /companies').map(
    ({ text = '' }): unknown => JSON.parse(text),
  );
  for (const body of bodies) expect(body).toMatchObject({ name: 'A', company_type: 'lender' });
  expect(bodies.some((body) => at(body, 'city') !== undefined)).toBe(true);
});

test('a secret stays readable, so that it can be concealed', () => {
  for (const { text } of many({ body: { text: 'svc_sk_abcdefgh' } })) expect(text).toContain('"svc_sk_abcdefgh"');
});

test('headers come and go, and what the case says stays', () => {
  const calls = many({ body: { text: 'a' } });
  for (const name of ['key', 'account'] as const) {
    expect(calls.some((one) => one[name] === undefined)).toBe(true);
    expect(calls.some((one) => one[name] !== undefined)).toBe(true);
  }
  const given = { body: { text: 'a' }, key: null, account: 'other', headers: { accept: 'x', 'content-type': null } };
  for (const call of many(given))
    expect(call).toMatchObject({ key: null, account: 'other', headers: { accept: 'x', 'content-type': null } });
});

test('only an API key that can be found again by its label may be made twice on the way', () => {
  const keyed = (label: string) => many({ body: { label } }, 'POST /api-keys').filter((call) => call.key !== undefined);
  expect(keyed('Covenant 012345 key 1').length).toBeGreaterThan(0);
  expect(keyed('NORTH SHORE LENDING')).toEqual([]);
});

test('equal calls under one key are equals, in every run of a seed', () => {
  const call = { body: { name: 'Covenant 012345 x', company_type: 'lender' }, key: 'k' };
  const other = { body: { ...call.body, name: 'Covenant abcdef x' }, key: 'other' };
  const [one, two] = [begun(), begun()].map((variation) => variation.of('case', 'POST /companies', key, call));
  expect(one).toEqual(two);
  const later = begun().of('another case', 'POST /companies', key, other);
  expect(later.text?.replace('abcdef', '012345')).toBe(one?.text);
});

test('of bodies that are to have no key two at a time are alike to the letter', () => {
  const texts = many({ body: { text: 'a', more: 'b' }, key: null }, 'POST /companies/{company_id}/notes').map(
    ({ text }) => text,
  );
  for (let at = 0; at + 1 < texts.length; at += 2) expect(texts[at + 1]).toBe(texts[at]);
  expect(new Set(texts).size).toBeGreaterThan(10);
});

test('members of a query change places', () => {
  const orders = many({ query: { limit: 2, cursor: 'c' } }, 'GET /companies').map(({ query = {} }) =>
    Object.keys(query).join(),
  );
  expect(new Set(orders)).toEqual(new Set(['limit,cursor', 'cursor,limit']));
});
