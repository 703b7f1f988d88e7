// The way to the target: path prefixes, slow replies, gateway errors, broken connections, limits that others use up.
import type { Wrap } from '../mutants/mutant.ts';
import { refusal } from '../mutants/wrappers/mutator.ts';
import type { Handler } from '../reference/index.ts';
import { variants } from './variant.ts';

const prefix = '/lending/eu-1';

/** Removes a path prefix, as a gateway does; other paths are not found. */
const behindPrefix: Wrap = (honest) => async (request) => {
  const url = new URL(request.url);
  if (!url.pathname.startsWith(`${prefix}/`)) return new Response('<html>no such site</html>', { status: 404 });
  url.pathname = url.pathname.slice(prefix.length);
  const { method, headers } = request;
  const body = await request.text();
  return honest(new Request(url, { method, headers, ...(body === '' ? {} : { body }) }));
};

/** Disturbs every n-th request that fits, but never the same one twice: its repetition passes. */
const everyNth =
  (n: number, fits: (request: Request) => boolean, instead: (count: number) => Response): Wrap =>
  (honest) => {
    let count = 0;
    const met = new Set<string>();
    return async (request) => {
      if (!fits(request)) return honest(request);
      count += 1;
      const { method, url, headers } = request;
      const name = `${method} ${url} ${headers.get('idempotency-key')}`;
      if (count % n !== 0 || met.has(name)) return honest(request);
      met.add(name);
      return instead(count);
    };
  };

const isRead = (request: Request): boolean => request.method === 'GET';
/** Requests that can be repeated safely. */
const isRepeatable = (request: Request): boolean => isRead(request) || request.headers.has('idempotency-key');

/** Acts only for the credential seen first: the primary one. */
const ofFirstCaller = (fits: (request: Request) => boolean) => {
  let first: string | null | undefined;
  return (request: Request): boolean => {
    const caller = request.headers.get('authorization');
    first ??= caller;
    return caller !== null && caller === first && fits(request);
  };
};

const gateway = (status: number) => () =>
  new Response('<html><h1>Bad gateway</h1></html>', { status, headers: { 'content-type': 'text/html' } });
const broken = (): never => {
  throw new Error('ECONNRESET');
};

/** Delays replies by a number of milliseconds that varies from request to request. */
export const slow =
  (least: number, most: number): Wrap =>
  (honest, clock) => {
    let count = 0;
    const answer: Handler = async (request) => {
      count += 1;
      const response = await honest(request);
      await clock.inside.sleep(least + ((count * 7_919) % (most - least)));
      return response;
    };
    return answer;
  };

export default variants({
  'network-path-prefix': {
    why: 'The base address may carry a path.',
    target: { baseUrl: `http://reference.test${prefix}` },
    wrap: behindPrefix,
  },
  'network-slow': { why: 'No reply time is documented.', wrap: slow(50, 900) },
  'network-very-slow': { why: 'No reply time is documented.', wrap: slow(1_500, 4_500) },
  'network-gateway-502': {
    why: 'A reply of a gateway is not a reply of the target: the request is repeated.',
    wrap: everyNth(31, isRepeatable, gateway(502)),
  },
  'network-gateway-503': {
    why: 'A reply of a gateway is not a reply of the target: the request is repeated.',
    wrap: everyNth(37, isRepeatable, gateway(503)),
  },
  'network-breaks': {
    why: 'A connection that breaks says nothing about the target.',
    wrap: everyNth(27, isRepeatable, broken),
  },
  'network-others-use-the-limit': {
    why: 'Somebody else may use up the limits of the account: after an unexpected refusal the suite waits.',
    wrap: (honest, clock) =>
      everyNth(
        40,
        ofFirstCaller(() => true),
        () => refusal(429, 'RATE_LIMITED', 'Rate limit exceeded. Please wait 3 seconds before retrying.'),
      )(honest, clock),
  },
});
