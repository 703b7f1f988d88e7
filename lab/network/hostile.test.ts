// Servers that are broken or mean harm, over real sockets: each ends with one sentence, soon, and in bounded memory.
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compose } from '../../lib/cli/compose.ts';
import { covenant } from '../../lib/cli/program.ts';
import { keptConsole } from '../../lib/cli/trial.test-data.ts';
import { report } from '../../lib/report/terminal/example.test-data.ts';

/** What it sends to whatever is asked. */
type Server = (socket: Socket) => void;

interface Row {
  readonly what: string;
  readonly server: Server;
  readonly words?: readonly string[];
  readonly code: number;
  readonly says: RegExp;
}

const http = (status: string, headers: readonly string[], body: string | Buffer = ''): Server => {
  const head = [`HTTP/1.1 ${status}`, `content-length: ${body.length}`, ...headers, '', ''].join('\r\n');
  return (socket) => {
    socket.write(head);
    socket.write(body);
  };
};
const raw =
  (text: string): Server =>
  (socket) =>
    socket.end(text);
const json = 'content-type: application/json';
const bomb = gzipSync(Buffer.alloc(400 * 1024 * 1024));

const rows: readonly Row[] = [
  {
    what: 'a small body that unpacks to 400 MB',
    server: http('200 OK', [json, 'content-encoding: gzip'], bomb),
    code: 4,
    says: /unpacked reply is larger than/,
  },
  {
    what: 'the same packed twice',
    server: http('200 OK', [json, 'content-encoding: gzip, gzip'], gzipSync(bomb)),
    code: 4,
    says: /unpacked reply is larger than/,
  },
  {
    what: 'a body that says it is packed and is not',
    server: http('200 OK', [json, 'content-encoding: gzip'], 'not packed'),
    code: 4,
    says: /cannot be unpacked/,
  },
  { what: 'the status 000', server: raw('HTTP/1.1 000 Nothing\r\n\r\n'), code: 4, says: /breaks the rules of HTTP/ },
  { what: 'no HTTP at all', server: raw('SSH-2.0-server\r\n'), code: 4, says: /breaks the rules of HTTP/ },
  { what: 'nothing but 304', server: http('304 Not Modified', []), code: 4, says: /answers 304/ },
  {
    what: 'a redirect',
    server: http('302 Found', ['location: https://elsewhere.test/']),
    code: 4,
    says: /redirects to https:\/\/elsewhere\.test\//,
  },
  {
    what: 'a web page',
    server: http('200 OK', ['content-type: text/html'], '<html>'),
    code: 4,
    says: /not as the interface does/,
  },
  {
    what: 'JSON nested without end',
    server: http('200 OK', [json], `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    code: 4,
    says: /nested more than 200 levels deep, which is not read/,
  },
  {
    what: 'what a CI service would take for a command',
    server: http('302 Found', ['location: ::error title=x::owned ##vso[task.complete]']),
    code: 4,
    says: /redirects to : :error title=x::owned # #vso\[/,
  },
  {
    what: 'a wait of a day',
    server: http(
      '429 Too Many',
      [json],
      '{"request_id":"r","error":{"code":"RATE_LIMITED","message":"wait 86400 seconds"}}',
    ),
    code: 4,
    says: /asks to wait 86400 s, too long for a run/,
  },
];

async function listening(server: Server) {
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => server(socket));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  };
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, close };
}

async function ran(url: string, folder: string, words: readonly string[]) {
  const environment = { COVENANT_BASE_URL: url, COVENANT_API_KEY: 'svc_sk_hostile_0123456789' };
  const { console, written } = keptConsole({ environment, folder, columns: 200 });
  const parts = { ...compose(), dryRun: async () => report([]) };
  return { code: await covenant(['run', ...words], console, parts), text: written.text };
}

describe.concurrent('a server that answers with', () => {
  test.for(rows)('$what', async ({ server, words = [], code, says }, { expect }) => {
    const folder = await mkdtemp(join(tmpdir(), 'covenant-hostile-'));
    const { url, close } = await listening(server);
    try {
      const result = await ran(url, folder, words);
      expect(result.text.replace(/\s+/g, ' ')).toMatch(says);
      expect(result.code).toBe(code);
      expect(JSON.parse(await readFile(join(folder, 'reports/report.json'), 'utf8'))).toMatchObject({
        verdict: 'aborted',
      });
    } finally {
      close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

test('a folder in which none can be made is refused at once', async () => {
  const { code, text } = await ran('http://127.0.0.1:1', tmpdir(), ['--out', '/proc/covenant/reports']);
  expect([code, text]).toEqual([2, expect.stringContaining('No report can be written to /proc/covenant/reports')]);
});
