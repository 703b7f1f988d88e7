// The transport over the network: undici, warm connections, no redirects followed, every reply bounded in time and size.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, request } from 'undici';
import type { Sent } from '../reply.ts';
import { NoReply, type Transport, type WireReply } from './transport.ts';

/** Larger replies count as none, packed or unpacked: no page of 200 records comes near it. */
const replyBytesMax = 4 * 1024 * 1024;
/** Enough for the largest burst of simultaneous requests; one request a connection at a time. */
const connectionsMax = 64;

/** Unpacking stops where a small body turns out to be a large one. */
const bounded = { maxOutputLength: replyBytesMax };
const decoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: (body) => promisify(gunzip)(body, bounded),
  deflate: (body) => promisify(inflate)(body, bounded),
  br: (body) => promisify(brotliDecompress)(body, bounded),
};
/** A body may be packed in several ways one after the other; more than these nobody needs. */
const encodingsMax = 3;

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was reset',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS is spoken there (http in place of https?)',
  EPROTO: 'no TLS that both sides understand is spoken there (http in place of https?)',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed; NODE_EXTRA_CA_CERTS can name it',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate comes from an unknown authority; NODE_EXTRA_CA_CERTS can name it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate chain is incomplete or from an unknown authority',
  UND_ERR_SOCKET: 'the connection was closed before a reply came',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time allowed',
  UND_ERR_HEADERS_TIMEOUT: 'no reply within the time allowed',
  UND_ERR_BODY_TIMEOUT: 'the reply broke off in the middle',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the reply broke off in the middle',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the reply are too large',
  ERR_BUFFER_TOO_LARGE: `the unpacked reply is larger than ${replyBytesMax} bytes`,
  ERR_ASSERTION: 'the reply breaks the rules of HTTP',
};

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const known = typeof code === 'string' ? explanations[code] : undefined;
  if ((typeof code === 'string' && code.startsWith('HPE_')) || error.name === 'HTTPParserError')
    return 'the reply breaks the rules of HTTP';
  if (typeof code === 'string' && /^(Z_|ERR_BROTLI|ERR__ERROR)/.test(code))
    return `the packed reply cannot be unpacked (${code})`;
  return known ?? `${cause instanceof Error ? cause.message : String(cause)}${code ? ` (${String(code)})` : ''}`;
}

async function readBody(body: AsyncIterable<Buffer>, encoding: string | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > replyBytesMax) throw new NoReply(`the reply is larger than ${replyBytesMax} bytes`);
    chunks.push(chunk);
  }
  let whole = Buffer.concat(chunks);
  const encodings = (encoding ?? '').toLowerCase().split(/\s*,\s*/);
  if (encodings.length > encodingsMax) throw new NoReply(`the reply is packed in ${encodings.length} ways`);
  // What was packed last is unpacked first.
  for (const one of encodings.reverse())
    whole = whole.length > 0 ? Buffer.from((await decoders[one]?.(whole)) ?? whole) : whole;
  return whole.toString('utf8');
}

const flatten = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));

async function exchange(agent: Agent, sent: Sent, timeoutMs: number, signal?: AbortSignal): Promise<WireReply> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const reply = await request(sent.url, {
      dispatcher: agent,
      method: sent.method as 'GET',
      headers: sent.headers,
      body: sent.body ?? null,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const headers = flatten(reply.headers);
    return { status: reply.statusCode, headers, body: await readBody(reply.body, headers['content-encoding']) };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof NoReply) throw error;
    throw new NoReply(deadline.aborted ? `no reply within ${timeoutMs} ms` : explain(error));
  }
}

export interface LiveTransport {
  readonly send: Transport;
  close(): Promise<void>;
}

export function liveTransport(): LiveTransport {
  const agent = new Agent({ connections: connectionsMax, pipelining: 1, keepAliveTimeout: 10_000 });
  return {
    send: (sent, { timeoutMs, signal }) => exchange(agent, sent, timeoutMs, signal),
    close: () => agent.close(),
  };
}
