// Defects of idempotency stores that users of real software have reported.

import { apiPath } from '../../../lib/catalogue/operations.ts';
import { mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, instead, refusal, repetitionOf, rewritten, type Seen } from '../wrappers/mutator.ts';
import { createNote } from '../wrappers/operations.ts';
import { ask } from '../wrappers/records.ts';
import { tokenOf } from '../wrappers/tokens.ts';

const withKeys = [createNote, 'PATCH /companies/{company_id}/notes/{note_id}', 'POST /companies', 'POST /contacts'];

const keyOf = ({ request }: Seen): string | null => request.headers.get('idempotency-key');

/** Milliseconds that a write takes until its reply is stored. */
const writeMs = 30;

/** Asks the store first and fills it last; `late` answers what comes in between. */
const fillingLast =
  (late: (seen: Seen, others: number) => Promise<Request | Response>): Wrap =>
  (honest, clock) => {
    const stored = new Set<string>();
    const underWay = new Map<string, number>();
    return instead(withKeys, async (seen, server) => {
      const name = repetitionOf(seen);
      if (name === undefined || stored.has(name)) return undefined;
      const others = underWay.get(name) ?? 0;
      underWay.set(name, others + 1);
      const answer = others === 0 ? seen.request : await late(seen, others);
      if (answer instanceof Response) return answer;
      const response = await server(answer);
      await clock.inside.sleep(writeMs);
      stored.add(name);
      return response;
    })(honest, clock);
  };

const underAnotherKey = (seen: Seen, others: number): Promise<Request> =>
  altered(seen, { headers: { 'idempotency-key': `${keyOf(seen)?.slice(0, -4)}${1000 + others}` } });

interface Stored {
  readonly by: string;
  readonly on: string;
  readonly status: number;
  readonly json: unknown;
}

interface Store {
  /** What of a request replies are stored under. */
  readonly under: (seen: Seen) => string;
  readonly keeps: (status: number) => boolean;
  /** Whether a stored reply is the one that the honest server would not have given. */
  readonly wrongly: (stored: Stored, seen: Seen) => boolean;
}

/** Replays what another store would not. */
const storing = ({ under, keeps, wrongly }: Store): Wrap => {
  return (honest, clock) => {
    const replies = new Map<string, Stored>();
    return instead(withKeys, async (seen, server) => {
      if (keyOf(seen) === null) return undefined;
      const known = replies.get(under(seen));
      const on = `${seen.request.method} ${seen.url.pathname}`;
      if (known !== undefined && wrongly(known, seen)) {
        const me = await ask(server, seen, 'GET', `${apiPath}/me`);
        return me.data === undefined ? undefined : rewritten(Response.json({}), known.json, known.status);
      }
      const response = await server(seen.request.clone());
      const { status } = response;
      if (known === undefined && keeps(status))
        replies.set(under(seen), { by: tokenOf(seen), on, status, json: (await response.clone().json()) as Json });
      return response;
    })(honest, clock);
  };
};

const isOk = (status: number): boolean => status < 300;
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
        wrap: fillingLast(underAnotherKey),
      },
      'reported-lost-race-is-service-unavailable': {
        report: {
          bug: 'Of two simultaneous repeats the second gets 503, because the database refuses the duplicate',
          url: 'https://github.com/idempot-dev/idempot-js/pull/186',
          suffered: 'Clients saw an outage where their write had succeeded',
        },
        notFound: 'The document does not speak of 503, which a run takes for a passing trouble and asks again.',
        wrap: fillingLast(async () => refusal(503, 'UNAVAILABLE', 'The service is unavailable')),
      },
    },
    'idempotency-reuse-account': {
      'reported-idempotency-keys-are-shared-by-accounts': {
        report: {
          bug: 'Replies are stored under the key alone, so another customer with the same key gets them',
          url: 'https://github.com/paveg/hono-idempotency/issues/126',
          suffered: "A penetration test read other users' records",
        },
        notFound:
          'The document does not say within what an Idempotency-Key is unique: a user, an account, or everywhere.',
        wrap: storing({
          under: (seen) => `${seen.request.method} ${seen.url.pathname} ${keyOf(seen)}`,
          keeps: isOk,
          wrongly: ({ by }, seen) => by !== tokenOf(seen),
        }),
      },
      'reported-idempotency-keys-are-shared-by-everything': {
        report: {
          bug: 'Replies are stored under the key with nothing else, neither the customer nor the path',
          url: 'https://github.com/C-Address-Onboarding-Bridge/C-Address-Onboarding-Bridge-Backend/issues/379',
          suffered: "A customer could read, or block, another's payment",
        },
        notFound:
          'The document does not say within what an Idempotency-Key is unique: a user, an account, or everywhere.',
        wrap: storing({
          under: (seen) => keyOf(seen) ?? '',
          keeps: isOk,
          wrongly: ({ by }, seen) => by !== tokenOf(seen),
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
        wrap: storing({
          under: (seen) => repetitionOf(seen) ?? '',
          keeps: isRefusedInput,
          wrongly: () => true,
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
        wrap: storing({
          under: (seen) => `${tokenOf(seen)} ${keyOf(seen)}`,
          keeps: isOk,
          wrongly: ({ on }, seen) => on !== `${seen.request.method} ${seen.url.pathname}`,
        }),
      },
    },
  },
  { reference },
);
