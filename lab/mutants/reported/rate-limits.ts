// Defects of rate limiters that users of real software have reported.
import { mutants, type Wrap } from '../mutant.ts';
import { limiting } from '../wrappers/limiting.ts';
import { page } from '../wrappers/mutator.ts';

/** The requests of each key go to two processes in turn, and each process counts its own. */
const perWorker = () => {
  const counts = new Map<string, number>();
  return limiting('write', {
    budget: ({ token }) => {
      const count = counts.get(token) ?? 0;
      counts.set(token, count + 1);
      return `worker ${count % 2}`;
    },
  });
};

const inMilliseconds: Wrap = (honest) => async (request) => {
  const response = await honest(request);
  const seconds = Number(response.headers.get('retry-after'));
  if (response.status !== 429) return response;
  const headers = new Headers(response.headers);
  headers.set('retry-after', String(seconds * 1000));
  return new Response(await response.text(), { status: 429, headers });
};

const asPage: Wrap = (honest) => async (request) => {
  const response = await honest(request);
  return response.status === 429 ? page(429, '429 Too Many Requests') : response;
};

const year = 365 * 24 * 3_600_000;

export default mutants({
  'rate-limits-write-enforced': {
    'reported-limits-are-counted-by-each-process': {
      report: {
        bug: 'Each worker process counts for itself, so the limit is multiplied by their number',
        url: 'https://github.com/laurentS/slowapi/issues/226',
        suffered: 'Clients sent many times what was allowed',
      },
      ...perWorker(),
    },
  },
  'rate-limits-every-operation': {
    'reported-limits-are-counted-by-a-header': {
      report: {
        bug: 'Requests are counted by X-Forwarded-For, which the client may set to anything',
        url: 'https://github.com/long2ice/fastapi-limiter/issues/10',
        suffered: 'The limit was no obstacle to anybody',
      },
      ...limiting('write', { budget: ({ seen }) => seen.request.headers.get('x-forwarded-for') ?? 'all' }),
    },
  },
  'rate-limits-refused-recovery': {
    'reported-limit-never-ends': {
      report: {
        bug: 'The counter loses its time to live, so it is never reset once the limit is reached',
        url: 'https://github.com/stefanprodan/AspNetCoreRateLimit/issues/253',
        suffered: 'Customers were refused for days',
      },
      collateral: { 'rate-limits-write-allowed': 'once it was exceeded, no later minute is quiet' },
      ...limiting('write', { penaltyMs: year }),
    },
  },
  'rate-limits-refused-envelope': {
    'reported-refusal-is-a-page-of-the-proxy': {
      also: ['rate-limits-refused-code', 'rate-limits-refused-seconds'],
      report: {
        bug: 'The limiter in front answers 429 with a page of HTML',
        url: 'https://github.com/opf/openproject/pull/9864',
        suffered: 'Clients crashed while they read the error',
      },
      wrap: asPage,
    },
  },
  'rate-limits-refused-retry-after': {
    'reported-retry-after-is-in-milliseconds': {
      report: {
        bug: 'Retry-After is sent in milliseconds',
        url: 'https://github.com/fastify/fastify-rate-limit/issues/301',
        suffered: 'A client that obeys waits for sixteen hours instead of a minute',
      },
      notFound: 'The document speaks of the seconds in the message, and not of the header Retry-After.',
      wrap: inMilliseconds,
    },
  },
});
