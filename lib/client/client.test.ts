// The client: what it sends, what it repeats, what it waits out, and what it never does.
import { describe, expect, test } from 'vitest';
import { targetDefaults } from '../configuration/settings.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { Client, type Connection, clientPool } from './client.ts';
import { anonymous, type Credential } from './credential.ts';
import { Inconclusive, Unanswered } from './errors.ts';
import { Ledger } from './ledger.ts';
import { Network } from './network.ts';
import { Pacing, unauthenticated } from './pacing.ts';
import { Recorder } from './recorder.ts';
import type { Sent } from './reply.ts';
import { NoReply, type Transport, type WireReply } from './transports/transport.ts';

const primary: Credential = { name: 'COVENANT_API_KEY', kind: 'key', token: 'svc_sk_primary', accounts: ['A'] };
const json = (status: number, body: unknown): WireReply => ({ status, headers: {}, body: JSON.stringify(body) });
const ok = json(200, { data: {} });
const throttled = json(429, { request_id: 'r', error: { code: 'RATE_LIMITED', message: 'wait 7 seconds' } });
const created = { path: {}, body: { name: 'x' } };

/** A client whose target answers from a list; the last answer is repeated. */
function set(answers: readonly (WireReply | Error)[], readOnly = false) {
  const clock = virtualClock(0);
  const sent: Sent[] = [];
  const transport: Transport = async (request) => {
    sent.push(request);
    const answer = answers[Math.min(sent.length, answers.length) - 1] ?? ok;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const connection: Connection = {
    target: {
      ...targetDefaults,
      baseUrl: 'http://target.test/prefix',
      credentials: {},
    },
    transport,
    clock,
    pacing: new Pacing(clock, targetDefaults.minuteMs),
    recorder: new Recorder(),
    network: new Network(clock),
    ledger: new Ledger(),
    readOnly,
  };
  return { api: new Client(connection, primary, 'a case'), sent, clock, connection };
}

describe('what is sent', () => {
  test('a value that no header can hold is not sent, and proves nothing about the target', async () => {
    const { api, sent } = set([ok]);
    const unsendable = api.as({ ...primary, token: 'svc_sk_with\0' });
    await expect(unsendable.send('GET /me')).rejects.toThrow(Inconclusive);
    await expect(api.send('GET /me', { account: 'north\u001b[31m' })).rejects.toThrow('x-active-account');
    expect(sent).toEqual([]);
  });

  test('a request carries address, credential, origin and content type', async () => {
    const { api, sent } = set([ok]);
    await api.send('POST /companies/{company_id}/notes', { path: { company_id: 7 }, body: { text: 'ä' }, key: 'k' });
    expect(sent[0]).toEqual({
      method: 'POST',
      url: 'http://target.test/prefix/api/external/v2/companies/7/notes',
      headers: {
        accept: 'application/json',
        authorization: 'Bearer svc_sk_primary',
        'x-origin-app': 'covenant',
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
      body: '{"text":"ä"}',
    });
  });

  test('identifiers and cursors are percent-encoded and come back as they were', async () => {
    const { api, sent } = set([ok]);
    const cursor = 'a+b/c==&x y';
    await api.send('GET /companies/{company_id}/notes', {
      path: { company_id: 'a/b' },
      query: { cursor, limit: undefined },
    });
    const url = new URL(sent[0]?.url ?? '');
    expect(url.pathname).toBe('/prefix/api/external/v2/companies/a%2Fb/notes');
    expect(url.searchParams.get('cursor')).toBe(cursor);
    expect(url.searchParams.has('limit')).toBe(false);
  });

  test('without credentials there is no Authorization header, and a header can be left out', async () => {
    const { api, sent } = set([ok]);
    await api.as(anonymous).send('GET /health', { headers: { 'x-origin-app': null } });
    expect(Object.keys(sent[0]?.headers ?? {})).toEqual(['accept']);
  });

  test('a read-only run sends no write', async () => {
    const { api, sent } = set([ok], true);
    await expect(api.send('POST /companies', created)).rejects.toThrow('read-only');
    expect(sent).toHaveLength(0);
  });
});

describe('what is repeated', () => {
  test('a first read without reply is given up early: a wrong address is more likely than a restart', async () => {
    const { api, sent, clock } = set([new NoReply('reset')]);
    await expect(api.send('GET /me')).rejects.toBeInstanceOf(Unanswered);
    expect(sent).toHaveLength(4);
    expect(clock.now()).toBeLessThan(5000);
  });

  test('a keyed write is repeated under the same key', async () => {
    const { api, sent } = set([new NoReply('reset'), ok]);
    const path = { company_id: 7 };
    const reply = await api.send('POST /companies/{company_id}/notes', { path, body: { text: 'a' }, key: 'k1' });
    expect(reply.status).toBe(200);
    expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['k1', 'k1']);
  });

  test('only a reply to a key sent before may be a replay; undocumented calls stay marked', async () => {
    const { api } = set([ok]);
    const first = await api.send('POST /companies', { ...created, key: 'k1' });
    const other = await api.send('POST /companies', { ...created, key: 'k2', undocumented: true });
    const again = await api.send('POST /companies', { ...created, key: 'k1' });
    const keyless = await api.send('POST /companies', created);
    expect([first, other, again, keyless].map(({ mayReplay }) => mayReplay ?? false)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect([first, other].map(({ undocumented }) => undocumented ?? false)).toEqual([false, true]);
  });

  test.each([502, 503, 504])('a gateway’s %d is no failure, unless it comes every time', async (status) => {
    const gateway = { status, headers: {}, body: '<html>' };
    expect((await set([gateway, ok]).api.send('GET /me')).status).toBe(200);
    const lasting = set([gateway]);
    const reply = await lasting.api.send('GET /me');
    expect([reply.status, reply.doubt]).toEqual([status, undefined]);
  });
});

describe('a 429', () => {
  test('after a 429 that no case provoked the client waits as long as it says and a second more, and counts it', async () => {
    const { api, clock, connection } = set([throttled, ok]);
    expect((await api.send('GET /me')).status).toBe(200);
    expect(clock.now()).toBe(8000);
    expect(connection.pacing.spending()).toMatchObject([{ account: 'A', class: 'read', sent: 2, throttled: 1 }]);
  });

  test('a 429 that comes every time is inconclusive, never a verdict on the target', async () => {
    const { api, sent } = set([throttled]);
    await expect(api.send('GET /me')).rejects.toBeInstanceOf(Inconclusive);
    expect(sent).toHaveLength(5);
  });

  test('a 429 that a case provoked is its reply, and not counted', async () => {
    const { api, connection } = set([throttled]);
    expect((await api.send('GET /me', { throttle: 'accept' })).status).toBe(429);
    expect(connection.pacing.spending()).toMatchObject([{ sent: 1, throttled: 0 }]);
  });
});

test('validations count for the whole client, invalid credentials for no account', async () => {
  const { api, connection } = set([ok]);
  await api.send('POST /auth/validate-api-key', { body: { api_key: 'x' } });
  await api.as({ name: 'bad', kind: 'invalid', token: 't', accounts: [] }).send('GET /me');
  expect(connection.pacing.spending().map(({ account, class: rate }) => `${account} ${rate}`)).toEqual([
    `${clientPool} validate`,
    `${unauthenticated} read`,
  ]);
});

test('every reply is recorded with its credential and its case', async () => {
  const { api, connection } = set([json(200, { data: [1] })]);
  const reply = await api.send('GET /companies');
  expect(reply).toMatchObject({ id: 1, operation: 'GET /companies', credential: 'COVENANT_API_KEY', owner: 'a case' });
  expect(connection.recorder.replies).toEqual([reply]);
});
