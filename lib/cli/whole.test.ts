// The real command line over real sockets: against the bundled reference, and against servers of another kind.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { violations } from '../schema/schema.ts';
import type { Console } from './console.ts';
import { command as commandIn, folder, read, useFolder } from './trial.test-data.ts';

const servers: Server[] = [];
useFolder();
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

const command = (words: readonly string[], environment?: Console['environment']) =>
  commandIn(folder, words, environment);

const report = (): string => read('reports/report.json');

async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('against the bundled reference', () => {
  test('one area is conformant, in a report that keeps to its schema', async () => {
    const { code, text } = await command(['--area', 'billing', '--seed', '7']);
    expect(text).toContain('CONFORMANT');
    expect(code).toBe(0);
    expect(violations('report', JSON.parse(report()))).toEqual([]);
  });
});

describe('against a server of another kind', () => {
  const key = 'svc_sk_canary_of_an_outsider';
  const seen: (string | undefined)[] = [];
  const html: RequestListener = (_, reply) => {
    reply.setHeader('content-type', 'text/html');
    reply.end('<html>welcome</html>');
  };
  const refusing: RequestListener = (_, reply) => {
    reply.statusCode = 401;
    reply.setHeader('content-type', 'application/json');
    reply.end('{"request_id":"r-1","error":{"code":"UNAUTHORIZED","message":"no such key"}}');
  };

  async function judged(baseUrl: string): Promise<string> {
    const { code, text } = await command(['run'], { COVENANT_BASE_URL: baseUrl, COVENANT_API_KEY: key });
    expect(code).toBe(4);
    expect(text).not.toMatch(/\n {4}at /);
    expect(text + report()).not.toContain(key);
    expect(JSON.parse(report())).toMatchObject({ verdict: 'aborted' });
    return text.replace(/\s+/g, ' ');
  }

  test('an address where nothing listens cannot be judged', async () => {
    expect(await judged('http://127.0.0.1:1')).toContain('connection refused');
  });

  test('a server that answers HTML cannot be judged', async () => {
    expect(await judged(await serving(html))).toContain('text/html');
  });

  test('a server that refuses the key cannot be judged', async () => {
    expect(await judged(await serving(refusing))).toContain('COVENANT_API_KEY with 401');
  });

  test('a server that redirects elsewhere cannot be judged, and the credentials do not follow', async () => {
    const elsewhere = await serving((request, reply) => {
      seen.push(request.headers.authorization);
      html(request, reply);
    });
    const redirecting = await serving((request, reply) => {
      reply.writeHead(307, { location: `${elsewhere}${request.url}` });
      reply.end();
    });
    expect(await judged(redirecting)).toContain('redirects');
    expect(seen).toEqual([]);
  });
});
