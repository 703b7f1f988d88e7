// API keys: creation, listing, validation and revocation, over many seeds.
import { describe, expect, test } from 'vitest';
import { type Json, SEEDS, Trial } from './trial.test-data.ts';

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
