// Targets that send much: a run stays below 400 MB whatever they send, measured at its largest in a process of its own.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build, builtMain, removeBuild } from '../../lib/cli/trial.test-data.ts';
import { requestListener } from '../over-http.ts';
import { createReference, type Handler } from '../reference/index.ts';

const megabytesMax = 400;
const limits = { read: 4000, write: 2000, validate: 400 };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'covenant-memory-'));
  build();
}, 120_000);
afterAll(() => {
  removeBuild();
  rmSync(folder, { recursive: true, force: true });
});

/** Puts more into each envelope than the interface knows, which is lawful. */
const padded =
  (handler: Handler, padding: string | (() => string)): Handler =>
  async (request) => {
    const reply = await handler(request);
    const body = await reply.text();
    const { status, headers } = reply;
    const more = body.startsWith('{')
      ? `${body.slice(0, -1)},"padding":${typeof padding === 'string' ? padding : padding()}}`
      : body;
    return new Response(status === 204 ? null : more, { status, headers });
  };

/** Sends all that it is given packed. */
function packing(outgoing: ServerResponse): void {
  const end = outgoing.end.bind(outgoing);
  outgoing.setHeader('content-encoding', 'gzip');
  Object.assign(outgoing, { end: (body: string) => end(gzipSync(body, { level: 1 })) });
}

async function listening(handler: Handler, change: (outgoing: ServerResponse) => void) {
  const listener = requestListener(handler);
  const server = createServer((incoming, outgoing) => {
    change(outgoing);
    listener(incoming, outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const measuring = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\nkilobytes '+process.resourceUsage().maxRSS))`;

/** Its largest memory in megabytes, and its exit code. */
async function measured(env: Readonly<Record<string, string>>) {
  const words = ['run', '--effort', 'quick', '--no-exhaustion', '--max-minutes', '1', '--seed', '1'];
  const { PATH = '' } = process.env;
  const run = spawn(process.execPath, ['--import', measuring, builtMain, ...words], {
    cwd: folder,
    env: { ...env, PATH },
  });
  run.stdout.resume();
  const [said, [code]] = await Promise.all([text(run.stderr), once(run, 'exit')]);
  return { code, megabytes: Number(/kilobytes (\d+)$/.exec(said)?.[1]) / 1024 };
}

const kilo = 1024;
const mega = 1024 * kilo;
const long = (bytes: number) => JSON.stringify('x'.repeat(bytes));
/** One such character doubles what the whole text takes. */
const wide = (bytes: number) => JSON.stringify(`☃${'x'.repeat(bytes)}`);
const many = (unit: string, bytes: number) => `[${`${unit},`.repeat(bytes / (unit.length + 1))}0]`;
const deep = `${'['.repeat(150)}${']'.repeat(150)}`;
const plain = () => {};
let drawn = 0;
/** Another one each time. */
function hex(outputLength: number): string {
  drawn += 1;
  return createHash('shake256', { outputLength }).update(String(drawn)).digest('hex');
}
const keys = () => JSON.stringify(Array.from({ length: 50 }, () => `svc_sk_${hex(16)}`));
const longHeaders = (outgoing: ServerResponse) => {
  for (let at = 0; at < 14; at += 1) outgoing.setHeader(`x-long-${at}`, hex(512));
};

/** 1 is no exit code of theirs: nobody is accused of long replies. */
const rows = [
  { what: 'a text of 16 KB', padding: long(16 * kilo), code: 0 },
  { what: 'arrays within arrays, 16 KB', padding: many(deep, 16 * kilo), code: 3 },
  { what: 'more levels and values than are read, 200 KB', padding: many(deep, 200 * kilo), code: 4 },
  { what: 'a wide text of almost 4 MB, packed', padding: wide(3.8 * mega), change: packing, code: 3 },
  { what: '14 KB of headers', padding: '0', change: longHeaders, code: 0 },
  { what: 'fifty keys, each another one', padding: keys, code: 3 },
  { what: 'a text of 15 MB', padding: long(15 * mega), code: 4 },
];

test.each(rows)('$what in every reply', { timeout: 120_000 }, async ({ padding, change = plain, code }) => {
  const { handler, env } = await createReference({ tiers: { starter: limits, standard: limits, business: limits } });
  const { url, close } = await listening(padded(handler, padding), change);
  try {
    const { megabytes, ...ended } = await measured({ ...env, COVENANT_BASE_URL: url });
    expect(ended).toEqual({ code });
    expect(megabytes).toBeGreaterThan(50);
    expect(megabytes).toBeLessThan(megabytesMax);
  } finally {
    close();
  }
});
