// Wrong rate limits: numbers other than those reported, wrong refusals, budgets shared or split where they must not be.
import { apiPath } from '../../lib/catalogue/operations.ts';
import type { RateClass } from '../reference/index.ts';
import { type ChangeEnv, listedToo, mutants, type Wrap } from './mutant.ts';
import {
  classOf,
  isBy,
  type Limit,
  limiting,
  onMessage,
  onRefusal,
  reporting,
  spilling,
  withoutRateKeys,
} from './wrappers/limiting.ts';
import type { Json } from './wrappers/mutator.ts';
import { altered, always, instead, onReply, page, see } from './wrappers/mutator.ts';
import { createContact, deleteNote, editCompany } from './wrappers/operations.ts';
import { ask } from './wrappers/records.ts';
import { isKey, isSession, speakingFor, tokenOf } from './wrappers/tokens.ts';

const never: Limit = { budget: () => undefined };
const exempting = (rate: RateClass, operation: string) =>
  limiting(rate, { budget: ({ seen }) => (seen.operation === operation ? undefined : 'all') });
/** Refuses writes over the limit, but still carries out those of one operation. */
const carryingOut = (operation: string) => limiting('write', { carriesOut: (seen) => seen.operation === operation });

/** Charges a write to the reads: it is refused where one read more would be. */
const chargedToReads = (operation: string): ReturnType<typeof limiting> => {
  const { reference = {}, wrap } = exempting('write', operation);
  const charging = instead(operation, async (seen, honest) => {
    const url = new URL(`${apiPath}/me`, seen.url).href;
    const read = await honest(await altered(seen, { method: 'GET', url }));
    return read.status === 429 ? read : undefined;
  });
  return { reference, wrap: (honest, clock) => charging(wrap(honest, clock), clock) };
};

/** While one class of a key is spent, refuses what it sends of another. */
const spillingOnOwn = (from: RateClass, to: RateClass): Wrap =>
  spilling(from, (seen, token) => classOf(seen) === to && isBy(seen, token));

/** How many characters of a key its account is found by. */
const lookedUp = 16;

/** Finds the account that a write counts against by the beginning of its key, before it looks at the rest. */
const chargingSimilar: Wrap = (honest) => {
  const live = new Set<string>();
  return async (request) => {
    const seen = await see(request);
    const token = tokenOf(seen);
    const response = await honest(request);
    if (!isKey(token) || seen.operation === 'POST /auth/validate-api-key') return response;
    if (response.status !== 401) live.add(token);
    else if (classOf(seen) === 'write') {
      live.delete(token);
      const similar = [...live].find((one) => one.slice(0, lookedUp) === token.slice(0, lookedUp));
      // A write that is refused by its body counts, and does nothing else.
      const counted = { ...seen, request: await speakingFor(seen, similar ?? token) };
      if (similar !== undefined) await ask(honest, counted, 'PATCH', `${apiPath}/me/active-account`, {});
    }
    return response;
  };
};

const withoutSibling: ChangeEnv = ({ COVENANT_RATE_API_KEY_SIBLING: _, ...env }) => env;
const withOneKey: ChangeEnv = ({ COVENANT_API_KEY = '' }) => ({ COVENANT_API_KEY });

/** The session is of the user of COVENANT_API_KEY, on whose account the limits are exceeded; each account has its own. */
const besideSession = (rate: RateClass, budget: NonNullable<Limit['budget']>) => {
  const { wrap, reference } = limiting(rate, { budget }, 'business');
  return { wrap, reference: { ...reference, oneUser: true }, env: withoutRateKeys };
};
const sessionsApart: NonNullable<Limit['budget']> = ({ seen, token, account }) => (isSession(seen) ? token : account);

const everyClass: readonly RateClass[] = ['read', 'write', 'validate'];

/** The words of every refusal, by the seconds that are to be waited. */
const saying = (seconds: (honest: number) => number): Wrap => {
  const words = (honest: number) => `Rate limit exceeded. Please wait ${seconds(honest)} seconds before retrying.`;
  return (honest, clock) => everyClass.reduce((inner, rate) => onMessage(rate, words)(inner, clock), honest);
};

