// Evidence of a target that repeats the tokens it refuses, as they are or in an encoding, follows as well.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { judge, recordedRun } from '../../lab/recorded-run.ts';
import type { Handler } from '../client/transports/handler.ts';

/** A server whose refusals repeat what they were sent, written in some way. */
const repeating =
  (write: (token: string) => string) =>
  (handler: Handler): Handler =>
  async (request) => {
    const reply = await handler(request);
    if (reply.status !== 401) return reply;
    const json = (await reply.json()) as { error: object };
    const sent = write(request.headers.get('authorization') ?? '');
    const error = { ...json.error, message: `${sent} is not valid`, code: 'ERROR' };
    return new Response(JSON.stringify({ ...json, error }), { status: 401, headers: reply.headers });
  };

test('a server that repeats refused tokens follows as well, and so do the lines that show it again', async () => {
  const settings = { effort: 'standard', areas: ['authentication'], exhaustion: false } as const;
  const { file, reportFile } = await recordedRun({ wrap: repeating((token) => token), settings });
  const { outcome, troubles, verdict } = judge(file, reportFile);
  expect({ outcome, troubles, verdict }).toEqual({ outcome: 'follows', troubles: [], verdict: 'non-conformant' });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const encodings: Readonly<Record<string, (token: string) => string>> = {
  'base64url behind seven bytes': (token) => Buffer.from(`{"key":${token}}`).toString('base64url'),
  'base64 in base64': (token) => base64(`xx${base64(`x${token}`)}`),
  'capitals, in escapes of HTML': (token) => [...token.toUpperCase()].map((one) => `&#${one.charCodeAt(0)};`).join(''),
  'backwards, percent-encoded': (token) => hex([...token].reverse().join('')).replace(/../g, '%$&'),
  'packed by gzip': (token) => gzipSync(token).toString('base64'),
};

test.each(Object.entries(encodings))('also in %s', async (_, write) => {
  // One case at a time: which replies overlap is not the same each time, because signatures are checked in threads.
  const settings = { effort: 'quick', areas: ['authentication'], exhaustion: false, concurrency: 1 } as const;
  const wrap = repeating((sent) => write(sent.replace('Bearer ', '')));
  const { file, reportFile } = await recordedRun({ wrap, settings });
  const { outcome, troubles, verdict } = judge(file, reportFile);
  expect({ outcome, troubles, verdict }).toEqual({ outcome: 'follows', troubles: [], verdict: 'non-conformant' });
});
