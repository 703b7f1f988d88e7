// The reference behind a socket: Node's HTTP server, hono's adapter, and envelopes for requests that never reach the handler.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Handler, handlerOf } from './handler.ts';
import { type ReferenceOptions, settle } from './options.ts';
import { type Refusal, refuse } from './refusal.ts';
import { failure, toResponse } from './reply.ts';
import { populate } from './seed.ts';
import { createService, type Service } from './service.ts';

export interface ServeOptions extends ReferenceOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1: reachable from this machine only. */
  host?: string;
  /** Answers what is not of the interface, for example a page about the sandbox; undefined leaves it to the interface. */
  beside?: (request: Request) => Promise<Response | undefined>;
}
export interface Served {
  /** Without the API's path and without a slash at the end. */
  readonly url: string;
  /** Every credential of the sandbox, and COVENANT_BASE_URL. */
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

/** High enough that the handler, not the parser, answers query strings of many kilobytes. */
const maxHeaderSize = 65_536;

const notHttp = () => refuse(400, 'The request is not well-formed HTTP');

/** Answers bytes that are not HTTP by hand, because no request exists yet. */
function rawReply(service: Service, refusal: Refusal): string {
  const { status, text } = failure(service, refusal);
  const head = `HTTP/1.1 ${status} Error\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  return `${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

function listening(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the server has no port'));
      else resolve(address);
    });
  });
}

/** Starts the sandbox; rejects when the port is taken. */
export async function serveReference(options: ServeOptions = {}): Promise<Served> {
  const service = createService(settle(options));
  const credentials = await populate(service);
  const { clock } = service.settings;
  const handler = handlerOf(service);
  const { beside } = options;
  const outer: Handler = beside ? async (request) => (await beside(request)) ?? handler(request) : handler;
  const listener = getRequestListener(outer, {
    hostname: 'localhost',
    overrideGlobalObjects: false,
    // The handler never throws; this is input from which no Request can be made.
    errorHandler: () => toResponse(failure(service, notHttp()), clock.now()),
  });
  const server = createServer(
    { maxHeaderSize, requireHostHeader: false },
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(rawReply(service, notHttp()));
  });
  const host = options.host ?? '127.0.0.1';
  const { port } = await listening(server, options.port ?? 0, host);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, env: { COVENANT_BASE_URL: url, ...credentials }, close };
}
