// Companies, notes and contacts of the reference.
import { beforeEach, describe, expect, test } from 'vitest';
import { capacity, Store } from './store.ts';
import { type Trial, trial } from './trial.test-data.ts';

let t: Trial;
beforeEach(async () => {
  t = await trial();
});
const total = async (path: string) => (await t.ask(`GET ${path}`)).pagination.total;

describe('companies', () => {
  const full = {
    name: 'Aspen & Sons',
    company_type: 'sponsor',
    website: 'https://aspen.example/about',
    address: '1 Elm Street',
    city: 'Denver',
    state: 'CO',
    zip: '80202',
    org_id: 77,
    linkedin_url: 'https://linkedin.example/aspen',
  };

  test('companies are returned as given, in the reply, by identifier and in the list', async () => {
    const made = await t.ask('POST /companies', { body: { ...full, unknown: 1 } });
    expect(made.status).toBe(201);
    expect(made.data).toMatchObject(full);
    expect(made.data).not.toHaveProperty('unknown');
    expect((await t.ask(`GET /companies/${made.data.id}`)).data).toEqual(made.data);
    expect((await t.ask('GET /companies?limit=1')).data[0]).toEqual(made.data);
  });

  test.each([
    [{ company_type: 'lender' }, 422],
    [{ name: 'A' }, 422],
    [{ name: '', company_type: 'lender' }, 422],
    [{ name: null, company_type: 'lender' }, 422],
    [{ name: ['A'], company_type: 'lender' }, 422],
    [{ name: 'A', company_type: 'bank' }, 422],
    [{ name: 'A', company_type: 'lender', org_id: '7' }, 422],
    [{ name: 'A', company_type: 'lender', org_id: 1.5 }, 422],
    [{ name: 'A', company_type: 'lender', website: 'ftp://a.example' }, 422],
    [{ name: 'A', company_type: 'lender', website: 'aspen' }, 422],
    [{ name: 'A', company_type: 'lender', city: 5 }, 422],
    [{ name: 'A', company_type: 'lender', city: null }, 201],
    [{ name: '🏦'.repeat(256), company_type: 'lender' }, 422],
    [{ name: '🏦'.repeat(255), company_type: 'lender' }, 201],
  ])('%j answers %i', async (body, status) => {
    const before = Number(await total('/companies'));
    expect((await t.ask('POST /companies', { body })).status).toBe(status);
    expect(await total('/companies')).toBe(before + (status === 201 ? 1 : 0));
  });

  test('companies are edited in part, by the same rules', async () => {
    const { id } = (await t.ask('POST /companies', { body: full })).data;
    t.pass(1_000);
    const edited = await t.ask(`PATCH /companies/${id}`, { body: { city: 'Boulder', zip: null } });
    expect([edited.status, edited.data]).toEqual([
      200,
      expect.objectContaining({ ...full, city: 'Boulder', zip: null }),
    ]);
    expect(edited.data.updated_at).not.toBe(edited.data.created_at);
    for (const body of [{ name: '' }, { name: null }, { company_type: null }, { company_type: 'x' }, { org_id: 'x' }]) {
      expect((await t.ask(`PATCH /companies/${id}`, { body })).status).toBe(422);
    }
    expect((await t.ask(`GET /companies/${id}`)).data).toEqual(edited.data);
    expect((await t.ask('PATCH /companies/999999', { body: { city: 'x' } })).status).toBe(404);
  });

  test('companies of another account do not exist', async () => {
    for (const line of ['GET /companies/1', 'GET /companies/1/notes', 'DELETE /companies/1/notes/1']) {
      expect((await t.ask(line, { as: 'API_KEY_SECONDARY' })).status).toBe(404);
    }
    expect((await t.ask('PATCH /companies/1', { as: 'API_KEY_SECONDARY', body: { city: 'x' } })).status).toBe(404);
    expect((await t.ask('POST /companies/1/notes', { as: 'API_KEY_SECONDARY', body: { text: 'x' } })).status).toBe(404);
  });
});

describe('notes', () => {
  const text = ' first\nsecond "quoted" \\ <b>&amp; 🏦 ';

  test('notes are created, edited and deleted for good', async () => {
    const made = await t.ask('POST /companies/2/notes', { body: { text } });
    expect([made.status, made.data.text]).toEqual([201, text]);
    const path = `/companies/2/notes/${made.data.id}`;
    const edited = await t.ask(`PATCH ${path}`, { body: { text: 'new' } });
    expect([edited.status, edited.data.id, edited.data.text]).toEqual([200, made.data.id, 'new']);
    expect((await t.ask('GET /companies/2/notes')).data[0]).toEqual(edited.data);
    expect((await t.ask(`PATCH /companies/1/notes/${made.data.id}`, { body: { text: 'x' } })).status).toBe(404);
    const deleted = await t.ask(`DELETE ${path}`);
    expect([deleted.status, deleted.data]).toEqual([200, { deleted: true }]);
    expect((await t.ask(`DELETE ${path}`)).status).toBe(404);
    expect((await t.ask(`PATCH ${path}`, { body: { text: 'x' } })).status).toBe(404);
    expect(await total('/companies/2/notes')).toBe(0);
  });

  test.each([
    ['POST', {}, 422],
    ['POST', { text: '' }, 422],
    ['POST', { text: ' \t\n' }, 422],
    ['POST', { text: 5 }, 422],
    ['POST', { text: null }, 422],
    ['POST', { text: 'x'.repeat(10_001) }, 422],
    ['POST', { text: 'x'.repeat(10_000) }, 201],
    ['PATCH', {}, 422],
    ['PATCH', { text: '' }, 400],
    ['PATCH', { text: ' \t\n' }, 422],
    ['PATCH', { text: [] }, 422],
  ])('%s %j answers %i', async (method, body, status) => {
    const before = (await t.ask('GET /companies/1/notes')).data;
    const path = method === 'POST' ? '/companies/1/notes' : '/companies/1/notes/1';
    expect((await t.ask(`${method} ${path}`, { body })).status).toBe(status);
    if (status !== 201) expect((await t.ask('GET /companies/1/notes')).data).toEqual(before);
  });
});

