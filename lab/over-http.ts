// The same examination over a real socket: a handler behind Node's HTTP server, and the transport for real targets.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { liveTransport } from '../lib/client/transports/live.ts';
import type { Effort } from '../lib/configuration/settings.ts';
import type { Recording } from '../lib/evidence/record.ts';
import type { BuiltReport } from '../lib/run/build-report.ts';
import { run } from '../lib/run/run.ts';
import { accelerated, wallClock } from '../lib/runtime/clock.ts';
import type { VirtualClock } from '../lib/runtime/virtual-clock.ts';
import { suites } from '../suites/index.ts';
import { defaultSettings, type Examination, targetOf } from './examine.ts';
import { type Outcome, outcomeOf } from './matrix/judgement.ts';
import { createReference, type Handler } from './reference/index.ts';
import { createSecondReading } from './second-reading/index.ts';

/** How a reply is sent, and headers are read; these forms of HTTP do not exist in process. */
export type Wire = 'plain' | 'compressed in pieces under loud names';

const clock: VirtualClock = { ...wallClock, during: (work) => work(), inside: wallClock };
/** Long enough that a busy machine does not spend a rate limit's window on anything else. */
const usualMinuteMs = 4000;

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

/** By connection and in lower case: the authorizations that came first. */
const known = new WeakMap<object, Map<string, string>>();

/** As Jetty does it: a value that came before on the connection in another letter case is taken for that one. */
function rememberAuthorization({ socket, headers }: Incoming): void {
  const { authorization } = headers;
  if (authorization === undefined) return;
  const ofSocket = known.get(socket) ?? new Map<string, string>();
  known.set(socket, ofSocket);
  const [folded, first] = [authorization.toLowerCase(), ofSocket.get(authorization.toLowerCase())];
  ofSocket.set(folded, first ?? authorization);
  headers.authorization = first ?? authorization;
}

async function requestOf(incoming: Incoming): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = 'GET', url, headers } = incoming;
  const pairs = Object.entries(headers)
    // What HTTP/2 puts in the place of the first line.
    .filter(([name]) => !name.startsWith(':'))
    .map(([name, value]): [string, string] => [name, [value ?? ''].flat().join(', ')]);
  const body = chunks.length > 0 && method !== 'GET' ? { body: Buffer.concat(chunks).toString() } : {};
  return new Request(`http://${headers.host ?? headers[':authority']}${url}`, { method, headers: pairs, ...body });
}

async function send(response: Response, outgoing: Outgoing, wire: Wire): Promise<void> {
  const text = await response.text();
  outgoing.statusCode = response.status;
  const loud = wire !== 'plain';
  for (const [name, value] of response.headers) outgoing.setHeader(loud ? name.toUpperCase() : name, value);
  if (!loud) {
    outgoing.end(text);
    return;
  }
  outgoing.setHeader('CONTENT-ENCODING', 'gzip');
  const zipped = gzipSync(text);
  // Without a content length each write is a chunk.
  const pieces = Array.from({ length: Math.ceil(zipped.length / 50) }, (_, at) =>
    zipped.subarray(at * 50, at * 50 + 50),
  );
  Readable.from(pieces).pipe(outgoing);
}

/** For Node's servers of every kind. A handler that throws breaks the connection. */
export const requestListener =
  (handler: Handler, wire: Wire = 'plain') =>
  (incoming: Incoming, outgoing: Outgoing): void => {
    if (wire !== 'plain') rememberAuthorization(incoming);
    requestOf(incoming)
      .then(handler)
      .then((response) => send(response, outgoing, wire))
      .catch(() => outgoing.destroy());
  };

export async function listen(handler: Handler, wire: Wire) {
  const server = createServer(requestListener(handler, wire));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

type OverHttp = Pick<Examination, 'wrap' | 'reference' | 'target' | 'settings'> & { readonly minuteMs?: number };

/** A quick run of the whole suite, rate limits included, with a short minute. */
export async function examineOverHttp(
  { wrap, reference, target, settings, minuteMs = usualMinuteMs }: OverHttp,
  wire: Wire = 'plain',
  recording?: Recording,
): Promise<BuiltReport> {
  const { handler, env } = await createReference({ ...reference, minuteMs, clock: wallClock });
  const server = await listen(wrap ? wrap(handler, clock) : handler, wire);
  const transport = liveTransport();
  try {
    const path = new URL(target?.baseUrl ?? server.url).pathname.replace(/\/$/, '');
    return await run({
      target: { ...targetOf(env), ...target, baseUrl: server.url + path },
      settings: { ...defaultSettings, effort: 'quick', ...settings },
      transport: transport.send,
      clock: wallClock,
      ...recording?.input,
      suites,
      onEvent: () => {},
      onCheckpoint: () => {},
    });
  } finally {
    await transport.close();
    server.close();
  }
}

/** Shared by both: what a run waits for besides the minute passes as quickly. */
const rate = 4;
/** The target's minute, in milliseconds of that clock. */
const shortMinuteMs = 3000 * rate;
/** Small enough for a burst within half of such a minute, also on a loaded machine. */
const limits = { read: 100, write: 30, validate: 10 };

/** A server of the second reading behind a socket, examined in real time with a short minute. */
export async function outcomeOverHttp(name: string, effort: Effort): Promise<Outcome> {
  const seed = Number(name.split('-').at(-1));
  const clock = accelerated(wallClock, rate);
  const { env, listen } = await createSecondReading({ seed, minuteMs: shortMinuteMs, limits, now: clock.now });
  const { url, close } = await listen();
  const { send, close: hangUp } = liveTransport();
  try {
    const { brief } = await run({
      suites,
      target: { ...targetOf(env), baseUrl: url, minuteMs: shortMinuteMs },
      settings: { ...defaultSettings, seed, effort },
      transport: send,
      clock,
    });
    return outcomeOf(name, brief, effort);
  } finally {
    await hangUp();
    await close();
  }
}
