// Sessions of the reference: JWTs, active accounts, scopes, rights, and API keys.
import { beforeEach, describe, expect, test } from 'vitest';
import { type Trial, trial } from './trial.test-data.ts';

let t: Trial;
beforeEach(async () => {
  t = await trial();
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const accountOf = async (headers: Record<string, string> = {}, as = 'JWT') =>
  (await t.ask('GET /billing/summary', { as, headers })).data.account_id;

describe('JWTs', () => {
  test('tampered, unsigned and foreign JWTs are refused', async () => {
    const [head = '', payload = '', signature = ''] = (t.env.COVENANT_JWT ?? '').split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const flipped = `${signature.slice(0, 10)}${signature[10] === 'A' ? 'B' : 'A'}${signature.slice(11)}`;
    const tokens = [
      `${head}.${payload}.${flipped}`,
      `${head}.${part({ ...claims, sub: '1' })}.${signature}`,
      `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${part({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
      `${head}.${payload}`,
      (await trial({}, { seed: 7 })).env.COVENANT_JWT ?? '',
    ];
    for (const as of tokens) expect((await t.ask('GET /me', { as })).status).toBe(401);
    expect((await t.ask('GET /me', { as: 'JWT' })).status).toBe(200);
  });

  test('a JWT expires, also when it was verified before', async () => {
    const short = await trial({}, { jwtLifetimeMs: 60_000 });
    expect((await short.ask('GET /me', { as: 'JWT' })).status).toBe(200);
    short.pass(59_000);
    expect((await short.ask('GET /me', { as: 'JWT' })).status).toBe(200);
    short.pass(1_000);
    expect((await short.ask('GET /me', { as: 'JWT' })).status).toBe(401);
  });
});

describe('the active account', () => {
  test('the active account is switched for good, and only among active memberships', async () => {
    const accounts = (await t.ask('GET /me/accounts', { as: 'JWT' })).data;
    expect(accounts.map(({ slug }) => slug)).toEqual(['summit-west', 'summit-east']);
    const [west, east] = accounts.map(({ id }) => id);
    expect(await accountOf()).toBe(west);
    const switched = await t.ask('PATCH /me/active-account', { as: 'JWT', body: { slug: 'summit-east' } });
    expect([switched.status, switched.data.slug]).toEqual([200, 'summit-east']);
    expect(await accountOf()).toBe(east);
    expect((await t.ask('GET /me', { as: 'JWT' })).data.account?.slug).toBe('summit-east');
    for (const slug of ['lakeshore', 'no-such-account', 'old-mill']) {
      expect((await t.ask('PATCH /me/active-account', { as: 'JWT', body: { slug } })).status).toBe(404);
    }
    expect(await accountOf()).toBe(east);
  });

  test.each([{}, { slug: '' }, { slug: null }, { slug: 7 }])(
    'the active account is not switched by %j',
    async (body) => {
      expect((await t.ask('PATCH /me/active-account', { as: 'JWT', body })).status).toBe(400);
    },
  );

  test('X-Active-Account selects the account by slug or identifier, before the preference', async () => {
    const [west, east] = (await t.ask('GET /me/accounts', { as: 'JWT' })).data.map(({ id }) => id);
    expect(await accountOf({ 'x-active-account': 'summit-east' })).toBe(east);
    expect(await accountOf({ 'x-active-account': String(east) })).toBe(east);
    expect(await accountOf()).toBe(west);
    for (const value of ['lakeshore', '2', 'old-mill', 'nobody']) {
      expect((await t.ask('GET /companies', { as: 'JWT', headers: { 'x-active-account': value } })).status).toBe(403);
    }
  });

  test('the account of an API key never changes', async () => {
    const own = await accountOf({}, 'API_KEY');
    expect(await accountOf({ 'x-active-account': 'lakeshore' }, 'API_KEY')).toBe(own);
  });

  test.each(['/me/team-accounts', '/account/team', '/companies', '/contacts', '/api-keys'])(
    'is needed by GET %s',
    async (path) => {
      expect((await t.ask(`GET ${path}`, { as: 'JWT_NO_ACCOUNT' })).status).toBe(400);
    },
  );

  test('GET /me needs no active account', async () => {
    expect((await t.ask('GET /me', { as: 'JWT_NO_ACCOUNT' })).data.account).toBeNull();
    expect((await t.ask('GET /me/accounts', { as: 'JWT_NO_ACCOUNT' })).data).toEqual([]);
  });
});

describe('scopes and rights', () => {
  test.each(['/me/team-accounts', '/billing/summary', '/billing/credits/balance'])(
    'GET %s needs its scope',
    async (path) => {
      expect((await t.ask(`GET ${path}`)).status).toBe(200);
      expect((await t.ask(`GET ${path}`, { as: 'API_KEY_RESTRICTED' })).status).toBe(403);
    },
  );

  test.each([
    ['/companies', { name: 'Aspen', company_type: 'lender' }],
    ['/contacts', { contact_type: 'sponsor', company_id: 1 }],
  ])('POST %s needs the right to create', async (path, body) => {
    const total = async () => (await t.ask(`GET ${path}`)).pagination.total;
    const before = await total();
    expect((await t.ask(`POST ${path}`, { as: 'API_KEY_RESTRICTED', body })).status).toBe(403);
    expect(await total()).toBe(before);
    expect((await t.ask(`POST ${path}`, { body })).status).toBe(201);
  });

  test('the restricted user can read companies', async () => {
    expect((await t.ask('GET /companies', { as: 'API_KEY_RESTRICTED' })).pagination.total).toBe(8);
  });

  test('GET /me reports scopes, the maximum of keys and the limits', async () => {
    const { data } = await t.ask('GET /me');
    expect(data.scopes).toContain('billing:read');
    expect(data.max_api_keys).toBe(50);
    expect(data.platform?.rate_limits).toEqual({
      read_per_minute: 1e6,
      write_per_minute: 1e6,
      validate_per_minute: 1e6,
    });
  });
});

describe('API keys', () => {
  const make = async (as = 'API_KEY', headers = {}) =>
    (await t.ask('POST /api-keys', { as, headers, body: { label: 'ci' } })).data;
  const validate = async (api_key: unknown) =>
    (await t.ask('POST /auth/validate-api-key', { as: null, body: { api_key } })).data;

  test('API keys are shown once, work, and are revoked at once and for good', async () => {
    const key = await make();
    const secret = String(key.api_key);
    expect(secret).toMatch(/^svc_sk_[A-Za-z0-9]{40}$/);
    expect(key.last_used_at).toBeNull();
    expect((await t.ask('GET /me', { as: secret })).status).toBe(200);
    const listed = await t.ask('GET /api-keys');
    expect(listed.text).not.toContain(secret);
    expect(secret.startsWith(String(listed.data[0]?.key_prefix))).toBe(true);
    expect(listed.data[0]?.last_used_at).not.toBeNull();
    expect(await validate(secret)).toMatchObject({ valid: true, account_id: 1, user_id: 1, tier: 'business' });
    expect((await t.ask(`DELETE /api-keys/${key.id}`)).data).toEqual({ deleted: true });
    expect((await t.ask('GET /me', { as: secret })).status).toBe(401);
    expect(await validate(secret)).toEqual({ valid: false });
    expect((await t.ask('GET /api-keys')).pagination.total).toBe(1);
    expect((await t.ask(`DELETE /api-keys/${key.id}`)).status).toBe(404);
  });

  test('API keys inherit user, scopes, rights and account of the session', async () => {
    const own = await make('JWT', { 'x-active-account': 'summit-east' });
    expect(await validate(own.api_key)).toMatchObject({ account_id: 4 });
    const weak = await make('API_KEY_RESTRICTED');
    expect((await validate(weak.api_key)).scopes).toEqual(['companies:read', 'contacts:read']);
    expect((await t.ask('GET /billing/summary', { as: String(weak.api_key) })).status).toBe(403);
    const body = { name: 'Aspen', company_type: 'lender' };
    expect((await t.ask('POST /companies', { as: String(weak.api_key), body })).status).toBe(403);
  });

  test('API keys of another user or account cannot be revoked', async () => {
    const key = await make();
    for (const as of ['API_KEY_RESTRICTED', 'API_KEY_SECONDARY', 'JWT']) {
      expect((await t.ask(`DELETE /api-keys/${key.id}`, { as })).status).toBe(404);
    }
    expect(await validate(key.api_key)).toMatchObject({ valid: true });
  });

  test('API keys have a maximum per account', async () => {
    t = await trial({ maxKeys: 3 });
    const key = await make();
    expect((await t.ask('POST /api-keys', { body: { label: 'x' } })).status).toBe(403);
    await t.ask(`DELETE /api-keys/${key.id}`);
    expect((await t.ask('POST /api-keys', { body: { label: 'x' } })).status).toBe(201);
  });

  test.each([
    [{}, 422],
    [{ label: '' }, 422],
    [{ label: 'é'.repeat(256) }, 422],
    [{ label: 5 }, 422],
    [{ label: null }, 422],
    [{ label: '🏦'.repeat(255) }, 201],
  ])('label %j answers %i', async (body, status) => {
    expect((await t.ask('POST /api-keys', { body })).status).toBe(status);
  });

  test.each(['', 'svc_sk_nothing', 'x'.repeat(500)])('the key %j is not valid', async (key) => {
    expect(await validate(key)).toEqual({ valid: false });
  });

  test('validation refuses a key that is not a text', async () => {
    for (const body of [{}, { api_key: null }, { api_key: 5 }]) {
      expect((await t.ask('POST /auth/validate-api-key', { as: null, body })).status).toBe(422);
    }
  });
});
