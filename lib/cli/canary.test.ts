// No secret anywhere: marked credentials go through every command, reporter and failure, against a target that sends them back in every encoding; no byte of what is printed or written holds one.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createReference } from '../../lab/reference/index.ts';
import { suites } from '../../suites/index.ts';
import { type Handler, handlerTransport } from '../client/transports/handler.ts';
import { NoReply, type Transport } from '../client/transports/transport.ts';
import { run } from '../run/run.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { compose } from './compose.ts';
import { type Console, guarded } from './console.ts';
import type { Parts } from './parts.ts';
import { covenant } from './program.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'covenant-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hex = (text: string): string => Buffer.from(text).toString('hex');
/** The part of an encoding that no neighbour has a share in, without asking the code that is tested. */
const inner = (text: string, before: number, encoding: 'base64' | 'base64url'): string =>
  Buffer.from(`${'>?'.slice(0, before)}${text}~~~~`)
    .toString(encoding)
    .slice(4, -8);

/** How a canary may be seen; halves because a header may hold one only. */
function traces(canary: string): Record<string, string> {
  const half = Math.ceil(canary.length / 2);
  return {
    plain: canary,
    'first half': canary.slice(0, half),
    'second half': canary.slice(half),
    percent: encodeURIComponent(canary),
    'percent throughout': hex(canary).replace(/../g, '%$&'),
    JSON: JSON.stringify(canary).slice(1, -1),
    hexadecimal: hex(canary),
    'upper-case hexadecimal': hex(canary).toUpperCase(),
    'escaped throughout': hex(canary).replace(/../g, '\\u00$&'),
    capitals: canary.toUpperCase(),
    backwards: [...canary].reverse().join(''),
    ...Object.fromEntries(
      [0, 1, 2].flatMap((before) => [
        [`base64 behind ${before}`, inner(canary, before, 'base64')],
        [`base64url behind ${before}`, inner(canary, before, 'base64url')],
      ]),
    ),
  };
}

/** Every byte of the files in the folder, by name, the names included. */
function written(): Record<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String);
  const files = names.filter((name) => name !== '.env' && statSync(join(folder, name)).isFile());
  return {
    names: names.join('\n'),
    ...Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
  };
}

function leaks(texts: Record<string, string>, canaries: Readonly<Record<string, string>>): string[] {
  return Object.entries(canaries).flatMap(([name, canary]) =>
    Object.entries(traces(canary)).flatMap(([how, trace]) =>
      Object.entries(texts).flatMap(([where, text]) => (text.includes(trace) ? [`${name} ${how} in ${where}`] : [])),
    ),
  );
}

interface CanaryTrial {
  readonly environment: Readonly<Record<string, string>>;
  readonly canaries?: Readonly<Record<string, string>>;
  readonly parts: Parts;
}

/** Runs a command line and looks for canaries in all that is there then. */
async function command({ environment, canaries = secretsOf(environment), parts }: CanaryTrial, ...words: string[]) {
  const texts = { out: '', stderr: '' };
  const console: Console = {
    stdout: (text) => {
      texts.out += text;
    },
    stderr: (text) => {
      texts.stderr += text;
    },
    stdoutIsTerminal: false,
    stderrIsTerminal: true,
    columns: 80,
    environment,
    folder,
    onStop: () => () => {},
    leave: () => {},
  };
  const code = await covenant(words, guarded(console), parts);
  return { code, ...texts, leaks: leaks({ ...texts, ...written() }, canaries) };
}

const secretsOf = (environment: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => /KEY|JWT/.test(name)));

/** The token in every encoding, for a target that cannot keep it to itself. */
function echoes(token: string): Record<string, string> {
  const half = Math.ceil(token.length / 2);
  const base64 = (before: string) => Buffer.from(before + token).toString('base64');
  return {
    'x-plain': token,
    'x-half-one': token.slice(0, half),
    'x-half-two': token.slice(half),
    'x-percent': encodeURIComponent(token),
    'x-escaped': hex(token).replace(/../g, '\\u00$&'),
    'x-capitals': token.toUpperCase(),
    'x-backwards': [...token].reverse().join(''),
    'x-hex': hex(token),
    'x-basic': base64(''),
    'x-basic-one': base64('a'),
    'x-basic-two': base64('ab'),
    'x-basic-url': Buffer.from(`user:${token}`).toString('base64url'),
  };
}

