// The kinds of bad network, one row each: what becomes of a request and its reply, and when; and what gateways, proxies and limiters say in their own words.
import { NoReply, type WireReply } from '../../lib/client/transports/transport.ts';
import type { Random } from '../../lib/runtime/random.ts';

/** A request on its way. */
interface Passing {
  readonly method: string;
  /** It has an Idempotency-Key. */
  readonly keyed: boolean;
  readonly timeoutMs: number;
  readonly random: Random;
  /** To the target, and its reply. */
  forward(): Promise<WireReply>;
  pause(ms: number): Promise<void>;
}

type Disturbance = (passing: Passing) => Promise<WireReply>;

const reset = 'the connection was reset';

/** A reply that comes later than the client waits is none. */
async function late({ pause, timeoutMs }: Passing, ms: number, reply: WireReply): Promise<WireReply> {
  await pause(Math.min(ms, timeoutMs));
  if (ms >= timeoutMs) throw new NoReply(`no reply within ${timeoutMs} ms`);
  return reply;
}

const resetBefore: Disturbance = async () => {
  throw new NoReply(reset);
};

const resetAfter: Disturbance = async ({ forward }) => {
  await forward();
  throw new NoReply(reset);
};

const refused: Disturbance = async () => {
  throw new NoReply('nothing listens there (connection refused)');
};

const staleConnection: Disturbance = async () => {
  throw new NoReply('the connection was closed before a reply came');
};

/** The request never arrives, and nobody says so. */
const hang: Disturbance = async ({ pause, timeoutMs }) => {
  await pause(timeoutMs);
  throw new NoReply(`no reply within ${timeoutMs} ms`);
};

/** Carried out, and the reply is lost without a word. */
const hangAfter: Disturbance = async (passing) => {
  await passing.forward();
  return hang(passing);
};

/** The body stops before its length is reached: a client knows that it is cut. */
const cut: Disturbance = async ({ forward }) => {
  await forward();
  throw new NoReply('the reply broke off in the middle');
};

/** The body stops, and nothing said how long it was to be: a client sees a whole reply. */
const cutWithoutLength: Disturbance = async ({ forward, random }) => {
  const { body, ...reply } = await forward();
  return { ...reply, body: body.slice(0, random.int(0, Math.max(0, body.length - 1))) };
};

/** A few bytes a second. */
const drip: Disturbance = async (passing) => late(passing, passing.random.int(2_000, 12_000), await passing.forward());

/** Stops for long in the middle, and comes at last, mostly. */
const stall: Disturbance = async (passing) => late(passing, passing.random.int(7_000, 10_500), await passing.forward());

const jitter: Disturbance = async (passing) => late(passing, passing.random.int(50, 2_500), await passing.forward());

/** Waits on its way, so that a later one arrives earlier. */
const reordered: Disturbance = async ({ pause, random, forward }) => {
  await pause(random.int(20, 900));
  return forward();
};

/** Arrives twice where whatever stands between may repeat it; the client gets the first reply, or the second to a read. */
const duplicate: Disturbance = async ({ method, keyed, forward }) => {
  const first = await forward();
  if (method === 'POST' && !keyed) return first;
  const second = await forward();
  return method === 'GET' ? second : first;
};

type Words = WireReply | ((number: number) => WireReply);
const worded = (words: Words, random: Random): WireReply => {
  const number = random.int(0, 999_999);
  return typeof words === 'function' ? words(number) : words;
};

/** Somebody else's words in place of the target's, which never hears of the request. */
const instead =
  (words: Words): Disturbance =>
  async ({ random }) =>
    worded(words, random);

/** Carried out, and somebody else's words in place of the reply. */
const insteadAfter =
  (words: Words): Disturbance =>
  async ({ forward, random }) => {
    await forward();
    return worded(words, random);
  };

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
/** Longer than any run. */
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
  rate('nginx-502', instead(nginx(502))),
  rate('nginx-503', instead(nginx(503))),
  rate('nginx-504', instead(nginx(504))),
  rate('504-after', insteadAfter(nginx(504))),
  rate('502-after', insteadAfter(nginx(502))),
  rate('json-502', instead(plainJson(502))),
  rate('json-503-cloud', instead(cloudJson(503))),
  rate('json-502-named', instead(namedJson(502))),
  rate('json-504-named-after', insteadAfter(namedJson(504))),
  rate('text-503-sidecar', instead(sidecar)),
  rate('520-to-526', instead(contentNetwork)),
  rate('520-to-526-after', insteadAfter(contentNetwork)),
  rate('proxy-408', instead(proxyTimeout)),
  rate('html-500', instead(internalPage)),
  rate('html-429', instead(limiterPage)),
  outage('outage-refused', refused),
  outage('outage-hang', hang),
  outage('outage-nginx-502', instead(nginx(502))),
  outage('outage-sidecar-503', instead(sidecar)),
  outage('outage-cloud-503', instead(cloudJson(503))),
  outage('gone-for-good-refused', refused, forGood),
  outage('gone-for-good-502', instead(nginx(502)), forGood),
  outage('limiter-in-front', instead(limiterEnvelope), [1, 3, 10]),
  outage('limiter-in-front-html', instead(limiterPage), [1, 3, 10, 30]),
  // Longer than any run: records created meanwhile would have times in the future afterwards, and no list is ordered
  // any more.
  { ...outage('clock-jumps-ahead', untouched, forGood), jump: { whose: 'target', ms: 600_000 } },
  { ...outage('clock-steps-back', untouched, [30, 300]), jump: { whose: 'target', ms: -3_000 } },
  { ...outage('our-clock-jumps-ahead', untouched, forGood), jump: { whose: 'ours', ms: 600_000 } },
  { ...outage('our-clock-jumps-back', untouched, forGood), jump: { whose: 'ours', ms: -600_000 } },
  { id: 'clock-a-day-behind-lost-keys', occasion: 'keys', disturb: resetAfter, jump: { whose: 'target', ms: -day } },
];
