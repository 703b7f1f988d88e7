// The reference behind a real socket.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serveReference } from './index.ts';

let served: Served;
beforeAll(async () => {
  served = await serveReference({ minuteMs: 1_000 });
});
afterAll(() => served.close());

const api = () => `${served.url}/api/external/v2`;
const headers = (): Record<string, string> => ({
  authorization: `Bearer ${served.env.COVENANT_API_KEY}`,
  'content-type': 'application/json',
});

test('the sandbox provides every credential', () => {
  expect(Object.keys(served.env).sort()).toEqual([
    'COVENANT_API_KEY',
    'COVENANT_API_KEY_RESTRICTED',
    'COVENANT_API_KEY_SECONDARY',
    'COVENANT_BASE_URL',
    'COVENANT_FOREIGN_SLUG',
    'COVENANT_JWT',
    'COVENANT_JWT_EXPIRED',
    'COVENANT_JWT_NO_ACCOUNT',
    'COVENANT_MINUTE_MS',
    'COVENANT_RATE_API_KEY',
    'COVENANT_RATE_API_KEY_SIBLING',
  ]);
  expect(served.env.COVENANT_BASE_URL).toBe(served.url);
});

test('the sandbox answers over HTTP, writes included', async () => {
  const made = await fetch(`${api()}/companies/2/notes`, {
    method: 'POST',
    headers: headers(),
    body: '{"text":"hello"}',
  });
  expect(made.status).toBe(201);
  expect(made.headers.get('date')).not.toBeNull();
  const listed = await fetch(`${api()}/companies/2/notes`, { headers: headers() });
  expect(await listed.json()).toMatchObject({ data: [{ text: 'hello' }], pagination: { total: 1 } });
});

test.each([
  ['malformed JSON', '{', 400],
  ['a large body', `{"text":"${'x'.repeat(1_100_000)}"}`, 413],
])('the sandbox answers %s with an error envelope', async (_what, body, status) => {
  const reply = await fetch(`${api()}/companies/2/notes`, { method: 'POST', headers: headers(), body });
  expect(reply.status).toBe(status);
  expect(await reply.json()).toMatchObject({ request_id: expect.any(String), error: { code: expect.any(String) } });
});

test('the sandbox refuses a large body of unknown length', async () => {
  const piece = new Uint8Array(65_536).fill(32);
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) => (++sent > 40 ? controller.close() : controller.enqueue(piece)),
  });
  const init = { method: 'POST', headers: headers(), body, duplex: 'half' } as const;
  const reply = await fetch(`${api()}/companies/2/notes`, init);
  expect(reply.status).toBe(413);
});

/** Sends bytes as they are and returns what comes back until the connection ends. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1', () => socket.write(text));
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}

const health = 'GET /api/external/v2/health HTTP/1.1';
const close = 'Connection: close';
test.each([
  ['what is not HTTP', ['NONSENSE'], 400],
  ['a bad Host', [health, 'Host: a b', close], 400],
  ['no Host', [health, close], 200],
  ['OPTIONS *', ['OPTIONS * HTTP/1.1', 'Host: a', close], 400],
  ['an endless query', [`GET /?${'x'.repeat(70_000)} HTTP/1.1`, 'Host: a', close], 400],
])('the sandbox answers %s with an envelope', async (_what, lines, status) => {
  const received = await raw([...lines, '', ''].join('\r\n'));
  expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(received).toContain('"request_id"');
});

test('serving rejects when the port is taken', async () => {
  await expect(serveReference({ port: Number(new URL(served.url).port) })).rejects.toThrow(/EADDRINUSE/);
});