/** Sends back what it was sent, and does something wrong, so that reports show exchanges. */
const indiscreet =
  (honest: Handler, made: Record<string, string>): Handler =>
  async (request) => {
    const token =
      (request.headers.get('authorization') ?? '').replace(/^Bearer /, '') || (await request.clone().text());
    const reply = await honest(request);
    const body = JSON.parse(await reply.text());
    if (body.data?.api_key) made[`key ${body.data.id}`] = body.data.api_key;
    if (new URL(request.url).pathname.endsWith('/billing/summary')) delete body.timestamp;
    if (body.error) body.error.message += ` (you sent ${token})`;
    const headers = new Headers(reply.headers);
    if (/^[\x21-\x7e]+$/.test(token))
      for (const [name, value] of Object.entries(echoes(token))) headers.set(name, value);
    return new Response(
      JSON.stringify({ ...body, echo: { ...echoes(token), all: [token, Buffer.from(token).toString('base64')] } }),
      {
        status: reply.status,
        headers,
      },
    );
  };

const partsFor = (transport: Transport, clock = virtualClock()): Parts => ({
  ...compose(),
  clock,
  connect: () => ({ send: transport, close: async () => {} }),
  examine: (examination) => run({ ...examination, suites, transport, clock }),
});

describe('against a target that sends every credential back', () => {
  test('no command, no reporter and no file shows a secret', async () => {
    const clock = virtualClock();
    const { handler, env } = await createReference({ clock: clock.inside });
    const made: Record<string, string> = {};
    const parts = partsFor(handlerTransport(indiscreet(handler, made), clock), clock);
    const environment = { ...env, COVENANT_BASE_URL: 'http://reference.test' };
    const canaries = secretsOf(env);
    const trial: CanaryTrial = { environment, canaries, parts };

    const quick = ['--reporter', 'all', '--effort', 'quick', '--no-exhaustion', '--area'];
    const first = await command(trial, 'run', ...quick, 'api-keys,authentication,billing,account', '--out', 'old');
    expect(first.code).toBe(1);
    expect(Object.keys(made).length).toBeGreaterThan(10);
    const texts = written();
    expect(leaks(texts, { ...canaries, ...made })).toEqual([]);
    expect(texts['old/transcript.har']).toContain('<COVENANT_API_KEY_RESTRICTED>');
    expect(texts['old/transcript.har']).toContain('x-basic-two');

    const waiving = ['waive', 'envelope-timestamp', '--reason', 'known', '--owner', 'o', '--expires', '2030-01-01'];
    const commands = [
      ['run', '--baseline', 'old/report.json', ...quick, 'billing,errors'],
      ['run', '--plan'],
      ['doctor'],
      ['report', 'old/report.json', '--reporter', 'all', '--out', 'again', '--baseline', 'old/report.json'],
      ['compare', 'old/report.json', 'reports/report.json'],
      ['compare', 'old/report.json', 'reports/report.json', '--format', 'json'],
      [...waiving, '--link', `https://x.test/?key=${env.COVENANT_API_KEY}`],
      ['requirements'],
      ['cleanup'],
    ];
    for (const words of commands) {
      const found = await command(trial, ...words);
      expect([words[0], found.leaks]).toEqual([words[0], []]);
      expect([words[0], (found.out + found.stderr).length > 0]).toEqual([words[0], true]);
    }
  });

  test('a ledger that is cleaned up later holds no secret, and its clean-up shows none', async () => {
    const clock = virtualClock();
    const { handler, env } = await createReference({ clock: clock.inside });
    const transport = handlerTransport(indiscreet(handler, {}), clock);
    const parts: Parts = {
      ...partsFor(transport, clock),
      examine: async (examination) => {
        let sent = 0;
        const dying: Transport = async (request, limits) => {
          sent += 1;
          if (sent > 60) throw new NoReply(`cut off: ${request.headers.authorization}`);
          return transport(request, limits);
        };
        return run({ ...examination, suites, transport: dying, clock });
      },
    };
    const trial: CanaryTrial = {
      environment: { ...env, COVENANT_BASE_URL: 'http://reference.test' },
      canaries: secretsOf(env),
      parts,
    };
    const broken = await command(trial, 'run', '--reporter', 'all');
    expect(broken.leaks).toEqual([]);
    expect(readdirSync(join(folder, 'reports/ledgers'))).toHaveLength(1);
    const cleaned = await command(trial, 'cleanup');
    expect([cleaned.code, cleaned.leaks]).toEqual([0, []]);
    expect(cleaned.out).toContain('taken back');
  });
});

