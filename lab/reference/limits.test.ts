// Rate limits of the reference by its algorithms, and how long it remembers an Idempotency-Key; all else of both is examined by the suite itself.
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
const post = (key: string, text = 'same') =>
  t.ask(`POST ${path}`, { body: { text }, headers: { 'idempotency-key': key } });
const total = async () => (await t.ask(`GET ${path}`)).pagination.total;
const day = 24 * 3_600_000;

test('an Idempotency-Key is forgotten after 24 hours', async () => {
  await post('old');
  t.pass(day - 1);
  await post('old');
  expect(await total()).toBe(1);
  t.pass(1);
  await post('old');
  expect(await total()).toBe(2);
});

test('refusals are not remembered, and another body or an overlong key is refused', async () => {
  expect((await post('k', ' ')).status).toBe(422);
  expect((await post('k')).status).toBe(201);
  expect((await post('k', 'different')).status).toBe(422);
  expect((await post('k'.repeat(256))).status).toBe(400);
  expect(await total()).toBe(1);
});

test('the oldest key is forgotten first when the memory is full', () => {
  const memory = new IdempotencyMemory();
  for (let index = 0; index <= 10_000; index += 1) {
    memory.keep(`k${index}`, { at: index, bodyText: '', status: 201, data: {}, text: '' });
  }
  expect(memory.find('k0', 10_000)).toBeUndefined();
  expect(memory.find('k1', 10_000)).toBeDefined();
});
