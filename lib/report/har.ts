// HAR 1.2 (HTTP Archive): every exchange of the run, readable by browsers' developer tools and proxies.
import type { ReportedExchange, RunResult } from '../result.ts';
import { visible } from '../runtime/text.ts';

type Pairs = readonly { readonly name: string; readonly value: string }[];

const pairs = (headers: Readonly<Record<string, string>>): Pairs =>
  Object.entries(headers).map(([name, value]) => ({ name: visible(name), value: visible(value) }));

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** RFC 3986 is stricter than what goes over the wire: what it does not allow is percent-encoded. */
function uri(url: string): string {
  const spelled = visible(url)
    .replace(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu, encodeURIComponent)
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25');
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(spelled)?.[0] ?? '';
  return authority + spelled.slice(authority.length).replaceAll('[', '%5B').replaceAll(']', '%5D');
}

function query(url: string): Pairs {
  const at = url.indexOf('?');
  if (at < 0) return [];
  return [...new URLSearchParams(url.slice(at + 1))].map(([name, value]) => ({
    name: visible(name),
    value: visible(value),
  }));
}

const bytes = (text: string | undefined): number => Buffer.byteLength(text ?? '');

function request({ request: { method, url, headers, body } }: ReportedExchange) {
  const mimeType = headerOf(headers, 'content-type') ?? '';
  return {
    method,
    url: uri(url),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    queryString: query(url),
    ...(body === undefined ? {} : { postData: { mimeType, text: body } }),
    headersSize: -1,
    bodySize: bytes(body),
  };
}

function response({ response: { status, headers, body } }: ReportedExchange) {
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    content: { size: bytes(body), mimeType: headerOf(headers, 'content-type') ?? '', text: body },
    redirectURL: headerOf(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: -1,
  };
}

/** Which question it was sent for, in words; the same as data stands in `_covenant`. */
function purpose(exchange: ReportedExchange): string {
  if (exchange.case === undefined) return 'asked by the run itself, not on behalf of a case';
  const requirements = exchange.requirements ?? [];
  return `case "${visible(exchange.case)}"${requirements.length === 0 ? '' : ` for ${requirements.join(', ')}`}`;
}

const pageOf = (exchange: ReportedExchange): string => visible(exchange.case ?? 'the run itself');

/** One page a case: viewers fold the exchanges of a case together. */
function pages(exchanges: readonly ReportedExchange[]) {
  const first = new Map<string, ReportedExchange>();
  for (const exchange of exchanges) if (!first.has(pageOf(exchange))) first.set(pageOf(exchange), exchange);
  return [...first].map(([title, { at }]) => ({ id: title, title, startedDateTime: at, pageTimings: {} }));
}

function entry(exchange: ReportedExchange) {
  return {
    pageref: pageOf(exchange),
    startedDateTime: exchange.at,
    time: exchange.duration_ms,
    request: request(exchange),
    response: response(exchange),
    cache: {},
    // Only the whole is measured; HAR wants three parts whose sum is `time`.
    timings: { send: 0, wait: exchange.duration_ms, receive: 0 },
    comment: purpose(exchange),
    _covenant: {
      exchange: exchange.id,
      operation: exchange.operation,
      case: exchange.case,
      requirements: exchange.requirements ?? [],
      credential: exchange.request.credential,
    },
  };
}

/** Bodies as recorded, with secrets already replaced by their names. */
export function har({ report, transcript }: RunResult): string {
  const log = {
    version: '1.2',
    creator: { name: 'covenant', version: report.suite.version },
    pages: pages(transcript),
    entries: transcript.map(entry),
    comment: `run ${report.run.id} against ${visible(report.target.base_url)}; secrets are replaced by the names of their variables`,
  };
  return `${JSON.stringify({ log }, null, 1)}\n`;
}
