// The envelope, errors and undocumented requests of the reference.
import { beforeEach, describe, expect, test } from 'vitest';
import { operations } from './router.ts';
import { type Trial, trial } from './trial.test-data.ts';

let t: Trial;
beforeEach(async () => {
  t = await trial();
});
const pathOf = (path: string) => path.replace(':company_id', '1').replace(':note_id', '1').replace(':key_id', '1');
const rows = operations.map((operation) => ({ ...operation, name: `${operation.method} ${pathOf(operation.path)}` }));

test('the reference has the 22 operations of the document', () => {
  expect(operations).toHaveLength(22);
});

test('a success has an identifier, a time and data, and is dated by the clock of the reference', async () => {
  const first = await t.ask('GET /companies/1');
  expect(first.envelope).toEqual({
    request_id: expect.stringMatching(/^req_[0-9a-f]{16}$/),
    timestamp: '2026-03-02T09:00:00.000Z',
    data: expect.any(Object),
  });
  expect(first.headers.get('date')).toBe('Mon, 02 Mar 2026 09:00:00 GMT');
  expect(first.headers.get('content-type')).toBe('application/json');
  t.pass(6_000);
  const second = await t.ask('GET /companies/1');
  expect(second.envelope.timestamp).toBe('2026-03-02T09:00:06.000Z');
  expect(second.envelope.request_id).not.toBe(first.envelope.request_id);
});

describe('every protected operation', () => {
  const bad = ['', 'nonsense', 'svc_sk_unknown', 'a.b.c', 'JWT_EXPIRED'];
  for (const { name } of rows.filter(({ access }) => access === 'user')) {
    test(`${name} answers 401 to bad credentials`, async () => {
      for (const as of [null, ...bad]) {
        const { status, error } = await t.ask(name, { as });
        expect([status, error.code]).toEqual([401, 'UNAUTHORIZED']);
      }
    });
  }
});

describe('every operation with a body', () => {
  const bodies: [string, unknown, number][] = [
    ['malformed JSON', '{"name": ', 400],
    ['an empty body', '', 400],
    ['an array', [], 400],
    ['a text', '"x"', 400],
    ['null', 'null', 400],
    ['too much', `{"a": "${'x'.repeat(1_048_577)}"}`, 413],
  ];
  for (const { name } of rows.filter(({ body }) => body === true)) {
    test.each(bodies)(`${name} refuses %s`, async (_what, body, status) => {
      const answer = await t.ask(name, { body });
      expect(answer.status).toBe(status);
      expect(answer.error).toEqual({ code: expect.any(String), message: expect.any(String) });
    });
    test(`${name} refuses another content type`, async () => {
      const answer = await t.ask(name, { body: {}, headers: { 'content-type': 'text/plain' } });
      expect(answer.status).toBe(415);
    });
  }
});

test.each([
  ['GET /nowhere', 404],
  ['GET /', 404],
  ['GET /companies/', 404],
  ['PUT /companies', 405],
  ['DELETE /me', 405],
  ['GET /companies/abc', 404],
  ['GET /companies/0', 404],
  ['GET /companies/-1', 404],
  ['GET /companies/1.5', 404],
  [`GET /companies/${'9'.repeat(300)}`, 404],
  ['GET /companies/2147483640', 404],
  ['GET /companies/%00', 404],
])('%s answers %i with an error envelope', async (line, status) => {
  const answer = await t.ask(line);
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.envelope)).toEqual(['request_id', 'error']);
});

test('a 405 names the allowed methods', async () => {
  expect((await t.ask('PUT /companies')).headers.get('allow')).toBe('GET, POST');
});

test('a query of many kilobytes is answered', async () => {
  expect((await t.ask(`GET /companies?x=${'y'.repeat(20_000)}`)).status).toBe(200);
});

test('an error of the reference itself is answered with an envelope that does not show the cause', async () => {
  const clock = {
    now: () => Number.NaN,
    sleep: async () => {},
  };
  await expect(trial({}, { clock })).rejects.toThrow();
  let now = 0;
  const broken = await trial({}, { clock: { now: () => now, sleep: async () => {} } });
  now = 9e15;
  const answer = await broken.ask('GET /health');
  expect([answer.status, answer.error]).toEqual([500, { code: 'INTERNAL_ERROR', message: 'Internal error' }]);
});

test('the same seed makes the same server', async () => {
  const [one, same, other] = [await trial(), await trial(), await trial({}, { seed: 2 })];
  expect(one.env).toEqual(same.env);
  expect(one.env.COVENANT_API_KEY).not.toBe(other.env.COVENANT_API_KEY);
  expect((await one.ask('GET /me')).text).toBe((await same.ask('GET /me')).text);
});

test.each([{ minuteMs: 0 }, { tiers: { starter: { read: 0 } } }])(
  'the reference refuses the options %j',
  async (options) => {
    await expect(trial({}, options)).rejects.toThrow(RangeError);
  },
);
