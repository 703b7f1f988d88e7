// A proxy on the loopback that disturbs what goes through it: the troubles of real sockets, which no function can imitate.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { wallClock } from '../../lib/runtime/clock.ts';
import type { Random } from '../../lib/runtime/random.ts';
import { nginx } from './kinds.ts';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

interface Passing {
  readonly outgoing: ServerResponse;
  /** To the target, and its reply. */
  forward(): Promise<Answer>;
}

type Disturbance = (passing: Passing) => Promise<unknown>;

const pause = (ms: number): Promise<void> => wallClock.sleep(ms);
const pass = ({ status, headers, body }: Answer, outgoing: ServerResponse) =>
  outgoing.writeHead(status, { ...headers, 'content-length': body.length }).end(body);

const reset: Disturbance = async ({ outgoing }) => outgoing.socket?.resetAndDestroy();

const disturbances = {
  resetBefore: reset,
  resetAfter: async (passing) => {
    await passing.forward();
    await reset(passing);
  },
  page: async ({ outgoing }) => {
    const { status, headers, body } = nginx(502);
    outgoing.writeHead(status, headers).end(body);
  },
  pageAfter: async (passing) => {
    await passing.forward();
    await disturbances.page(passing);
  },
  cut: async ({ forward, outgoing }) => {
    const { status, headers, body } = await forward();
    outgoing.writeHead(status, { ...headers, 'content-length': body.length + 1 }).write(body);
    await pause(5);
    outgoing.destroy();
  },
  /** A connection that ends says no more than that the body ends there. */
  cutWithoutLength: async ({ forward, outgoing }) => {
    const { status, headers, body } = await forward();
    outgoing.useChunkedEncodingByDefault = false;
    outgoing.shouldKeepAlive = false;
    outgoing.writeHead(status, headers).end(body.subarray(0, body.length / 2));
  },
  /** Closed without a word, after its client has got what it asked for. */
  stale: async ({ forward, outgoing }) => {
    const { socket } = outgoing;
    pass(await forward(), outgoing);
    await pause(2);
    socket?.destroy();
  },
  drip: async ({ forward, outgoing }) => {
    const { status, headers, body } = await forward();
    outgoing.writeHead(status, { ...headers, 'content-length': body.length });
    const step = Math.ceil(body.length / 8) || 1;
    for (let at = 0; at < body.length; at += step) {
      outgoing.write(body.subarray(at, at + step));
      await pause(80);
    }
    outgoing.end();
  },
  hang: async () => {},
} satisfies Record<string, Disturbance>;

export interface Trouble {
  readonly disturbance: keyof typeof disturbances;
  /** Of a hundred requests so many; absent: every request of the outage. */
  readonly perCent?: number;
  /** Milliseconds after the first request, from and to. */
  readonly outage?: readonly [number, number];
}

const hopByHop = /^(connection|keep-alive|transfer-encoding|content-length)$/;
const flat = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      hopByHop.test(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  );

/** Between a client and the server at `upstream`; `disturbed` returns how many requests it disturbed. */
export async function disturbingProxy(upstream: string, { disturbance, perCent, outage }: Trouble, random: Random) {
  const agent = new Agent();
  let disturbed = 0;
  let startedAt: number | undefined;
  const disturbs = (): boolean => {
    const now = wallClock.now();
    startedAt ??= now;
    const [from, to] = outage ?? [0, Number.POSITIVE_INFINITY];
    const ms = now - startedAt;
    return ms >= from && ms < to && random.int(1, 100) <= (perCent ?? 100);
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const sent = await buffer(incoming);
    const forward = async (): Promise<Answer> => {
      const { method = 'GET', url, headers } = incoming;
      const body = sent.length > 0 ? sent : null;
      const options = { dispatcher: agent, method: method as 'GET', headers: flat(headers), body };
      const reply = await request(`${upstream}${url}`, options);
      return { status: reply.statusCode, headers: flat(reply.headers), body: Buffer.from(await reply.body.bytes()) };
    };
    if (disturbs()) {
      disturbed += 1;
      await disturbances[disturbance]({ outgoing, forward });
    } else pass(await forward(), outgoing);
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await agent.destroy();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, disturbed: () => disturbed, close };
}
