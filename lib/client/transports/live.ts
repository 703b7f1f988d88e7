// The transport over the network: undici, warm connections, no redirects followed, every reply bounded in time and size.

import { rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import pLimit from 'p-limit';
// The file by its name: Bun has a smaller undici of its own in place of the package.
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici/index.js';
import { direct, type NetworkSettings } from '../../configuration/network.ts';
import { wallClock } from '../../runtime/clock.ts';
import { defined } from '../../runtime/defined.ts';
import { collectEarly } from '../../runtime/engine.ts';
import { version } from '../../runtime/version.ts';
import { Secrets } from '../../secrets/secrets.ts';
import type { Sent } from '../reply.ts';
import { explain, hungUpWords, pageWords, replyBytesMax } from './no-reply-words.ts';
import { NoReply, type Transport, type WireReply } from './transport.ts';

/** Unpacking stops where a small body turns out to be a large one. */
const bounded = { maxOutputLength: replyBytesMax };
const decoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gunzip)(body, bounded),
  deflate: (body) => promisify(inflate)(body, bounded),
  br: (body) => promisify(brotliDecompress)(body, bounded),
};
/** A body may be packed in several ways one after the other; more than these nobody needs. */
const encodingsMax = 3;

/** Longer bodies are long: only a few are read at a time, however many are under way, and what remains of them is soon collected. */
const longMin = 256 * 1024;
const longBodies = pLimit(4);
const unpacking = pLimit(2);

const lengthOf = (chunks: readonly Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0);

/** Reads on until there are more bytes than this; whether the body has ended by then. */
async function read(body: AsyncIterator<Buffer>, chunks: Buffer[], bytesMax: number): Promise<boolean> {
  let bytes = lengthOf(chunks);
  while (bytes <= bytesMax) {
    const { done, value } = await body.next();
    if (done) return true;
    bytes += value.length;
    chunks.push(value);
  }
  return false;
}

async function wholeBody(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const body = stream[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  if (await read(body, chunks, longMin)) return Buffer.concat(chunks);
  return longBodies(async () => {
    const ended = await read(body, chunks, replyBytesMax);
    collectEarly(lengthOf(chunks));
    if (ended) return Buffer.concat(chunks);
    await body.return?.();
    throw new NoReply(`the reply is larger than ${replyBytesMax} bytes`);
  });
}

async function unpacked(body: Buffer, encodings: readonly string[]): Promise<string> {
  let whole = body;
  // What was packed last is unpacked first.
  for (const one of [...encodings].reverse())
    whole = whole.length > 0 ? Buffer.from((await decoders[one]?.(whole)) ?? whole) : whole;
  if (whole.length > longMin) collectEarly(whole.length);
  return whole.toString('utf8');
}

async function readBody(stream: AsyncIterable<Buffer>, encoding = ''): Promise<string> {
  const whole = await wholeBody(stream);
  const encodings = encoding.toLowerCase().split(/\s*,\s*/);
  if (encodings.length > encodingsMax) throw new NoReply(`the reply is packed in ${encodings.length} ways`);
  const packed = encodings.some((one) => one in decoders);
  return packed ? unpacking(() => unpacked(whole, encodings)) : whole.toString('utf8');
}

const flatten = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));

/** One way to a target; it remembers only whether it was ever answered. */
class Way {
  private readonly network: NetworkSettings;
  private readonly dispatcher: Dispatcher;
  private wasAnswered = false;

  constructor(network: NetworkSettings) {
    this.network = network;
    this.dispatcher = dispatcherFor(network);
  }

  private async ask({ url, method, headers, body }: Sent, signal: AbortSignal): Promise<WireReply> {
    const { statusCode: status, ...reply } = await request(url, {
      dispatcher: this.dispatcher,
      method: method as 'GET',
      // Gateways refuse what does not say who it is.
      headers: { 'user-agent': `covenant/${version}`, ...headers },
      body: body ?? null,
      signal,
    });
    const received = flatten(reply.headers);
    return { status, headers: received, body: await readBody(reply.body, received['content-encoding']) };
  }

