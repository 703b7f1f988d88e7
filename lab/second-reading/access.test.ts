// Credentials, scopes, accounts and the envelope, over many seeds.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSecondReading } from './index.ts';
import { accountsIn, type Json, SEEDS, Trial } from './trial.test-data.ts';

const READS = ['/me', '/me/accounts', '/me/team-accounts', '/account/team', '/api-keys', '/companies', '/contacts'];
const BILLING = ['/billing/summary', '/billing/credits/balance'];
const LISTS = new Set(['/account/team', '/api-keys', '/companies', '/contacts']);
const MAYBE_LISTS = new Set(['/me/accounts', '/me/team-accounts']);

describe.each(SEEDS)('seed %i', (seed) => {
  test('answers reads in the envelope, with pagination on lists only', async () => {
    const trial = await Trial.start(seed);
    for (const path of [...READS, ...BILLING, '/health']) {
      const answer = await trial.get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      if (LISTS.has(path)) expect(Array.isArray(answer.data)).toBe(true);
      if (!MAYBE_LISTS.has(path)) expect('pagination' in answer.body).toBe(LISTS.has(path));
    }
  });

  test('refuses bad credentials with 401', async () => {
    const trial = await Trial.start(seed);
    const [head = '', payload = '', signature = ''] = trial.env('JWT').split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const other = createHmac('sha256', 'other').update(`${head}.${payload}`).digest('base64url');
    const claims = Buffer.from('{"sub":"11","exp":9999999999}').toString('base64url');
    const bad = ['', 'svc_sk_unknown', `${none}.${payload}.`, `${head}.${payload}.${other}`];
    bad.push(`${head}.${claims}.${signature}`, trial.env('JWT_EXPIRED'), 'x', 'a.b.c');
    for (const token of bad) {
      const answer = await trial.get('/me', { token });
      expect([token, answer.status]).toEqual([token, 401]);
      expect((answer.body.error as Json).message).toMatch(/authentication token/);
    }
    const raw = await trial.get('/companies', { token: '', headers: { Authorization: trial.env('API_KEY') } });
    expect(raw.status).toBe(401);
  });

  test('heeds scopes and rights', async () => {
    const trial = await Trial.start(seed);
    const token = trial.env('API_KEY_RESTRICTED');
    for (const path of ['/me/team-accounts', ...BILLING]) expect((await trial.get(path, { token })).status).toBe(403);
    const companies = await trial.get('/companies', { token });
    expect((companies.body.pagination as Json).total).toBeGreaterThan(0);
    const company = await trial.post('/companies', { name: 'N', company_type: 'lender' }, { token });
    expect(company.status).toBe(403);
    const id = await trial.company();
    const contact = await trial.post('/contacts', { contact_type: 'sponsor', company_id: id }, { token });
    expect(contact.status).toBe(403);
    expect((await trial.get('/me', { token })).status).toBe(200);
  });

  test('reports limits, scopes and the maximum of keys in GET me', async () => {
    const trial = await Trial.start(seed, {}, { read: 211, write: 37, validate: 13 });
    const answer = await trial.get('/me');
    const platform = (answer.data as Json).platform as Json;
    const limits = JSON.stringify(platform.rate_limits);
    for (const limit of ['211', '37', '13']) expect(limits).toContain(limit);
    const text = JSON.stringify(answer.data);
    expect(text).toContain('account:read');
    expect(text).toMatch(/"(max_api_keys|api_key_limit|max_keys_per_account)":\d+/);
  });

  test('switches the active account of a session', async () => {
    const trial = await Trial.start(seed);
    const token = trial.env('JWT');
    const list = await trial.get('/me/accounts', { token });
    const accounts = accountsIn(list.data);
    expect(accounts.length).toBeGreaterThanOrEqual(2);
    const seen = new Set<string>();
    const { activeHeaderForm } = trial.server.choices;
    for (const { slug, id } of accounts) {
      const switched = await trial.patch('/me/active-account', { slug }, { token });
      expect(switched.status).toBe(200);
      const stored = await trial.get('/billing/credits/balance', { token });
      seen.add(JSON.stringify(stored.data));
      const name = activeHeaderForm === 'id' ? String(id) : slug;
      const headers = { 'X-Active-Account': name };
      expect((await trial.get('/billing/credits/balance', { token, headers })).data).toEqual(stored.data);
    }
    expect(seen.size).toBe(accounts.length);
    const statuses = [{}, { slug: null }].map((body) => trial.patch('/me/active-account', body, { token }));
    for (const answer of await Promise.all(statuses)) expect(answer.status).toBe(400);
    for (const slug of [trial.env('FOREIGN_SLUG'), 'no-such-account']) {
      expect((await trial.patch('/me/active-account', { slug }, { token })).status).toBe(404);
    }
  });

  test('needs an active account', async () => {
    const trial = await Trial.start(seed);
    const token = trial.env('JWT_NO_ACCOUNT');
    for (const path of ['/me/team-accounts', '/companies', '/billing/summary', '/account/team']) {
      expect((await trial.get(path, { token })).status).toBe(400);
    }
    for (const path of ['/me', '/me/accounts']) expect((await trial.get(path, { token })).status).toBe(200);
  });
});

