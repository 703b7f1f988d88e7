// Rate limits of the reference, per account and class, by four algorithms; and what it does with repeated keys.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Choices } from './index.ts';
import { Limiter } from './limiter.ts';
import { IdempotencyMemory } from './service.ts';
import { type Answer, type Trial, trial } from './trial.test-data.ts';

const metered = (choices: Partial<Choices> = {}) => trial(choices, { tiers: {} });

/** Sends requests one after the other; returns how many were accepted, and the first refusal. */
async function burst(t: Trial, line: string, count: number, as: string | null = 'RATE_API_KEY', body?: unknown) {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await t.ask(line, { as, body }));
  const refused = answers.filter(({ status }) => status === 429);
  return { accepted: count - refused.length, first: refused[0] };
}
const secondsOf = (answer: Answer | undefined) => Number(/(\d+) seconds/.exec(answer?.error.message ?? '')?.[1]);

describe.each(['fixed', 'sliding', 'weighted', 'bucket', 'aligned'] as const)('%s', (limiter) => {
  test.each([false, true])(
    `the ${limiter} limiter accepts up to the limit, and again after the reported seconds (refused requests count: %s)`,
    async (refusedCount) => {
      const t = await metered({ limiter, refusedCount });
      const { accepted, first } = await burst(t, 'GET /companies', 60);
      expect(accepted).toBe(40);
      expect(first?.error.code).toBe('RATE_LIMITED');
      const last = await t.ask('GET /companies', { as: 'RATE_API_KEY' });
      expect(secondsOf(last)).toBeGreaterThanOrEqual(1);
      expect(secondsOf(last)).toBeLessThanOrEqual(limiter === 'weighted' ? 120 : 60);
      expect(last.headers.get('retry-after')).toBe(String(secondsOf(last)));
      t.pass(secondsOf(last) * 1000);
      expect((await t.ask('GET /companies', { as: 'RATE_API_KEY' })).status).toBe(200);
      t.pass(180_000);
      expect((await burst(t, 'GET /companies', 60)).accepted).toBe(40);
    },
  );
});

test('aligned windows end with the minute of the clock, sliding ones with the oldest request', () => {
  const aligned = new Limiter(60_000, { limiter: 'aligned', refusedCount: false });
  expect([aligned.spend('a', 1, 50_000), aligned.spend('a', 1, 59_000), aligned.spend('a', 1, 60_000)]).toEqual([
    0, 1, 0,
  ]);
  const sliding = new Limiter(60_000, { limiter: 'sliding', refusedCount: false });
  expect([0, 30_000, 59_500, 60_000, 60_001].map((now) => sliding.spend('a', 2, now))).toEqual([0, 0, 1, 0, 30]);
});

test('budgets that are no longer used are dropped', () => {
  const limiter = new Limiter(1_000, { limiter: 'fixed', refusedCount: false });
  for (let index = 0; index < 2_000; index += 1) limiter.spend(`b${index}`, 1, 0);
  expect(limiter.spend('new', 1, 10_000)).toBe(0);
  expect(limiter.spend('b0', 1, 0)).toBe(0);
});

test('classes and accounts are counted apart, and both keys of an account together', async () => {
  const t = await metered();
  await burst(t, 'GET /companies', 39, 'RATE_API_KEY');
  expect((await burst(t, 'GET /me', 3, 'RATE_API_KEY_SIBLING')).accepted).toBe(1);
  expect((await t.ask('GET /me')).status).toBe(200);
  expect(
    (await t.ask('POST /companies', { as: 'RATE_API_KEY', body: { name: 'A', company_type: 'lender' } })).status,
  ).toBe(201);
  expect((await t.ask('GET /health', { as: null })).status).toBe(200);
});

test('refused writes are not carried out, and every method counts', async () => {
  const t = await metered();
  const body = { name: 'A', company_type: 'lender' };
  expect((await burst(t, 'POST /companies', 15, 'RATE_API_KEY', body)).accepted).toBe(10);
  for (const line of ['PATCH /companies/1', 'DELETE /api-keys/1', 'PATCH /me/active-account', 'POST /api-keys']) {
    expect((await t.ask(line, { as: 'RATE_API_KEY', body: {} })).status).toBe(429);
  }
  expect((await t.ask('GET /companies', { as: 'RATE_API_KEY' })).pagination.total).toBe(12);
});

test('requests without valid credentials are not counted', async () => {
  const t = await metered();
  await burst(t, 'GET /companies', 60, 'svc_sk_wrong');
  expect((await burst(t, 'GET /companies', 40)).accepted).toBe(40);
});

test('a validation counts against the account of its key, and otherwise against no account', async () => {
  const t = await metered();
  const line = 'POST /auth/validate-api-key';
  expect((await burst(t, line, 20, null, { api_key: 'nonsense' })).accepted).toBe(10);
  expect((await burst(t, line, 20, null, { api_key: t.env.COVENANT_RATE_API_KEY })).accepted).toBe(10);
  expect((await burst(t, line, 70, null, { api_key: t.env.COVENANT_API_KEY })).accepted).toBe(60);
});

