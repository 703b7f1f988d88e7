// Servers for tests of the way to a target: with TLS or without, over HTTP/1.1 or HTTP/2, and a forward proxy that others wrote.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { createProxy } from 'proxy';
import { requestListener } from '../../../lab/over-http.ts';
import type { Handler } from './handler.ts';

export interface Running {
  readonly port: number;
  close(): void;
}

async function running(server: Server, host: string): Promise<Running> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, host);
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Reachable as 0.0.0.0 too, which is an address that proxies are asked for. */
const everywhere = '0.0.0.0';

export const plainServer = (handler: Handler) => running(createServer(requestListener(handler)), everywhere);
export const tlsServer = (handler: Handler, options: TlsOptions) =>
  running(createTlsServer(options, requestListener(handler)), everywhere);
export const http2Server = (handler: Handler, options: TlsOptions) =>
  running(createSecureServer({ ...options, allowHTTP1: false }, requestListener(handler)), everywhere);

export interface RunningProxy extends Running {
  /** What it was asked to do: methods and addresses. */
  readonly asked: readonly string[];
}

/** With `login`, it asks for that user and password. */
export async function forwardProxy(login?: string): Promise<RunningProxy> {
  const server = createServer();
  const asked: string[] = [];
  const note = ({ method, url }: { method?: string | undefined; url?: string | undefined }) =>
    asked.push(`${method} ${url}`);
  server.on('request', note);
  server.on('connect', note);
  const proxy = createProxy(server);
  if (login !== undefined) {
    const wanted = `Basic ${Buffer.from(login).toString('base64')}`;
    proxy.authenticate = (request) => request.headers['proxy-authorization'] === wanted;
  }
  return { ...(await running(proxy, '127.0.0.1')), asked };
}

/** A proxy that answers every request for a tunnel with this status. */
export async function refusingProxy(status: number): Promise<Running> {
  const server = createServer((_, response) => response.writeHead(status).end());
  server.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
  return running(server, '127.0.0.1');
}