/** Leaves the request_id out of every tenth refusal. */
const everyTenthNameless: Wrap = (honest, clock) => {
  let refused = 0;
  return onReply(always, ({ request_id, ...json }, _, status) => {
    if (status === 429) refused += 1;
    return status === 429 && refused % 10 === 0 ? json : { request_id, ...json };
  })(honest, clock);
};

/** As a limiter in front that is left as it comes. */
const busy: Wrap = (honest) => async (request) => {
  const response = await honest(request);
  return response.status === 429 ? page(503, '503 Service Unavailable') : response;
};

export default mutants({
  'rate-limits-read-allowed': {
    'rate-limits-tell-one-read-more': reporting('read', 41),
    'rate-limits-count-reads-by-six-seconds': {
      collateral: { 'rate-limits-read-write-apart': 'several reads at once are refused, also beside spent writes' },
      ...limiting('read', { limit: 4, windowMs: 6000 }),
    },
  },
  'rate-limits-write-allowed': {
    'rate-limits-tell-one-write-more': reporting('write', 11),
    'rate-limits-charge-writes-with-similar-keys': chargingSimilar,
  },
  'rate-limits-validate-allowed': {
    'rate-limits-tell-one-validation-more': reporting('validate', 11),
  },
  'rate-limits-read-enforced': {
    'rate-limits-tell-one-read-less': reporting('read', 39),
    'rate-limits-reads-never-end': limiting('read', never),
    'rate-limits-refuse-with-a-503-page': {
      collateral: {
        'rate-limits-write-enforced': 'writes are refused so, too',
        'rate-limits-validate-enforced': 'validations are refused so, too',
      },
      wrap: busy,
    },
  },
  'rate-limits-write-enforced': {
    'rate-limits-tell-one-write-less': reporting('write', 9),
    'rate-limits-writes-never-end': limiting('write', never),
    'rate-limits-writes-are-doubled': limiting('write', { limit: 20 }),
  },
  'rate-limits-validate-enforced': {
    'rate-limits-tell-one-validation-less': reporting('validate', 9),
    'rate-limits-validations-never-end': limiting('validate', never),
  },
  'rate-limits-refused-code': {
    'rate-limits-refused-reads-have-another-code': onRefusal('read', (json) => ({
      ...json,
      error: { ...(json.error as Json), code: 'TOO_MANY_REQUESTS' },
    })),
    'rate-limits-refused-validations-have-another-code': onRefusal('validate', (json) => ({
      ...json,
      error: { ...(json.error as Json), code: 'rate_limited' },
    })),
  },
  'rate-limits-refused-envelope': {
    'rate-limits-refused-writes-have-no-request-id': onRefusal('write', ({ request_id: _, ...json }) => json),
    'rate-limits-every-tenth-refusal-has-no-request-id': everyTenthNameless,
    'rate-limits-refused-validations-are-bare': {
      also: ['rate-limits-refused-code', 'rate-limits-refused-seconds'],
      wrap: onRefusal('validate', () => ({ detail: 'Too many requests' })),
    },
  },
  'rate-limits-refused-seconds': {
    'rate-limits-refused-writes-tell-no-seconds': onMessage('write', () => 'Rate limit exceeded. Please retry later.'),
    // Errors, row 429: "message tells how many seconds to wait before retrying"; they are counted per minute.
    'rate-limits-refusals-tell-milliseconds-as-seconds': saying((seconds) => seconds * 1000 - 450),
    'rate-limits-refusals-always-tell-an-hour': saying(() => 3600),
    'rate-limits-refused-reads-tell-minutes': onMessage(
      'read',
      () => 'Rate limit exceeded. Please wait 1 minute before retrying.',
    ),
  },
  'rate-limits-refused-recovery': {
    'rate-limits-reads-recover-late': onMessage(
      'read',
      (seconds) => `Rate limit exceeded. Please wait ${Math.ceil(seconds / 4)} seconds.`,
    ),
    'rate-limits-writes-stay-blocked': limiting('write', {
      penaltyMs: 90_000,
    }),
  },
  'rate-limits-refused-effect': {
    'rate-limits-refused-edits-are-carried-out': {
      collateral: listedToo,
      ...carryingOut('PATCH /companies/{company_id}/notes/{note_id}'),
    },
    'rate-limits-refused-write-1-is-carried-out': carryingOut('POST /companies/{company_id}/notes'),
    'rate-limits-refused-write-2-is-carried-out': carryingOut('POST /companies'),
    'rate-limits-refused-write-3-is-carried-out': {
      collateral: {
        'companies-read-record': 'what was written last is compared with every reply that shows the company',
        'companies-edit-effect': 'what was written last is compared with every reply that shows the company',
        'companies-edit-reply': 'what was written last is compared with every reply that shows the company',
        'companies-list-record': 'what was written last is compared with every list that shows the company',
      },
      ...carryingOut('PATCH /companies/{company_id}'),
    },
    'rate-limits-refused-write-4-is-carried-out': carryingOut('POST /contacts'),
  },
  'rate-limits-read-write-apart': {
    'rate-limits-spent-reads-refuse-writes': spillingOnOwn('read', 'write'),
    'rate-limits-spent-writes-refuse-reads': spillingOnOwn('write', 'read'),
  },
  'rate-limits-validate-apart': {
    'rate-limits-spent-validations-refuse-reads': spillingOnOwn('validate', 'read'),
    'rate-limits-spent-validations-refuse-writes': spillingOnOwn('validate', 'write'),
  },
  'rate-limits-accounts-apart': {
    'rate-limits-spent-reads-refuse-everybody': spilling(
      'read',
      (seen, token) => classOf(seen) === 'read' && !isBy(seen, token) && seen.operation !== 'GET /health',
    ),
    'rate-limits-spent-writes-refuse-everybody': spilling(
      'write',
      (seen, token) => classOf(seen) === 'write' && !isBy(seen, token),
    ),
  },
  'rate-limits-keys-together': {
    'rate-limits-each-key-has-its-reads': limiting('read', {
      budget: ({ token }) => token,
    }),
    'rate-limits-each-key-has-its-writes': limiting('write', {
      budget: ({ token }) => token,
    }),
    // Limits are per account: not by user for sessions, and by key for keys.
    'rate-limits-each-user-and-each-key-has-its-reads': besideSession('read', ({ token }) => token),
    'rate-limits-each-user-and-each-key-has-its-writes': besideSession('write', ({ token }) => token),
    'rate-limits-sessions-have-their-own-reads': besideSession('read', sessionsApart),
    'rate-limits-sessions-have-their-own-writes': besideSession('write', sessionsApart),
    'rate-limits-each-key-has-its-reads-beside-no-other': {
      ...limiting('read', { budget: ({ token }) => token }, 'business'),
      env: withOneKey,
    },
    'rate-limits-each-key-has-its-writes-beside-no-other': {
      ...limiting('write', { budget: ({ token }) => token }, 'business'),
      env: withOneKey,
    },
    'rate-limits-each-key-has-its-writes-without-a-sibling': {
      ...limiting('write', { budget: ({ token }) => token }),
      env: withoutSibling,
    },
  },
  'rate-limits-every-operation': {
    'rate-limits-each-operation-has-its-reads': limiting('read', { budget: ({ seen }) => seen.operation }),
    // Rate limits, row Write (POST, PATCH, DELETE).
    'rate-limits-deletions-of-notes-are-exempt': exempting('write', deleteNote),
    'rate-limits-deletions-are-exempt': limiting('write', {
      budget: ({ seen }) => (seen.request.method === 'DELETE' ? undefined : 'all'),
    }),
    'rate-limits-read-1-is-exempt': exempting('read', 'GET /billing/credits/balance'),
    'rate-limits-read-2-is-exempt': exempting('read', 'GET /me/team-accounts'),
    'rate-limits-read-3-is-exempt': exempting('read', 'GET /contacts'),
    'rate-limits-deletions-of-notes-are-charged-to-reads': chargedToReads(deleteNote),
    'rate-limits-edits-of-companies-are-charged-to-reads': chargedToReads(editCompany),
    'rate-limits-creations-of-contacts-are-charged-to-reads': chargedToReads(createContact),
    'rate-limits-write-1-is-exempt': exempting('write', 'POST /contacts'),
    'rate-limits-write-2-is-exempt': exempting('write', 'DELETE /api-keys/{key_id}'),
    'rate-limits-write-3-is-exempt': exempting('write', 'PATCH /me/active-account'),
    'rate-limits-write-4-is-exempt': exempting('write', 'PATCH /companies/{company_id}'),
  },
});