test('the limits that GET /me reports are in force, by tier and in a shortened minute', async () => {
  const t = await trial({}, { tiers: { starter: { read: 5 } }, minuteMs: 2_000 });
  expect(t.env.COVENANT_MINUTE_MS).toBe('2000');
  const { data } = await t.ask('GET /me', { as: 'RATE_API_KEY' });
  expect(data.platform?.rate_limits).toEqual({ read_per_minute: 5, write_per_minute: 10, validate_per_minute: 10 });
  const { accepted, first } = await burst(t, 'GET /companies', 10);
  expect([accepted, secondsOf(first)]).toEqual([4, 2]);
  t.pass(2_000);
  expect((await burst(t, 'GET /companies', 10)).accepted).toBe(5);
});

let t: Trial;
beforeEach(async () => {
  t = await trial();
});
const path = '/companies/2/notes';
const post = (key: string, text = 'same', as = 'API_KEY') =>
  t.ask(`POST ${path}`, { as, body: { text }, headers: { 'idempotency-key': key } });
const total = async () => (await t.ask(`GET ${path}`)).pagination.total;
const hours = 3_600_000;

test('a repeated creation gets the same reply byte for byte and creates one note', async () => {
  const first = await post('k1');
  t.pass(10_000);
  for (let index = 0; index < 12; index += 1) await post(`other-${index}`);
  const again = await post('k1');
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(await total()).toBe(13);
});

test('one of eight simultaneous repeats is carried out, with a key and with a JWT not seen before', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('together')));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await total()).toBe(1);
  const id = (await t.ask('GET /companies', { as: 'JWT' })).data[0]?.id;
  const fresh = await trial();
  const asking = { as: 'JWT', body: { text: 'x' }, headers: { 'idempotency-key': 'k' } };
  await Promise.all(Array.from({ length: 8 }, () => fresh.ask(`POST /companies/${id}/notes`, asking)));
  const notes = (await fresh.ask(`GET /companies/${id}/notes`, { as: 'JWT' })).data;
  expect(notes.filter(({ text }) => String(text) === 'x')).toHaveLength(1);
});

test('a repeated edit does not undo a later one', async () => {
  const { id } = (await post('make')).data;
  const edit = (key: string, text: string) =>
    t.ask(`PATCH ${path}/${id}`, { body: { text }, headers: { 'idempotency-key': key } });
  const first = await edit('e1', 'one');
  await edit('e2', 'two');
  expect((await edit('e1', 'one')).text).toBe(first.text);
  expect((await t.ask(`GET ${path}`)).data[0]?.text).toBe('two');
});

test('an Idempotency-Key is forgotten after 24 hours', async () => {
  await post('old');
  t.pass(24 * hours - 1);
  await post('old');
  expect(await total()).toBe(1);
  t.pass(1);
  await post('old');
  expect(await total()).toBe(2);
});

test('keys, users and paths are kept apart', async () => {
  await post('3f2a9c1e-0000-4000-8000-000000000001');
  await post('3f2a9c1e-0000-4000-8000-000000000002');
  await post('4f2a9c1e-0000-4000-8000-000000000001');
  await post('3f2a9c1e-0000-4000-8000-000000000001', 'same', 'API_KEY_RESTRICTED');
  await t.ask(`POST ${path}`, { body: { text: 'same' } });
  await t.ask(`POST ${path}`, { body: { text: 'same' } });
  expect(await total()).toBe(6);
  const elsewhere = await t.ask('POST /companies/4/notes', {
    body: { text: 'same' },
    headers: { 'idempotency-key': '3f2a9c1e-0000-4000-8000-000000000001' },
  });
  expect(elsewhere.data.company_id).toBe(4);
});

test('refusals are not remembered, and another body or an overlong key is refused', async () => {
  expect((await post('k', ' ')).status).toBe(422);
  expect((await post('k')).status).toBe(201);
  expect((await post('k', 'different')).status).toBe(422);
  expect((await post('k'.repeat(256))).status).toBe(400);
  expect(await total()).toBe(1);
});

test('an Idempotency-Key works for companies and contacts too', async () => {
  for (const [where, body] of [
    ['/companies', { name: 'Aspen', company_type: 'lender' }],
    ['/contacts', { contact_type: 'sponsor', company_id: 1 }],
  ] as const) {
    const make = () => t.ask(`POST ${where}`, { body, headers: { 'idempotency-key': 'k' } });
    expect((await make()).text).toBe((await make()).text);
  }
  expect((await t.ask('GET /companies')).pagination.total).toBe(9);
});

test('the oldest key is forgotten first when the memory is full', () => {
  const memory = new IdempotencyMemory();
  for (let index = 0; index <= 10_000; index += 1) {
    memory.keep(`k${index}`, { at: index, bodyText: '', status: 201, data: {}, text: '' });
  }
  expect(memory.find('k0', 10_000)).toBeUndefined();
  expect(memory.find('k1', 10_000)).toBeDefined();
});
