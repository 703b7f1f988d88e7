// What looks for secrets: marked credentials in every encoding, a target that sends them back, and all that a command printed and wrote.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { suites } from '../../suites/index.ts';
import type { Handler } from '../client/transports/handler.ts';
import type { Transport } from '../client/transports/transport.ts';
import { run } from '../run/run.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { compose } from './compose.ts';
import type { Parts } from './parts.ts';
import { covenant } from './program.ts';
import { keptConsole } from './trial.test-data.ts';

/** Where the commands of a test run. */
export let folder = '';
/** All that they were given. */
let given: Readonly<Record<string, string>> = {};
export function makeFolder(): void {
  folder = mkdtempSync(join(tmpdir(), 'covenant-'));
  given = {};
}
/** What was written there holds nothing of it. */
export function removeFolder(): void {
  const found = leaks(written(), given);
  rmSync(folder, { recursive: true, force: true });
  expect(found).toEqual([]);
}

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
export function written(): Record<string, string> {
  const names = readdirSync(folder, { recursive: true }).map(String);
  const files = names.filter((name) => name !== '.env' && statSync(join(folder, name)).isFile());
  return {
    names: names.join('\n'),
    ...Object.fromEntries(files.map((name) => [name, textOf(readFileSync(join(folder, name)), name)])),
  };
}

const isEvidence = (name: string): boolean => name.endsWith('.jsonl.gz');
const textOf = (bytes: Buffer, name: string): string => (isEvidence(name) ? gunzipSync(bytes) : bytes).toString('utf8');
/** In evidence header and claims of a JWT stay. */
const signatureOf = (token: string): string => (token.startsWith('eyJ') ? (token.split('.')[2] ?? '') : token);

export function leaks(texts: Record<string, string>, canaries: Readonly<Record<string, string>>): string[] {
  return Object.entries(canaries).flatMap(([name, canary]) =>
    Object.entries(texts).flatMap(([where, text]) =>
      Object.entries(traces(isEvidence(where) ? signatureOf(canary) : canary)).flatMap(([how, trace]) =>
        text.includes(trace) ? [`${name} ${how} in ${where}`] : [],
      ),
    ),
  );
}

export interface CanaryTrial {
  readonly environment: Readonly<Record<string, string>>;
  readonly canaries?: Readonly<Record<string, string>>;
  readonly parts: Parts;
}

/** Runs a command line and looks for canaries in all that it printed. */
export async function command(
  { environment, canaries = secretsOf(environment), parts }: CanaryTrial,
  ...words: string[]
) {
  const { console, written: texts } = keptConsole({ environment, folder, stderrIsTerminal: true });
  const code = await covenant(words, console, parts);
  given = { ...given, ...canaries };
  return { code, ...texts, leaks: leaks(texts, canaries) };
}

export const secretsOf = (environment: Readonly<Record<string, string>>): Record<string, string> =>
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
export const indiscreet =
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

export const partsFor = (transport: Transport, clock = virtualClock()): Parts => ({
  ...compose(),
  clock,
  connect: () => ({ send: transport, close: async () => {} }),
  examine: ({ recording, signal, ...examination }) => {
    const seam = { transport, clock, ...(signal && { signal }) };
    return run({ ...examination, ...seam, ...recording?.input, suites });
  },
});
