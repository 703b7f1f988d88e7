// The look at the start: what ends a run before it begins, and what is known of each credential after it.
import { describe, expect, test } from 'vitest';
import type { Line } from './client/client.ts';
import { Ledger } from './client/ledger.ts';
import { Pacing } from './client/pacing.ts';
import { Recorder } from './client/recorder.ts';
import { NoReply, type Transport, type WireReply } from './client/transports/transport.ts';
import type { Target } from './configuration/settings.ts';
import { virtualClock } from './runtime/virtual-clock.ts';
import { Secrets } from './secrets/secrets.ts';
import { look } from './standing.ts';

const reply = (status: number, body: unknown, headers: Record<string, string> = {}): WireReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const me = (limits: unknown, more: object = {}) => reply(200, { data: { platform: { rate_limits: limits }, ...more } });
const unauthorized = reply(401, { request_id: 'r', error: { code: 'UNAUTHORIZED', message: 'no' } });

type Answers = (route: string, token: string) => WireReply | Error;

function lookAt(answers: Answers, credentials: Target['credentials'] = { COVENANT_API_KEY: 'key-primary' }) {
  const clock = virtualClock(0);
  const asked: string[] = [];
  const transport: Transport = async ({ method, url, headers, body }) => {
    const route = `${method} ${url.replace(/.*\/v2/, '')}`;
    const token = (headers.authorization ?? '').replace('Bearer ', '') || String(JSON.parse(body ?? '{}').api_key);
    asked.push(`${route} ${token}`);
    const answer = answers(route, token);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const pacing = new Pacing(clock, 60_000);
  const line: Line = {
    target: { baseUrl: 'http://t.test', credentials, limits: {}, minuteMs: 60_000, originApp: 'c', timeoutMs: 1000 },
    transport,
    clock,
    pacing,
    recorder: new Recorder(),
    ledger: new Ledger(),
    readOnly: false,
  };
  return { standings: look(line, new Secrets()), asked, pacing };
}

describe('a run does not begin', () => {
  test.each<[string, Answers, RegExp]>([
    [
      'where nothing listens',
      () => new NoReply('nothing listens there (connection refused)'),
      /does not answer.*refused.*COVENANT_BASE_URL/,
    ],
    [
      'behind a redirect',
      () => reply(302, '', { location: 'https://other.test/' }),
      /redirects to https:\/\/other\.test\/.*not sent on/,
    ],
    [
      'where a web page answers',
      () => reply(200, '<html>', { 'content-type': 'text/html' }),
      /200 \(text\/html\).*host and path/,
    ],
    ['under a wrong path', () => reply(404, { message: 'no such route' }), /answers 404.*host and path/],
    ['with a refused key', () => unauthorized, /refuses COVENANT_API_KEY with 401/],
  ])('%s', async (_, answers, sentence) => {
    await expect(lookAt(answers).standings).rejects.toThrow(sentence);
  });

  test('and a redirect is not followed with credentials', async () => {
    const { standings, asked } = lookAt(() => reply(307, '', { location: 'https://other.test/' }));
    await expect(standings).rejects.toThrow();
    expect(asked).toEqual(['GET /me key-primary']);
  });
});

describe('a fault of one operation is no reason to end the run', () => {
  test.each<[string, Answers]>([
    ['GET /me alone is refused', (route) => (route === 'GET /me' ? unauthorized : reply(200, { data: [] }))],
    ['GET /me alone is missing', (route) => (route === 'GET /me' ? reply(404, {}) : reply(200, { data: {} }))],
    ['GET /me answers 500', () => reply(500, {})],
  ])('%s', async (_, answers) => {
    expect((await lookAt(answers).standings).has('COVENANT_API_KEY')).toBe(true);
  });
});

describe('accounts and limits', () => {
  const two: Target['credentials'] = { COVENANT_API_KEY: 'key-primary', COVENANT_API_KEY_RESTRICTED: 'key-restricted' };
  const validated = (account: string) => reply(200, { data: { valid: true, account_id: account, scopes: ['a'] } });

  test('keys of one account share its allowance, which GET /me tells', async () => {
    const answers: Answers = (route) => (route.startsWith('POST') ? validated('7') : me({ read: 90, write: 12 }));
    const { standings, pacing } = lookAt(answers, two);
    const accounts = [...(await standings).values()].map(({ credential }) => credential.accounts);
    expect(accounts).toEqual([['COVENANT_API_KEY'], ['COVENANT_API_KEY']]);
    expect([pacing.limit('COVENANT_API_KEY', 'read'), pacing.limit('COVENANT_API_KEY', 'write')]).toEqual([90, 12]);
  });

  test('keys of different accounts do not', async () => {
    const answers: Answers = (route, token) => (route.startsWith('POST') ? validated(token) : me({}));
    const accounts = [...(await lookAt(answers, two).standings).values()].map(({ credential }) => credential.accounts);
    expect(accounts).toEqual([['COVENANT_API_KEY'], ['COVENANT_API_KEY_RESTRICTED']]);
  });

  test('where validate does not tell the account, a request counts against the primary too', async () => {
    const answers: Answers = (route) => (route.startsWith('POST') ? reply(500, {}) : me({}));
    const standings = await lookAt(answers, two).standings;
    expect(standings.get('COVENANT_API_KEY_RESTRICTED')?.credential.accounts).toEqual([
      'COVENANT_API_KEY_RESTRICTED',
      'COVENANT_API_KEY',
    ]);
  });

  test('a session that is told the primary account counts against it, another does not', async () => {
    const session: Target['credentials'] = { COVENANT_API_KEY: 'key-primary', COVENANT_JWT: 'a.b.c' };
    const telling =
      (accounts: number[]): Answers =>
      (route) =>
        route.startsWith('POST') ? validated('7') : me({}, { accounts: accounts.map((id) => ({ id })) });
    const of = async (accounts: number[]) =>
      (await lookAt(telling(accounts), session).standings).get('COVENANT_JWT')?.credential.accounts;
    expect(await of([7, 8])).toEqual(['COVENANT_JWT', 'COVENANT_API_KEY']);
    expect(await of([8, 9])).toEqual(['COVENANT_JWT']);
  });
});