  /** An address that ever answered is of the right kind. */
  private why(error: unknown, url: string): string {
    const { proxy, tls } = this.network;
    const hint = this.wasAnswered || proxy ? undefined : hungUpWords(error, url, tls?.cert !== undefined);
    return [explain(error, proxy), hint].filter(Boolean).join('; ');
  }

  async send(sent: Sent, timeoutMs: number, signal?: AbortSignal): Promise<WireReply> {
    const over = new AbortController();
    const end = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    // A request that waits for a connection hears no signal, and a timer of AbortSignal lets the process end before it.
    const late = wallClock.sleep(timeoutMs, end).then((): never => {
      throw new NoReply(`no reply within ${timeoutMs} ms`);
    });
    try {
      const reply = await Promise.race([this.ask(sent, end), late]);
      const page = this.wasAnswered ? undefined : pageWords(reply.status, reply.body);
      if (page !== undefined) throw new NoReply(page);
      this.wasAnswered = true;
      return reply;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw error instanceof NoReply ? error : new NoReply(this.why(error, sent.url));
    } finally {
      over.abort();
    }
  }

  /** Nothing is under way any more. */
  close(): Promise<void> {
    return this.dispatcher.destroy();
  }
}

export interface LiveTransport {
  readonly send: Transport;
  close(): Promise<void>;
}

/** Over the network, straight to the target where nothing else is said. */
export function liveTransport(network: NetworkSettings = direct): LiveTransport {
  const way = new Way(network);
  const send: Transport = (sent, { timeoutMs, signal }) => way.send(sent, timeoutMs, signal);
  return { send: revealing(send, network.secrets), close: () => way.close() };
}

/** Enough for the largest burst of simultaneous requests; one request a connection at a time. */
const connectionsMax = 64;
const keepAliveMs = 10_000;

/** Whoever names an authority wants it besides the usual ones, which Node would otherwise forget. */
function tlsOptions({ tls }: NetworkSettings) {
  const { cert, key, ca } = tls ?? {};
  return defined({ cert, key, ca: ca === undefined ? undefined : [...rootCertificates, ca] });
}

const credentialsOf = (proxy: URL): string | undefined =>
  proxy.username === ''
    ? undefined
    : `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}`;

function dispatcherFor(network: NetworkSettings): Dispatcher {
  const options = { connections: connectionsMax, pipelining: 1, keepAliveTimeout: keepAliveMs };
  const tls = tlsOptions(network);
  if (network.proxy === undefined) return new Agent({ ...options, connect: tls });
  const url = new URL(network.proxy.url);
  const { ca } = tls;
  return new ProxyAgent({
    ...options,
    uri: `${url.protocol}//${url.host}`,
    ...defined({ token: credentialsOf(url) }),
    requestTls: tls,
    ...(ca && { proxyTls: { ca } }),
    // Where nothing is encrypted there is nothing to tunnel, and many proxies refuse to.
    proxyTunnel: false,
  });
}

type Texts = Readonly<Record<string, string>>;

const mapped = (texts: Texts, change: (text: string) => string): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));

/** The same transport for headers that hold the names of secrets in angle brackets; a reply that shows one is cleaned. */
export function revealing(transport: Transport, values: Texts): Transport {
  if (Object.keys(values).length === 0) return transport;
  const secrets = new Secrets();
  for (const [name, value] of Object.entries(values)) secrets.add(name, value);
  const real = (text: string): string => values[/^<(\w+)>$/.exec(text)?.[1] ?? ''] ?? text;
  const clean = (text: string): string => secrets.redact(text);
  return async (sent, limits) => {
    const { status, headers, body } = await transport({ ...sent, headers: mapped(sent.headers, real) }, limits);
    return { status, headers: mapped(headers, clean), body: clean(body) };
  };
}