describe.each(SEEDS)('seed %i', (seed) => {
  test('makes, lists, validates and revokes a key', async () => {
    const trial = await Trial.start(seed);
    const before = (await trial.get('/api-keys?limit=1')).body.pagination as Json;
    const made = await trial.post('/api-keys', { label: 'Fresh' });
    expect(made.status).toBe(201);
    const key = made.data as Json;
    const secret = String(key.api_key);
    expect(secret.startsWith('svc_sk_')).toBe(true);
    expect(secret.startsWith(String(key.key_prefix))).toBe(true);
    expect([key.label, Number.isSafeInteger(key.id)]).toEqual(['Fresh', true]);
    const list = await trial.get('/api-keys?limit=200');
    expect((list.body.pagination as Json).total).toBe(Number(before.total) + 1);
    expect(JSON.stringify(list.data)).not.toContain('"api_key"');
    expect((await trial.get('/me', { token: secret })).status).toBe(200);
    const valid = (await trial.post('/auth/validate-api-key', { api_key: secret }, { token: '' })).data as Json;
    expect([valid.valid, Array.isArray(valid.scopes), typeof valid.tier]).toEqual([true, true, 'string']);
    const gone = await trial.delete(`/api-keys/${key.id}`);
    expect([gone.status, (gone.data as Json).deleted]).toEqual([200, true]);
    expect((await trial.get('/me', { token: secret })).status).toBe(401);
    const invalid = (await trial.post('/auth/validate-api-key', { api_key: secret }, { token: '' })).data as Json;
    expect(invalid.valid).toBe(false);
    expect((await trial.get('/api-keys')).body.pagination).toMatchObject({ total: before.total });
  });

  test('lists by limit and offset', async () => {
    const trial = await Trial.start(seed);
    for (const label of ['b', 'a', 'c']) await trial.post('/api-keys', { label });
    const ids: unknown[] = [];
    for (let offset = 0; offset < 1000; offset += 2) {
      const page = await trial.get(`/api-keys?limit=2&offset=${offset}`);
      const { total, has_more: more, offset: reported, limit } = page.body.pagination as Json;
      expect([reported, limit, more]).toEqual([offset, 2, offset + 2 < Number(total)]);
      ids.push(...(page.data as Json[]).map((key) => key.id));
      if (more === false) break;
      if (ids.length >= 10) break;
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('refuses what is not a label, and the keys of others', async () => {
    const trial = await Trial.start(seed);
    for (const body of [{}, { label: '' }, { label: 'x'.repeat(256) }, { label: 5 }]) {
      expect([400, 422]).toContain((await trial.post('/api-keys', body)).status);
    }
    expect((await trial.post('/api-keys', { label: 'x'.repeat(255) })).status).toBe(201);
    const foreign = await trial.post('/api-keys', { label: 'F' }, { token: trial.env('API_KEY_SECONDARY') });
    const key = foreign.data as Json;
    const tried = await trial.delete(`/api-keys/${key.id}`);
    // Where each account numbers its keys by itself, the number may be that of a key of its own.
    if (trial.server.choices.keyNumbering === 'global')
      expect((tried.data as Json | undefined)?.deleted ?? false).toBe(false);
    expect((await trial.get('/me', { token: String(key.api_key) })).status).toBe(200);
  });
});

describe.each([1, 2, 3, 4, 5, 6])('seed %i', (seed) => {
  test('serves and closes', async () => {
    const server = await createSecondReading({ seed });
    const { url, close } = await server.listen();
    try {
      const headers = {
        Authorization: `Bearer ${server.env.COVENANT_API_KEY}`,
        'X-Origin-App': 'trial',
        'Content-Type': 'application/json',
      };
      const base = `${url}/api/external/v2`;
      const health = await fetch(`${base}/health`, { headers });
      expect([health.status, typeof ((await health.json()) as Json).data]).toEqual([200, 'object']);
      const body = JSON.stringify({ name: 'Søcket', company_type: 'lender' });
      const made = await fetch(`${base}/companies`, { method: 'POST', headers, body });
      const answer = (await made.json()) as { data: Json };
      expect([made.status, answer.data.name]).toEqual([201, 'Søcket']);
      expect((await fetch(`${base}/me`)).status).not.toBe(200);
      const head = await fetch(`${base}/me`, { method: 'HEAD', headers });
      expect([200, 404, 405]).toContain(head.status);
    } finally {
      await close();
    }
  });
});
