// A target that is known: what is asked again, how long it is waited for, and what counts because it comes every time.
import { describe, expect, test } from 'vitest';
import type { OnEvent } from '../events.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { Client, connect } from './client.ts';
import type { Credential } from './credential.ts';
import { Ended, Unanswered, Undecided } from './errors.ts';
import { Ledger } from './ledger.ts';
import { NoReply, type Transport, type WireReply } from './transports/transport.ts';

const json = (status: number, body: unknown): WireReply => ({ status, headers: {}, body: JSON.stringify(body) });
const ok = json(200, { request_id: 'r', data: {} });
const refused = (status: number) => json(status, { request_id: 'r', error: { code: 'C', message: 'm' } });
const pageOf = (status: number): WireReply => ({ status, headers: {}, body: '<html>' });
const page = pageOf(502);
const primary: Credential = { name: 'COVENANT_API_KEY', kind: 'key', token: 'svc_sk_primary', accounts: ['A'] };
const lost = new NoReply('reset');
const target = {
  baseUrl: 'http://t.test',
  credentials: {},
  limits: {},
  minuteMs: 60_000,
  originApp: 'c',
  timeoutMs: 1000,
};

type Answer = WireReply | Error;

/** Everything but health answers from `answers`, the last for ever; health as `health` says at each moment. */
function known(answers: readonly Answer[], health: (now: number) => Answer = () => ok) {
  const clock = virtualClock(0);
  const sentAt: number[] = [];
  const notices: string[] = [];
  const transport: Transport = async ({ url, headers }) => {
    const control = url.endsWith('/health') || headers.authorization === undefined;
    if (!control) sentAt.push(clock.now());
    const answer = control ? health(clock.now()) : (answers[Math.min(sentAt.length, answers.length) - 1] ?? ok);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const onEvent: OnEvent = (event) => event.event === 'notice' && notices.push(event.message);
  const connection = connect({ target, transport, clock, onEvent }, new Ledger(), false);
  connection.network.answered();
  return { api: new Client(connection, primary, 'a case'), sentAt, clock, notices, connection };
}

describe('what comes every time while everything else works', () => {
  test('is the target’s reply, after 15 seconds', async () => {
    const { api, sentAt, clock, connection } = known([page]);
    const reply = await api.send('GET /companies');
    expect([reply.status, reply.doubt]).toEqual([502, undefined]);
    expect(sentAt).toHaveLength(6);
    expect(clock.now()).toBeGreaterThanOrEqual(15_000);
    expect(connection.network.health).toMatchObject({
      repeated: 5,
      troubles: [{ what: '502 without the error envelope', count: 6 }],
    });
  });

  test('is accepted sooner the next time', async () => {
    const { api, sentAt } = known([page]);
    await api.send('GET /companies');
    await api.send('GET /companies');
    expect(sentAt).toHaveLength(9);
  });

  test.each([
    ['at the third time where hardly anything else needed repetition', 500, ok, 3, 1500],
    ['later where much did', 50, lost, 6, 15_500],
    ['later where little was asked before', 20, ok, 5, 7500],
  ])('that no gateway sends is accepted %s', async (_, before, odd, attempts, tookMs) => {
    const { api, sentAt, clock } = known([
      ...Array.from({ length: before }, (_, n) => (n % 5 === 0 ? odd : ok)),
      pageOf(500),
    ]);
    while (sentAt.length < before) await api.send('GET /companies');
    await clock.sleep(120_000);
    const startedAt = clock.now();
    expect((await api.send('GET /companies')).status).toBe(500);
    expect([sentAt.length - before, clock.now() - startedAt]).toEqual([attempts, tookMs]);
  });

  test('may be that no reply comes', async () => {
    const { api, sentAt } = known([lost]);
    await expect(api.send('GET /companies')).rejects.toBeInstanceOf(Unanswered);
    expect(sentAt).toHaveLength(6);
  });
});

describe('what comes once', () => {
  test('is no failure', async () => {
    const { api } = known([page, page, page, page, page, ok]);
    expect((await api.send('GET /companies')).status).toBe(200);
  });

  test.each([
    ['POST /companies', 201],
    ['DELETE /api-keys/{key_id}', 404],
  ] as const)('%s sent again and answered %d is no first answer', async (operation, status) => {
    const { api } = known([lost, status < 300 ? json(status, { request_id: 'r', data: { id: 1 } }) : refused(status)]);
    await expect(api.send(operation, { path: { key_id: 7 }, key: 'k' })).rejects.toBeInstanceOf(Undecided);
  });

  test.each([
    ['refused, is judged for its form', refused(404), 404],
    ['accepted, may have been carried out twice', json(201, { request_id: 'r', data: { id: 1 } }), 'undecided'],
  ] as const)('undocumented input, sent again and %s', async (_, reply, expected) => {
    const { api } = known([lost, reply]);
    const sent = api.send('POST /companies', { body: { name: 7 }, undocumented: true });
    const got = await sent.then(
      ({ status }) => status,
      (error: unknown) => error instanceof Undecided && 'undecided',
    );
    expect(got).toBe(expected);
  });

  test('a conflict under a key that others sent, too, stays suspect', async () => {
    const { api } = known([ok, lost, refused(409)]);
    const path = { company_id: 7 };
    const create = () => api.send('POST /companies/{company_id}/notes', { path, body: { text: 'a' }, key: 'k' });
    await create();
    const reply = await create();
    expect(reply).toMatchObject({ status: 409, doubt: expect.stringContaining('may have been carried out') });
  });

  test('a switch of the active account is repeated without a key', async () => {
    const { api } = known([lost, ok]);
    expect((await api.send('PATCH /me/active-account', { body: { slug: 'a' } })).status).toBe(200);
  });
});

describe('a target that goes away', () => {
  const awayUntil = (until: number) => (now: number) => (now < until ? lost : ok);

  test('is waited for, and replies meanwhile do not count', async () => {
    const { api, notices, clock, connection } = known([lost, ok], awayUntil(30_000));
    expect((await api.send('GET /companies')).status).toBe(200);
    expect(clock.now()).toBeGreaterThanOrEqual(30_000);
    expect(notices).toEqual(['the target has not answered since 00:00:00 UTC; waiting until 00:01:00 UTC']);
    expect(connection.network.health?.absences).toHaveLength(1);
  });

  test('for one look was not absent', async () => {
    const { api, notices, connection } = known([lost, ok], awayUntil(200));
    expect((await api.send('GET /companies')).status).toBe(200);
    expect([notices, connection.network.health?.absences]).toEqual([[], []]);
  });

  test('for longer than a minute ends the run', async () => {
    const { api, clock } = known([lost], () => lost);
    await expect(api.send('GET /companies')).rejects.toBeInstanceOf(Ended);
    expect(clock.now()).toBeGreaterThanOrEqual(60_000);
    expect(clock.now()).toBeLessThan(70_000);
  });

  test('is waited for once by all concurrent callers', async () => {
    const { api, notices } = known([lost, lost, lost, ok], awayUntil(10_000));
    await Promise.all([api.send('GET /companies'), api.send('GET /contacts'), api.send('GET /me')]);
    expect(notices).toHaveLength(1);
  });
});

describe('429', () => {
  test('of a limiter that names no wait is repeated after growing pauses', async () => {
    const limiter = { status: 429, headers: {}, body: '<html>' };
    const { api, clock } = known([limiter, limiter, ok]);
    expect((await api.send('GET /companies')).status).toBe(200);
    expect(clock.now()).toBe(3000);
  });

  test('that asks for a day is reported and not waited for', async () => {
    const day = json(429, { request_id: 'r', error: { code: 'RATE_LIMITED', message: 'retry in 86400 seconds' } });
    const { api, clock } = known([day]);
    await expect(api.send('GET /companies')).rejects.toThrow('asks to wait 86400 s');
    expect(clock.now()).toBe(0);
  });

  test('for ever ends the run', async () => {
    const { api } = known([
      json(429, { request_id: 'r', error: { code: 'RATE_LIMITED', message: 'wait 60 seconds' } }),
    ]);
    const ask = () => api.send('GET /companies').catch((error: unknown) => error);
    await ask();
    expect(await ask()).toBeInstanceOf(Ended);
  });

  test('in a burst is left to the caller', async () => {
    const { api, sentAt } = known([{ status: 429, headers: {}, body: '<html>' }]);
    const reply = await api.send('GET /companies', { throttle: 'accept' });
    expect(reply.doubt).toBe('429 without the error envelope');
    expect(sentAt).toHaveLength(1);
  });
});
