// What the reference does where the document is silent, and what no run waits for; all else of it is examined by the suite itself.
import { beforeEach, expect, test } from 'vitest';
import { capacity, Store } from './store.ts';
import { ids, type Trial, trial } from './trial.test-data.ts';

let t: Trial;
beforeEach(async () => {
  t = await trial();
});

test('an error of the reference itself is answered with an envelope that does not show the cause', async () => {
  let now = 0;
  const broken = await trial({}, { clock: { now: () => now, sleep: async () => {} } });
  now = 9e15;
  const answer = await broken.ask('GET /health');
  expect([answer.status, answer.error]).toEqual([500, { code: 'INTERNAL_ERROR', message: 'Internal error' }]);
});

test('the same seed makes the same server', async () => {
  const [one, same, other] = [await trial(), await trial(), await trial({}, { seed: 2 })];
  expect(one.env).toEqual(same.env);
  expect(one.env.COVENANT_API_KEY).not.toBe(other.env.COVENANT_API_KEY);
  expect((await one.ask('GET /me')).text).toBe((await same.ask('GET /me')).text);
});

test.each([{ minuteMs: 0 }, { tiers: { starter: { read: 0 } } }])(
  'the reference refuses the options %j',
  async (options) => {
    await expect(trial({}, options)).rejects.toThrow(RangeError);
  },
);

const company = { name: 'A', company_type: 'lender' };
const contact = { contact_type: 'sponsor', company_id: 1 };
const phone = { raw: '+12125550123' };

test.each([
  ['/companies', { ...company, org_id: '7' }, 422],
  ['/companies', { ...company, org_id: 1.5 }, 422],
  ['/companies', { ...company, website: 'ftp://a.example' }, 422],
  ['/companies', { ...company, website: 'aspen' }, 422],
  ['/companies', { ...company, city: 5 }, 422],
  ['/companies', { ...company, city: null }, 201],
  ['/companies', `{"a": "${'x'.repeat(1_048_577)}"}`, 413],
  ['/companies/1/notes', { text: 'x'.repeat(10_001) }, 422],
  ['/companies/1/notes', { text: 'x'.repeat(10_000) }, 201],
  ['/contacts', { ...contact, company_id: 9 }, 404],
  ['/contacts', { ...contact, is_primary: 'yes' }, 422],
  ['/contacts', { ...contact, photo_url: 'me' }, 422],
  ['/contacts', { ...contact, phones: {} }, 422],
  ['/contacts', { ...contact, phones: ['+12125550123'] }, 422],
  ['/contacts', { ...contact, phones: [{ ...phone, country: 'XX' }] }, 422],
  ['/auth/validate-api-key', {}, 422],
  ['/auth/validate-api-key', { api_key: null }, 422],
  ['/auth/validate-api-key', { api_key: 5 }, 422],
])('POST %s %j answers %i', async (path, body, status) => {
  expect((await t.ask(`POST ${path}`, { body })).status).toBe(status);
});

test('an extension inside the number of a phone is told apart', async () => {
  const { data } = await t.ask('POST /contacts', { body: { ...contact, phones: [{ raw: '212-555-0123 x5' }] } });
  expect(data.phones?.[0]).toMatchObject({ e164: '+12125550123', extension: '5' });
});

test('lists refuse cursors that they did not issue', async () => {
  const foreign = String((await t.ask('GET /companies?limit=1')).pagination.next_cursor);
  for (const cursor of ['', 'x', '%25%25', 'bnVsbA', `${foreign}A`, 'e30']) {
    expect((await t.ask(`GET /companies?cursor=${cursor}`)).status).toBe(400);
  }
  expect((await t.ask(`GET /contacts?cursor=${encodeURIComponent(foreign)}`)).status).toBe(400);
});

test.each(['created_at', '-created_at', 'name', '-name'])('lists sorted by %s are in that order', async (sort) => {
  const { data } = await t.ask(`GET /companies?sort=${sort}`);
  const values = data.map((one) => String(one[sort.replace('-', '')]));
  expect(values).toEqual(sort.startsWith('-') ? [...values].sort().reverse() : [...values].sort());
});

test('lists refuse unknown sorts and an invalid offset, and end after the last record', async () => {
  for (const query of ['sort=colour', 'sort=constructor', 'sort=name&offset=-1'])
    expect((await t.ask(`GET /companies?${query}`)).status).toBe(400);
  const beyond = await t.ask('GET /companies?sort=name&offset=100');
  expect([ids(beyond), beyond.pagination.has_more]).toEqual([[], false]);
});

test('a JWT expires, also when it was verified before', async () => {
  const short = await trial({}, { jwtLifetimeMs: 60_000 });
  expect((await short.ask('GET /me', { as: 'JWT' })).status).toBe(200);
  short.pass(59_000);
  expect((await short.ask('GET /me', { as: 'JWT' })).status).toBe(200);
  short.pass(1_000);
  expect((await short.ask('GET /me', { as: 'JWT' })).status).toBe(401);
});

test.each(['/me/team-accounts', '/account/team', '/companies', '/contacts', '/api-keys'])(
  'GET %s needs an active account',
  async (path) => {
    expect((await t.ask(`GET ${path}`, { as: 'JWT_NO_ACCOUNT' })).status).toBe(400);
  },
);

test('API keys have a maximum per account', async () => {
  t = await trial({ maxKeys: 3 });
  const make = () => t.ask('POST /api-keys', { body: { label: 'x' } });
  const { data } = await make();
  expect((await make()).status).toBe(403);
  await t.ask(`DELETE /api-keys/${data.id}`);
  expect((await make()).status).toBe(201);
});

test('identifiers grow, and creation is refused with 403 when the store is full', () => {
  const store = new Store(7);
  expect([store.admit('note'), store.admit('note'), store.admit('company')]).toEqual([7, 8, 7]);
  for (let count = 2; count < capacity; count += 1) store.admit('note');
  expect(() => store.admit('note')).toThrow(/no more than 20000/);
  expect(store.admit('company')).toBe(8);
});
