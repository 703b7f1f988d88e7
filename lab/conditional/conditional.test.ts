// Conditional mutants: the grammar is closed and every trigger is met, drawing is repeatable, and the oracle accuses no honest server.
import { beforeAll, describe, expect, test } from 'vitest';
import { withLeanFetch } from '../lean-fetch.test-data.ts';
import type { Wrap } from '../mutants/mutant.ts';
import { onStatus } from '../mutants/wrappers/mutator.ts';
import { createReference } from '../reference/index.ts';
import { conditioned } from './condition.ts';
import { historyOn, scriptClock } from './history.ts';
import { conditional, conditionalOf, drawTriggers, grammar, pool, under } from './index.ts';
import { momentsOf } from './profile.ts';
import { type Moment, type Trigger, triggersOf } from './trigger.ts';
import { witnessOf } from './witness.ts';

withLeanFetch();

const honest: Wrap = (server) => server;
const server = { reference: {}, honest: {} };
const always: Trigger = { kind: 'caller', words: 'anybody calls', looksAtReply: true, holds: () => true };
const never: Trigger = { ...always, words: 'nobody calls', holds: () => false };
const baseOf = (id: string) => {
  const base = pool.flat().find((one) => one.id === id);
  if (base === undefined) throw new Error(`there is no base ${id}`);
  return base;
};

describe('the grammar of triggers', () => {
  let moments: readonly Moment[] = [];
  beforeAll(async () => {
    moments = await momentsOf({});
  });

  test.each(Object.entries(grammar))('each %s trigger is met in the history, and not always', (_, triggers) => {
    const odd = triggers.filter(({ holds }) => new Set(moments.map(holds)).size !== 2).map(({ words }) => words);
    expect(odd).toEqual([]);
  });

  test('names each trigger once', () => {
    const words = Object.values(grammar).flatMap((triggers) => triggers.map((one) => one.words));
    expect(words.filter((one, place) => words.indexOf(one) !== place)).toEqual([]);
    expect(words.length).toBeGreaterThan(250);
  });

  test('joins two kinds in a conjunction', () => {
    const drawn = [...drawTriggers('any', 'conjunction')];
    expect(drawn.length).toBeGreaterThan(10);
    expect(drawn.every(({ kind, words }) => kind === 'conjunction' && words.includes(', and '))).toBe(true);
  });
});

describe('drawing', () => {
  test('yields the same mutant for the same seed and number', async () => {
    const numbers = Array.from({ length: 6 }, (_, number) => number);
    const draw = async () =>
      (await Promise.all(numbers.map((number) => conditional(3, number)))).map((one) => one?.why);
    const first = await draw();
    expect(await draw()).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(3);
    expect((await conditionalOf('conditional-3-4'))?.why).toBe(first[4]);
    expect((await conditional(4, 4))?.why).not.toBe(first[4]);
  });

  test('knows its own names only', async () => {
    expect(await conditionalOf('billing-shows-credits-without-scope')).toBeUndefined();
    expect(await conditionalOf('conditional-1-x')).toBeUndefined();
  });

  test('takes base changes of many areas and triggers of many kinds', async () => {
    const drawn = await Promise.all(Array.from({ length: 30 }, (_, number) => conditional(5, number)));
    expect(new Set(drawn.flatMap((one) => one?.trigger.kind ?? [])).size).toBeGreaterThan(6);
    expect(new Set(drawn.flatMap((one) => one?.base.area ?? [])).size).toBeGreaterThan(8);
  });
});

