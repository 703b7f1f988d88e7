// Defects of idempotency stores that users of real software have reported.

import { mutants } from '../mutant.ts';
import { fillingLast, isOk, keyOf, storing, withKeys } from '../wrappers/idempotency.ts';
import { altered, refusal, repetitionOf, type Seen } from '../wrappers/mutator.ts';
import { tokenOf } from '../wrappers/tokens.ts';

const underAnotherKey = (seen: Seen, others: number): Promise<Request> =>
  altered(seen, { headers: { 'idempotency-key': `${keyOf(seen)?.slice(0, -4)}${1000 + others}` } });

/** What comes after the token, the limits and the rights. */
const isRefusedInput = (status: number): boolean => [400, 404, 422].includes(status);

/** The stores ask who sends a request. */
const reference = { tiers: { business: { read: 3000 } } };

export default mutants(
  {
    'idempotency-create-simultaneous': {
      'reported-simultaneous-repeats-are-both-carried-out': {
        report: {
          bug: 'The store is asked before the write and filled after it, so a repeat in between is carried out as well',
          url: 'https://github.com/square1-io/laravel-idempotency/issues/1',
          suffered: 'A double click made two records',
        },
        wrap: fillingLast(withKeys, underAnotherKey),
      },
      'reported-lost-race-is-service-unavailable': {
        report: {
          bug: 'Of two simultaneous repeats the second gets 503, because the database refuses the duplicate',
          url: 'https://github.com/idempot-dev/idempot-js/pull/186',
          suffered: 'Clients saw an outage where their write had succeeded',
        },
        notFound: 'The document does not speak of 503, which a run takes for a passing trouble and asks again.',
        wrap: fillingLast(withKeys, async () => refusal(503, 'UNAVAILABLE', 'The service is unavailable')),
      },
    },
    'authentication-foreign-read': {
      'reported-idempotency-keys-are-shared-by-accounts': {
        report: {
          bug: 'Replies are stored under the key alone, so another customer with the same key gets them',
          url: 'https://github.com/paveg/hono-idempotency/issues/126',
          suffered: "A penetration test read other users' records",
        },
        wrap: storing(withKeys, {
          under: (seen) => `${seen.request.method} ${seen.url.pathname} ${keyOf(seen)}`,
          keeps: isOk,
          apart: tokenOf,
        }),
      },
      'reported-idempotency-keys-are-shared-by-everything': {
        report: {
          bug: 'Replies are stored under the key with nothing else, neither the customer nor the path',
          url: 'https://github.com/C-Address-Onboarding-Bridge/C-Address-Onboarding-Bridge-Backend/issues/379',
          suffered: "A customer could read, or block, another's payment",
        },
        wrap: storing(withKeys, {
          under: (seen) => keyOf(seen) ?? '',
          keeps: isOk,
          apart: tokenOf,
        }),
      },
    },
    'idempotency-refused-retry': {
      'reported-refusals-are-replayed': {
        report: {
          bug: 'Refusals are stored as well, so the corrected request under the same key is refused again',
          url: 'https://github.com/KanishJebaMathewM/Truxify/issues/2869',
          suffered: 'A delivery could not be confirmed after one wrong code',
        },
        notFound: 'The document does not say whether a refused write uses up its Idempotency-Key.',
        wrap: storing(withKeys, {
          under: (seen) => repetitionOf(seen) ?? '',
          keeps: isRefusedInput,
        }),
      },
    },
    'idempotency-reuse-path': {
      'reported-idempotency-key-of-another-operation-is-replayed': {
        report: {
          bug: 'Replies are stored under user and key, so another operation under the key is answered with the first',
          url: 'https://github.com/KanishJebaMathewM/Truxify/pull/2885',
          suffered: 'The second write was never carried out',
        },
        notFound: 'The document does not say whether one Idempotency-Key may be used for two operations.',
        wrap: storing(withKeys, {
          under: (seen) => `${tokenOf(seen)} ${keyOf(seen)}`,
          keeps: isOk,
          apart: (seen) => `${seen.request.method} ${seen.url.pathname}`,
        }),
      },
    },
  },
  { reference },
);
