// The kinds of bad network, one row each: what happens, and when; and what gateways, proxies and limiters say in their own words.
import type { WireReply } from '../../lib/client/transports/transport.ts';
import {
  cut,
  cutWithoutLength,
  type Disturbance,
  drip,
  duplicate,
  hang,
  hangAfter,
  instead,
  insteadAfter,
  jitter,
  refused,
  reordered,
  resetAfter,
  resetBefore,
  staleConnection,
  stall,
} from './disturbances.ts';

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
const plainJson = (status: 502 | 503): WireReply => json(status, { message: 'Internal server error' });

/** A cloud gateway's own envelope, with an `error.code` of its own. */
const cloudJson = (status: 502 | 503): WireReply =>
  json(status, { error: { code: status, message: 'The service is currently unavailable.', status: 'UNAVAILABLE' } });

/** The same with a code that is a text. */
const namedJson = (status: 502 | 504): WireReply =>
  json(status, { error: { code: 'BackendConnectionFailure', message: 'The backend could not be reached.' } });

/** Plain text, as a mesh's side car answers. */
const sidecar = (): WireReply => ({
  status: 503,
  headers: { 'content-type': 'text/plain', server: 'envoy' },
  body: 'upstream connect error or disconnect/reset before headers. reset reason: connection termination',
});

/** 520 to 526: a content network's words for an origin that it cannot reach. */
const contentNetwork = (number: number): WireReply => html(520 + (number % 7), 'Origin Error', 'cloudflare');

const proxyTimeout = (): WireReply => html(408, 'Request Time-out', 'haproxy');
const internalPage = (): WireReply => html(500, 'Internal Server Error', 'gateway');
export const limiterPage = (): WireReply => html(429, 'Too Many Requests', 'nginx');

/** A limiter in front that knows the interface's envelope. */
export const limiterEnvelope = (number: number): WireReply =>
  json(429, {
    request_id: `edge-${number}`,
    error: { code: 'RATE_LIMITED', message: 'Rate limit exceeded. Please wait 2 seconds before retrying.' },
  });

/** `rate`: any request, now and then; `outage`: every request for a time; `idle`: the first after a pause; `keys`: key creations. */
type Occasion = 'rate' | 'outage' | 'idle' | 'keys';

export interface Kind {
  readonly id: string;
  readonly occasion: Occasion;
  readonly disturb: Disturbance;
  /** Only for outages: how long they may last, in seconds; one a schedule. */
  readonly seconds?: readonly number[];
  /** Whose clock is wrong, for the time of an outage or always, and by how many milliseconds. */
  readonly jump?: { readonly whose: 'target' | 'ours'; readonly ms: number };
}

const outages = [1, 2, 3, 5, 10, 20, 30, 45, 60];
const rate = (id: string, disturb: Disturbance): Kind => ({ id, occasion: 'rate', disturb });
const outage = (id: string, disturb: Disturbance, seconds = outages): Kind => ({
  id,
  occasion: 'outage',
  disturb,
  seconds,
});
const untouched: Disturbance = ({ forward }) => forward();
/** For good, as far as a run is concerned. */
const forGood = [1_000_000];
const day = 86_400_000;

export const kinds: readonly Kind[] = [
  rate('reset-before', resetBefore),
  rate('reset-after', resetAfter),
  rate('hang', hang),
  rate('hang-after', hangAfter),
  rate('cut', cut),
  rate('cut-without-length', cutWithoutLength),
  rate('drip', drip),
  rate('stall', stall),
  rate('jitter', jitter),
  rate('duplicate', duplicate),
  rate('reordered', reordered),
  { id: 'stale-keep-alive', occasion: 'idle', disturb: staleConnection },
  rate(
    'nginx-502',
    instead(() => nginx(502)),
  ),
  rate(
    'nginx-503',
    instead(() => nginx(503)),
  ),
  rate(
    'nginx-504',
    instead(() => nginx(504)),
  ),
  rate(
    '504-after',
    insteadAfter(() => nginx(504)),
  ),
  rate(
    '502-after',
    insteadAfter(() => nginx(502)),
  ),
  rate(
    'json-502',
    instead(() => plainJson(502)),
  ),
  rate(
    'json-503-cloud',
    instead(() => cloudJson(503)),
  ),
  rate(
    'json-502-named',
    instead(() => namedJson(502)),
  ),
  rate(
    'json-504-named-after',
    insteadAfter(() => namedJson(504)),
  ),
  rate('text-503-sidecar', instead(sidecar)),
  rate('520-to-526', instead(contentNetwork)),
  rate('520-to-526-after', insteadAfter(contentNetwork)),
  rate('proxy-408', instead(proxyTimeout)),
  rate('html-500', instead(internalPage)),
  rate('html-429', instead(limiterPage)),
  outage('outage-refused', refused),
  outage('outage-hang', hang),
  outage(
    'outage-nginx-502',
    instead(() => nginx(502)),
  ),
  outage('outage-sidecar-503', instead(sidecar)),
  outage(
    'outage-cloud-503',
    instead(() => cloudJson(503)),
  ),
  outage('gone-for-good-refused', refused, forGood),
  outage(
    'gone-for-good-502',
    instead(() => nginx(502)),
    forGood,
  ),
  outage('limiter-in-front', instead(limiterEnvelope), [1, 3, 10]),
  outage('limiter-in-front-html', instead(limiterPage), [1, 3, 10, 30]),
  // For good: what was made meanwhile would stand in the future afterwards, and no list is ordered any more.
  { ...outage('clock-jumps-ahead', untouched, forGood), jump: { whose: 'target', ms: 600_000 } },
  { ...outage('clock-steps-back', untouched, [30, 300]), jump: { whose: 'target', ms: -3_000 } },
  { ...outage('our-clock-jumps-ahead', untouched, forGood), jump: { whose: 'ours', ms: 600_000 } },
  { ...outage('our-clock-jumps-back', untouched, forGood), jump: { whose: 'ours', ms: -600_000 } },
  { id: 'clock-a-day-behind-lost-keys', occasion: 'keys', disturb: resetAfter, jump: { whose: 'target', ms: -day } },
];
