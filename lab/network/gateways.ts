// What stands between a client and a server says in its own words: the replies of gateways, proxies and limiters, as data.
import type { WireReply } from '../../lib/client/transports/transport.ts';

const html = (status: number, title: string, server: string): WireReply => ({
  status,
  headers: { 'content-type': 'text/html', server },
  body: `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>${server}</center>\r\n</body>\r\n</html>\r\n`,
});

const json = (status: number, body: unknown): WireReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export const nginx = (status: 502 | 503 | 504): WireReply =>
  html(
    status,
    { 502: 'Bad Gateway', 503: 'Service Temporarily Unavailable', 504: 'Gateway Time-out' }[status],
    'nginx',
  );

/** JSON, and not in the interface's envelope. */
export const plainJson = (status: 502 | 503): WireReply => json(status, { message: 'Internal server error' });

/** A cloud gateway's own envelope, with an `error.code` of its own. */
export const cloudJson = (status: 502 | 503): WireReply =>
  json(status, { error: { code: status, message: 'The service is currently unavailable.', status: 'UNAVAILABLE' } });

/** The same with a code that is a text. */
export const namedJson = (status: 502 | 504): WireReply =>
  json(status, { error: { code: 'BackendConnectionFailure', message: 'The backend could not be reached.' } });

/** Plain text, as a mesh's side car answers. */
export const sidecar = (): WireReply => ({
  status: 503,
  headers: { 'content-type': 'text/plain', server: 'envoy' },
  body: 'upstream connect error or disconnect/reset before headers. reset reason: connection termination',
});

/** 520 to 526: a content network's words for an origin that it cannot reach. */
export const contentNetwork = (number: number): WireReply => html(520 + (number % 7), 'Origin Error', 'cloudflare');

export const proxyTimeout = (): WireReply => html(408, 'Request Time-out', 'haproxy');
export const internalPage = (): WireReply => html(500, 'Internal Server Error', 'gateway');
export const limiterPage = (): WireReply => html(429, 'Too Many Requests', 'nginx');

/** A limiter in front that knows the interface's envelope. */
export const limiterEnvelope = (number: number): WireReply =>
  json(429, {
    request_id: `edge-${number}`,
    error: { code: 'RATE_LIMITED', message: 'Rate limit exceeded. Please wait 2 seconds before retrying.' },
  });