describe('contacts', () => {
  const full = {
    contact_type: 'lender_contact',
    company_id: 1,
    first_name: 'Amélie',
    last_name: 'Roux',
    email: 'amelie@roux.example',
    title: 'Partner',
    department: 'Debt',
    address: '1 Elm Street',
    address2: 'Suite 4',
    city: 'Denver',
    state: 'CO',
    zip: '80202',
    linkedin_url: 'https://linkedin.example/roux',
    photo_url: 'https://roux.example/me.png',
    is_primary: true,
  };

  test('contacts are returned as given, in the reply and in the list', async () => {
    const made = await t.ask('POST /contacts', { body: full });
    expect([made.status, made.data]).toEqual([201, expect.objectContaining(full)]);
    expect((await t.ask('GET /contacts?limit=1')).data[0]).toEqual(made.data);
  });

  test.each([
    [{ company_id: 1 }, 422],
    [{ contact_type: 'sponsor' }, 422],
    [{ contact_type: 'lender', company_id: 1 }, 422],
    [{ contact_type: 'sponsor', company_id: '1' }, 422],
    [{ contact_type: 'sponsor', company_id: 999_999 }, 404],
    [{ contact_type: 'sponsor', company_id: 9 }, 404],
    [{ contact_type: 'sponsor', company_id: 1, is_primary: 'yes' }, 422],
    [{ contact_type: 'sponsor', company_id: 1, photo_url: 'me' }, 422],
    [{ contact_type: 'sponsor', company_id: 1, phones: {} }, 422],
    [{ contact_type: 'sponsor', company_id: 1, phones: ['+12125550123'] }, 422],
    [{ contact_type: 'sponsor', company_id: 1, phones: [{}] }, 422],
    [{ contact_type: 'sponsor', company_id: 1, phones: [{ raw: '+12125550123', type: 'home' }] }, 422],
    [{ contact_type: 'sponsor', company_id: 1, phones: [{ raw: '+12125550123', country: 'XX' }] }, 422],
    [{ contact_type: 'sponsor', company_id: 1, phones: [{ raw: '+12125550123' }, { raw: 'abc' }] }, 422],
    [{ contact_type: 'sponsor', company_id: 1, phones: [{ raw: '7' }] }, 422],
    [{ contact_type: 'sponsor', company_id: 1, phones: [{ raw: '1'.repeat(25) }] }, 422],
  ])('%j answers %i and makes nothing', async (body, status) => {
    const before = await total('/contacts');
    expect((await t.ask('POST /contacts', { body })).status).toBe(status);
    expect(await total('/contacts')).toBe(before);
  });

  test.each([
    [{ raw: '(212) 555-0123' }, { e164: '+12125550123', type: 'mobile', country: 'US', extension: null }],
    [{ raw: '212-555-0123 x5' }, { e164: '+12125550123', extension: '5' }],
    [
      { raw: '020 7946 0958', country: 'GB', type: 'office' },
      { e164: '+442079460958', type: 'office' },
    ],
    [
      { raw: '+44 (0)20 7946 0958', type: 'fax', extension: '77' },
      { e164: '+442079460958', type: 'fax', extension: '77' },
    ],
    [
      { raw: '06 12 34 56 78', country: 'FR' },
      { e164: '+33612345678', country: 'FR' },
    ],
  ])('the phone %j becomes %j', async (phone, expected) => {
    const body = { contact_type: 'sponsor', company_id: 1, phones: [phone, { raw: '+12125550199' }] };
    const { data } = await t.ask('POST /contacts', { body });
    expect(data.phones?.[0]).toMatchObject({ raw: phone.raw, ...expected });
    expect(data.phones?.[1]).toMatchObject({ e164: '+12125550199' });
  });
});

test('identifiers grow, and creation is refused with 403 when the store is full', () => {
  const store = new Store(7);
  expect([store.admit('note'), store.admit('note'), store.admit('company')]).toEqual([7, 8, 7]);
  for (let count = 2; count < capacity; count += 1) store.admit('note');
  expect(() => store.admit('note')).toThrow(/no more than 20000/);
  expect(store.admit('company')).toBe(8);
});