describe('where nothing can be judged', () => {
  const key = 'svc_sk_Canary+Primary/0=~%41"x\\y&<z>0123456789';
  const environment = { COVENANT_BASE_URL: 'http://t.test', COVENANT_API_KEY: key, COVENANT_DEBUG: '1' };
  const answers: Record<string, Transport> = {
    'a refused key': async ({ headers }) => ({
      status: 401,
      headers: { 'content-type': 'application/json', 'www-authenticate': `Bearer error="${headers.authorization}"` },
      body: JSON.stringify({ error: { code: 'UNAUTHORIZED', message: `no such key: ${headers.authorization}` } }),
    }),
    'a web page': async ({ headers }) => ({
      status: 200,
      headers: { 'content-type': `text/html; token=${headers.authorization}` },
      body: `<pre>${headers.authorization}</pre>`,
    }),
    'a redirect': async ({ headers }) => ({
      status: 302,
      headers: { location: `https://login.test/?return=${encodeURIComponent(headers.authorization ?? '')}` },
      body: '',
    }),
    'a broken connection': async ({ headers }) => {
      throw new NoReply(`invalid header value "${headers.authorization}"`);
    },
    'an error of our own': async ({ headers }) => {
      throw new TypeError(`cannot read ${JSON.stringify(headers)}`);
    },
  };

  test.each(Object.keys(answers))('no secret shows where nothing can be judged: %s', async (what) => {
    const trial: CanaryTrial = {
      environment,
      parts: partsFor(answers[what] ?? (() => Promise.reject(new Error(what)))),
    };
    mkdirSync(join(folder, 'reports/ledgers'), { recursive: true });
    const head = { entry: 'run', id: 'abc', base_url: 'http://t.test', started_at: '2026-03-01T00:00:00Z' };
    const intent = {
      entry: 'intend',
      n: 1,
      kind: 'key',
      name: 'Covenant',
      digest: 'd',
      credential: 'COVENANT_API_KEY',
      at: 0,
    };
    writeFileSync(join(folder, 'reports/ledgers/abc.ndjson'), `${JSON.stringify(head)}\n${JSON.stringify(intent)}\n`);
    for (const words of [['run', '--reporter', 'all'], ['doctor'], ['cleanup']]) {
      const found = await command(trial, ...words);
      expect([words[0], found.code, found.leaks]).toEqual([words[0], 4, []]);
    }
  });

  test.each<[string, Record<string, string>, readonly string[]]>([
    ['a key with a word before it', { ...environment, COVENANT_API_KEY: `Bearer ${key}` }, ['run']],
    ['a key with a line break', { ...environment, COVENANT_API_KEY: `${key}\n${key}` }, ['doctor']],
    ['one key in two roles', { ...environment, COVENANT_API_KEY_SECONDARY: key }, ['cleanup']],
    ['a key where a JWT belongs', { ...environment, COVENANT_JWT: key }, ['run', '--plan']],
    ['a key in the address', environment, ['run', '--base-url', `https://user:${encodeURIComponent(key)}@t.test`]],
    ['a key as an option', environment, ['run', `--${key}`]],
    ['a key as a word', environment, [key]],
    ['a key as a file', environment, ['compare', key, key]],
    ['a key as a requirement', environment, ['run', '--requirement', key]],
  ])('no secret shows where the usage is wrong: %s', async (_, of, words) => {
    if (words[0] === 'cleanup') mkdirSync(join(folder, 'reports/ledgers'), { recursive: true });
    const trial: CanaryTrial = {
      environment: of,
      canaries: { key },
      parts: partsFor(answers['a web page'] ?? (() => Promise.reject())),
    };
    const found = await command(trial, ...words);
    expect(found.leaks).toEqual([]);
    if (words[0] !== 'cleanup') expect(found.code).toBe(2);
  });

  test('no secret shows where a .env cannot be read', async () => {
    writeFileSync(join(folder, '.env'), `COVENANT_API_KEY ${key}\n`);
    const trial: CanaryTrial = {
      environment: {},
      canaries: { key },
      parts: partsFor(() => Promise.reject(new Error('not used'))),
    };
    for (const words of [['run'], ['doctor']]) {
      const found = await command(trial, ...words);
      expect([found.code, found.leaks]).toEqual([2, []]);
    }
  });
});
