// Thin adapters over the core: WHATWG requests, and node:http.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Choices } from './choices.ts';
import type { Core } from './core.ts';
import type { Reply } from './refusal.ts';
import type { Call } from './visit.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export async function handleRequest(core: Core, request: Request): Promise<Response> {
  const reply = await core.serve(await callOf(request));
  return new Response(request.method === 'HEAD' ? null : reply.text, { status: reply.status, headers: reply.headers });
}

async function callOf(request: Request): Promise<Call> {
  const { method, headers } = request;
  const { pathname, search } = new URL(request.url);
  const body = request.body === null ? '' : decoder.decode(await request.arrayBuffer());
  return { method, path: pathname, query: search.slice(1), header: (name) => headers.get(name) ?? undefined, body };
}

export interface Listening {
  url: string;
  close(): Promise<void>;
}

export async function listenOn(core: Core, choices: Choices, port: number): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    answer(core, choices, incoming, outgoing).catch(() => {
      outgoing.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: given } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${given}`, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  core: Core,
  choices: Choices,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const target = incoming.url ?? '/';
  const mark = target.indexOf('?');
  const call: Call = {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    header: (name) => headerOf(incoming, name),
    body: await bodyOf(incoming),
  };
  send(outgoing, await core.serve(call), choices, call);
}

function headerOf(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return parts.length === 0 ? '' : decoder.decode(Buffer.concat(parts));
}

function send(outgoing: ServerResponse, reply: Reply, choices: Choices, call: Call): void {
  outgoing.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers)) outgoing.setHeader(casedName(name, choices), value);
  if (call.method === 'HEAD') {
    outgoing.end();
    return;
  }
  const zip = choices.compression === 'gzip-when-asked' && /\bgzip\b/.test(call.header('accept-encoding') ?? '');
  const bytes = zip ? gzipSync(reply.text) : Buffer.from(reply.text);
  if (zip) outgoing.setHeader(casedName('Content-Encoding', choices), 'gzip');
  if (choices.bodyFraming === 'length') {
    outgoing.setHeader(casedName('Content-Length', choices), bytes.length);
    outgoing.end(bytes);
    return;
  }
  const middle = bytes.length >>> 1;
  outgoing.write(bytes.subarray(0, middle));
  outgoing.end(bytes.subarray(middle));
}

function casedName(name: string, choices: Choices): string {
  if (choices.headerCase === 'title') return name;
  return choices.headerCase === 'lower' ? name.toLowerCase() : name.toUpperCase();
}