describe('the oracle', () => {
  test('sends a history with every operation', async () => {
    const operations = new Set((await historyOn({})).map(({ operation }) => operation));
    expect(operations.size).toBeGreaterThanOrEqual(22);
  });

  test.each([{}, { choices: { replay: 'fresh-envelope' } }, { choices: { cursorAlphabet: 'base64' } }] as const)(
    'finds no difference between honest and honest: %j',
    async (reference) => {
      expect(await witnessOf({ reference, honest: reference, wrap: honest })).toBeUndefined();
    },
  );

  test('finds none where other numbers are given out', async () => {
    const wasteful: Wrap = (inner) => async (request) => {
      if (request.method === 'GET') await inner(new Request(request.url, { headers: { 'x-origin-app': 'lab' } }));
      return inner(request);
    };
    expect(await witnessOf({ ...server, wrap: wasteful })).toBeUndefined();
  });

  test.each([
    'rate-limits-read-is-not-counted',
    'rate-limits-write-is-counted-apart',
    'idempotency-deleted-notes-come-back',
    'authentication-revoked-key-reads-the-team',
    'pagination-notes-count-positions',
  ])('finds none in %s where its trigger never holds', async (id) => {
    expect(await witnessOf(under('x', baseOf(id), never))).toBeUndefined();
  });

  test('shows a client a connection that breaks, and not a mistake of the wrapper', async () => {
    const throwing =
      (error: Error): Wrap =>
      () =>
      () =>
        Promise.reject(error);
    expect((await witnessOf({ ...server, wrap: throwing(new Error('gone')) }))?.words).toContain('breaks off');
    expect(await witnessOf({ ...server, wrap: throwing(new TypeError('no such member')) })).toBeUndefined();
  });

  test('says in a sentence what a client sees', async () => {
    const wrap = onStatus('GET /health', 200, 201);
    expect((await witnessOf({ ...server, wrap }))?.words).toMatch(
      /^GET \/health as \w+: the status is 201 instead of 200$/,
    );
  });

  test('sees the same under a trigger that always holds as without one', async () => {
    for (const id of ['member-post-companies-id-nulled', 'account-header-is-ignored', 'pagination-total-is-text']) {
      const base = baseOf(id);
      const plain = await witnessOf({ ...server, wrap: base.wrap ?? honest });
      expect(await witnessOf(under('x', base, always))).toEqual(plain);
      expect(plain).toBeDefined();
    }
  });
});

describe('a condition', () => {
  test('lets the wrapper see what it does not answer', async () => {
    const clock = scriptClock();
    const { handler, env } = await createReference({ clock });
    const counting: Wrap = (inner) => {
      let seen = 0;
      return async (request) => {
        seen += 1;
        const response = await inner(request);
        return seen < 4 ? response : new Response('the fourth', { status: 500 });
      };
    };
    const [deletes] = triggersOf('operation', { 'it is a DELETE': ({ method }) => method === 'DELETE' });
    if (deletes === undefined) throw new Error('one trigger was made');
    const server = conditioned(deletes, counting, {})(handler, clock);
    const ask = (method: string, path: string) =>
      server(
        new Request(`http://reference.test/api/external/v2${path}`, {
          method,
          headers: { authorization: `Bearer ${env.COVENANT_API_KEY}`, 'x-origin-app': 'test' },
        }),
      );
    expect((await ask('DELETE', '/companies/1/notes/987')).status).toBe(404);
    for (let sent = 0; sent < 4; sent += 1) expect((await ask('GET', '/me')).status).toBe(200);
    expect((await ask('DELETE', '/companies/1/notes/987')).status).toBe(500);
  });

  test('carries a write out once', async () => {
    const clock = scriptClock();
    const { handler, env } = await createReference({ clock });
    const server = conditioned(never, honest, {})(handler, clock);
    const ask = (method: string, body?: object) =>
      server(
        new Request('http://reference.test/api/external/v2/companies', {
          method,
          headers: {
            authorization: `Bearer ${env.COVENANT_API_KEY}`,
            'x-origin-app': 'test',
            'content-type': 'application/json',
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
    const total = async () => ((await (await ask('GET')).json()) as { pagination: { total: number } }).pagination.total;
    const before = await total();
    await ask('POST', { name: 'Once', company_type: 'lender' });
    expect(await total()).toBe(before + 1);
  });
});
