// Unusual rate limits: other numbers, other wordings, limits on requests without valid credentials.
import type { Wrap } from '../mutants/mutant.ts';
import type { Json } from '../mutants/wrappers/json.ts';
import { onReply, refusal } from '../mutants/wrappers/mutator.ts';
import { everyHeader } from './rewrite.ts';
import type { Variant } from './variant.ts';

const tier = (read: number, write: number, validate: number) => ({ tiers: { starter: { read, write, validate } } });

const worded = (words: (seconds: string) => string): Wrap =>
  onReply(
    () => true,
    (json, _seen, status) => {
      if (status !== 429) return json;
      const error = json.error as Json;
      return { ...json, error: { ...error, message: words(/\d+/.exec(String(error.message))?.[0] ?? '') } };
    },
  );

/** Replies with 429 to requests without valid credentials, after this many a minute. */
const unauthenticatedLimited =
  (limit: number): Wrap =>
  (honest, clock) => {
    let refused: number[] = [];
    return async (request) => {
      const response = await honest(request);
      if (response.status !== 401) return response;
      const now = clock.now();
      refused = refused.filter((time) => time > now - 60_000);
      const oldest = refused[0];
      if (oldest !== undefined && refused.length >= limit) {
        const seconds = Math.ceil((oldest + 60_000 - now) / 1000) + 1;
        return refusal(429, 'RATE_LIMITED', `Too many requests. Please wait ${seconds} seconds before retrying.`);
      }
      refused.push(now);
      return response;
    };
  };

const variants: readonly Variant[] = [
  { id: 'limits-tiny', why: 'The values depend on the tier.', reference: tier(9, 4, 3) },
  { id: 'limits-large', why: 'The values depend on the tier.', reference: tier(250, 60, 30) },
  {
    id: 'limits-of-one-write',
    why: 'The values depend on the tier: of one write a minute another one is tried when the minute is over.',
    reference: tier(5, 1, 5),
  },
  {
    id: 'limits-tiny-bucket',
    why: 'The values depend on the tier, and the algorithm is open.',
    reference: { ...tier(9, 4, 3), choices: { limiter: 'bucket', refusedCount: true } },
  },
  {
    id: 'limits-worded-short',
    why: 'The wording of a 429 is open.',
    wrap: worded((seconds) => `Slow down (429): ${seconds}s`),
  },
  {
    id: 'limits-worded-at-length',
    why: 'The wording of a 429 is open.',
    wrap: worded(
      (seconds) =>
        `You have exceeded the 40 requests per minute of your plan. Your next request will be accepted in about ${seconds} seconds; see section 3.2 of the terms.`,
    ),
  },
  {
    id: 'limits-told-in-headers',
    why: 'Further headers about limits are lawful.',
    wrap: everyHeader((headers, status) => {
      headers.set('ratelimit', '"default";r=3;t=20');
      headers.set('ratelimit-policy', '"default";q=40;w=60');
      if (status === 429) headers.set('retry-after', '120');
    }),
  },
  {
    id: 'limits-for-strangers',
    why: 'Whether requests without valid credentials are limited is open.',
    wrap: unauthenticatedLimited(30),
  },
];

export default variants;
