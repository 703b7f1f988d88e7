// No secret anywhere: marked credentials go through every command, reporter and failure, against a target that sends them back in every encoding; no byte of what is printed or written holds one.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createReference } from '../../lab/reference/index.ts';
import { suites } from '../../suites/index.ts';
import { handlerTransport } from '../client/transports/handler.ts';
import { NoReply, type Transport } from '../client/transports/transport.ts';
import { run } from '../run/run.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import {
  type CanaryTrial,
  command,
  folder,
  indiscreet,
  leaks,
  makeFolder,
  partsFor,
  removeFolder,
  secretsOf,
  written,
} from './canary.test-data.ts';
import type { Parts } from './parts.ts';

beforeEach(makeFolder);
afterEach(removeFolder);

describe('against a target that sends every credential back', () => {
  test('no command, no reporter, no evidence and no file shows a secret', { timeout: 180_000 }, async () => {
    const clock = virtualClock();
    const { handler, env } = await createReference({ clock: clock.inside });
    const made: Record<string, string> = {};
    const parts = partsFor(handlerTransport(indiscreet(handler, made), clock), clock);
    const environment = { ...env, COVENANT_BASE_URL: 'http://reference.test' };
    const canaries = secretsOf(env);
    const trial: CanaryTrial = { environment, canaries, parts };

    const quick = ['--reporter', 'all', '--effort', 'quick', '--no-exhaustion', '--area'];
    const areas = 'api-keys,authentication,billing,account';
    const first = await command(trial, 'run', ...quick, areas, '--out', 'old', '--evidence');
    expect(first.code).toBe(1);
    expect(Object.keys(made).length).toBeGreaterThan(10);
    const texts = written();
    expect(leaks(texts, { ...canaries, ...made })).toEqual([]);
    expect(texts['old/report.json']).toContain('<COVENANT_API_KEY_RESTRICTED>');
    for (const file of ['old/report.json', 'old/evidence.jsonl.gz']) expect(texts[file]).toContain('x-basic-two');

    const waiving = ['waive', 'envelope-timestamp', '--reason', 'known', '--owner', 'o', '--expires', '2030-01-01'];
    const commands = [
      ['run', '--json', '--baseline', 'old/report.json', ...quick, 'billing,errors'],
      ['run', '--plan'],
      ['doctor'],
      ['report', 'old/report.json', '--reporter', 'all', '--out', 'again', '--baseline', 'old/report.json'],
      ['compare', 'old/report.json', 'reports/report.json'],
      ['compare', 'old/report.json', 'reports/report.json', '--format', 'json'],
      [...waiving, '--link', `https://x.test/?key=${env.COVENANT_API_KEY}`],
      ['requirements'],
      ['cleanup'],
      ['verify', 'old/evidence.jsonl.gz', '--report', 'old/report.json'],
      ['verify', 'old/evidence.jsonl.gz', '--json'],
      ['keygen', '--out', 'key.pem'],
      ['sign', 'old/evidence.jsonl.gz', '--key', 'key.pem'],
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
