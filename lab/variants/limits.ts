// Unusual rate limits: other numbers, other wordings, limits on requests without valid credentials.
import { apiPath } from '../../lib/catalogue/operations.ts';
import type { Wrap } from '../mutants/mutant.ts';
import { classOf, withoutRateKeys } from '../mutants/wrappers/limiting.ts';
import { always, isObject, type Json, onReply, refusal, type Seen, see } from '../mutants/wrappers/mutator.ts';
import { ask, onRecords } from '../mutants/wrappers/records.ts';
import type { Handler } from '../reference/index.ts';
import { slow } from './network.ts';
import { everyHeader } from './rewrite.ts';
import { variants } from './variant.ts';

const tier = (read: number, write: number, validate: number) => ({ tiers: { starter: { read, write, validate } } });

/** No other tier has a number like it. */
const starter = { read: 43, write: 10, validate: 10 };

const worded = (words: (seconds: string) => string): Wrap =>
  onReply(always, (json, _seen, status) => {
    if (status !== 429) return json;
    const error = json.error as Json;
    return { ...json, error: { ...error, message: words(/\d+/.exec(String(error.message))?.[0] ?? '') } };
  });

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

/** The requests of the other accounts, counted from the first, that meet a limit that somebody else has used up. */
const unlucky = [310, 1_270, 2_030];

/** Whether a caller belongs to the account whose limits the run exhausts, which is the only starter. */
function exhausted(honest: Handler): (seen: Seen) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (seen) => {
    const token = seen.request.headers.get('authorization') ?? '';
    if (!known.has(token)) {
      const { data } = await ask(honest, seen, 'GET', `${apiPath}/me`);
      if (!isObject(data)) return true;
      known.set(token, JSON.stringify(data.platform).includes(`${starter.read}`));
    }
    return known.get(token) === true;
  };
}

/** Other clients use a tenth of the limits of the accounts that are not exhausted, and this one meets it now and then. */
const othersInOtherAccounts: Wrap = (honest) => {
  const isExhausted = exhausted(honest);
  let count = 0;
  return async (request) => {
    const seen = await see(request);
    if (classOf(seen) === 'validate' || !request.headers.has('authorization')) return honest(request);
    if (await isExhausted(seen)) return honest(request);
    count += 1;
    return unlucky.includes(count)
      ? refusal(429, 'RATE_LIMITED', 'Rate limit exceeded. Please wait 3 seconds before retrying.')
      : honest(request);
  };
};

/** Reports all limits in one sentence. */
const inOneSentence: Wrap = onRecords('GET /me', ({ platform, ...data }) => {
  const { rate_limits, ...more } = platform as { rate_limits: Json };
  const { read_per_minute: reads, write_per_minute: writes, validate_per_minute: validations } = rate_limits;
  const sentence = `${reads} reads, ${writes} writes and ${validations} key validations per minute`;
  return { ...data, platform: { ...more, rate_limits: sentence } };
});

const onStored =
  'Limits are per account; whether a request of a session counts on the stored or the named one is open.';

export default variants({
  'limits-tiny': { why: 'The values depend on the tier.', reference: tier(9, 4, 3) },
  'limits-large': { why: 'The values depend on the tier.', reference: tier(250, 60, 30) },
  'limits-of-one-write': {
    why: 'The values depend on the tier: of one write a minute another one is tried when the minute is over.',
    reference: tier(5, 1, 5),
  },
  'limits-tiny-bucket': {
    why: 'The values depend on the tier, and the algorithm is open.',
    reference: { ...tier(9, 4, 3), choices: { limiter: 'bucket', refusedCount: true } },
  },
  'limits-reported-in-one-sentence': {
    why: 'The shape of the limits in GET /me is open: one sentence may report them all.',
    reference: tier(200, 30, 10),
    wrap: inOneSentence,
  },
  'limits-worded-short': {
    why: 'The wording of a 429 is open.',
    wrap: worded((seconds) => `Slow down (429): ${seconds}s`),
  },
  'limits-worded-at-length': {
    why: 'The wording of a 429 is open.',
    wrap: worded(
      (seconds) =>
        `You have exceeded the 40 requests per minute of your plan. Your next request will be accepted in about ${seconds} seconds; see section 3.2 of the terms.`,
    ),
  },
  'limits-told-in-headers': {
    why: 'Further headers about limits are lawful.',
    wrap: everyHeader((headers, status) => {
      headers.set('ratelimit', '"default";r=3;t=20');
      headers.set('ratelimit-policy', '"default";q=40;w=60');
      if (status === 429) headers.set('retry-after', '120');
    }),
  },
  'limits-for-strangers': {
    why: 'Whether requests without valid credentials are limited is open.',
    wrap: unauthenticatedLimited(30),
  },
  'limits-of-other-accounts-used-by-others': {
    why: 'Limits are per account: where other clients use them too, a request may be refused although this client is below them.',
    reference: { tiers: { starter } },
    wrap: othersInOtherAccounts,
  },
  'limits-of-sessions-count-on-the-stored-account': {
    why: onStored,
    reference: { countsStored: true },
  },
  'limits-of-sessions-count-on-the-stored-account-of-the-key': {
    why: onStored,
    reference: { countsStored: true, oneUser: true },
  },
  'limits-as-named-of-sessions-count-on-the-stored-account': {
    why: `${onStored} The values are the defaults that the document names.`,
    reference: { countsStored: true, oneUser: true, tiers: { business: { read: 200, write: 30, validate: 10 } } },
  },
  'limits-of-the-primary-account-exceeded-and-sessions-count-on-the-stored-one': {
    why: onStored,
    reference: { countsStored: true, oneUser: true },
    env: withoutRateKeys,
  },
  'limits-refilled-while-exceeded': {
    why: 'The algorithm is open and no reply time is documented: a bucket may refill a third as fast as requests come.',
    reference: { ...tier(600, 600, 30), choices: { limiter: 'bucket' } },
    wrap: slow(600, 900),
    unsteady: {
      'rate-limits-refused-recovery': 'each time something is accepted after the refusal that tells the wait',
    },
  },
  'limits-of-two-windows': {
    why: 'The message tells how many seconds to wait, not that they are the fewest: after two whole minutes neither window counts.',
    reference: { choices: { limiter: 'weighted', retryAfter: false } },
    wrap: worded(() => 'Rate limit exceeded. Please wait 120 seconds before retrying.'),
  },
});
