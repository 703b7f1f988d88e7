// The other lawful answer: refusals with another status, values ignored instead of refused, other replies to repeats.
import { apiPath, withoutAccount } from '../../lib/catalogue/operations.ts';
import type { Wrap } from '../mutants/mutant.ts';
import { classOf } from '../mutants/wrappers/limiting.ts';
import { isFirst, limitOf } from '../mutants/wrappers/listing.ts';
import {
  altered,
  instead,
  isObject,
  onStatus,
  refusal,
  repetitionOf,
  type Seen,
  see,
} from '../mutants/wrappers/mutator.ts';
import { ask, successes } from '../mutants/wrappers/records.ts';
import { isKey, isSession, tokenOf } from '../mutants/wrappers/tokens.ts';
import type { Handler } from '../reference/index.ts';
import { variants } from './variant.ts';

const lists = [
  ...['GET /companies', 'GET /contacts', 'GET /companies/{company_id}/notes', 'GET /api-keys', 'GET /account/team'],
  ...['GET /me/accounts', 'GET /me/team-accounts'],
];

const places = ['limit', 'offset', 'cursor'];
const isPlacedOnList = ({ operation, url: { searchParams } }: Seen): boolean =>
  lists.includes(operation) && !searchParams.has('sort') && places.some((name) => searchParams.has(name));

/** Refuses every sort, with or without a cursor. */
const noSort: Wrap = instead(lists, ({ url }) =>
  url.searchParams.has('sort') ? refusal(422, 'UNKNOWN_PARAMETER', 'sort is not supported') : undefined,
);

/** Ignores an X-Active-Account that names a foreign account. */
export const foreignHeaderIgnored: Wrap = (honest) => async (request) => {
  const seen = await see(request);
  const again = request.headers.has('x-active-account')
    ? await altered(seen, { headers: { 'x-active-account': null } })
    : undefined;
  const response = await honest(request);
  const refused = response.status === 403 || response.status === 404;
  const text = again && refused ? await response.clone().text() : '';
  return again && text.includes('X-Active-Account') ? honest(again) : response;
};

/** No key switches accounts; whether it is known and has writes left is decided by the honest server, which gets no slug. */
export const switchesByKeysRefused: Wrap = instead(
  (seen) => seen.operation === 'PATCH /me/active-account' && isKey(tokenOf(seen)),
  async (seen, honest) => {
    const response = await honest(await altered(seen, { body: {}, headers: { 'idempotency-key': null } }));
    const isLetIn = response.status !== 401 && response.status !== 429;
    return isLetIn ? refusal(403, 'FORBIDDEN', 'The account of an API key is fixed') : response;
  },
);

const isTooLong = ({ body }: Seen): boolean =>
  isObject(body) && [body.name, body.label].some((text) => typeof text === 'string' && [...text].length > 255);

/** Replies with 200 to the repeat of a creation, which creates nothing. */
const repeatedWithOk: Wrap = (honest) => {
  const done = new Set<string>();
  return async (request) => {
    const seen = await see(request);
    const name = repetitionOf(seen);
    const response = await honest(request);
    if (name === undefined || response.status !== 201) return response;
    if (!done.has(name)) {
      done.add(name);
      return response;
    }
    const headers = new Headers(response.headers);
    headers.set('idempotency-replayed', 'true');
    return new Response(await response.text(), { status: 200, headers });
  };
};

const needsAccount = (seen: Seen): boolean =>
  isSession(seen) && !(withoutAccount as readonly string[]).includes(seen.operation);

/** A session without an account is told so before anything else, but its list of companies is empty. */
const noCompaniesWithoutAccount: Wrap = (honest, clock) => {
  const success = successes(clock);
  return instead(needsAccount, async (seen, inner) => {
    const refused = await inner(seen.request.clone());
    if (refused.status !== 400 && refused.status !== 403) return refused;
    const { error } = await ask(inner, seen, 'GET', `${apiPath}/account/team`);
    if (!isObject(error) || !String(error.message).startsWith('No active account')) return refused;
    const limit = limitOf(seen);
    const isServed = seen.operation === 'GET /companies' && isFirst(seen.url.searchParams) && limit !== undefined;
    const pagination = { total: 0, limit, cursor: null, has_more: false, next_cursor: null };
    return isServed ? success([], { pagination }) : refusal(400, 'NO_ACCOUNT', 'No active account is determinable');
  })(honest, clock);
};

/** The account of each caller, asked once for an API key; undefined where there is none. */
function accountsOf(honest: Handler): (seen: Seen) => Promise<string | undefined> {
  const known = new Map<string, string>();
  return async (seen) => {
    const token = tokenOf(seen);
    const had = known.get(token);
    if (had !== undefined) return had;
    const { data } = await ask(honest, seen, 'GET', `${apiPath}/me`);
    if (!isObject(data) || !isObject(data.account)) return undefined;
    const account = String(data.account.id);
    if (isKey(token)) known.set(token, account);
    return account;
  };
}

/** All accounts share one store of Idempotency-Keys, which refuses what another account has used. */
const keysOfOthers =
  (status: number): Wrap =>
  (honest) => {
    const accountOf = accountsOf(honest);
    const users = new Map<string, string>();
    return async (request) => {
      const seen = await see(request);
      const key = request.headers.get('idempotency-key') ?? '';
      const account =
        key !== '' && isObject(seen.body) && classOf(seen) === 'write' ? await accountOf(seen) : undefined;
      if (account === undefined) return honest(request);
      const user = users.get(key);
      if (user !== undefined && user !== account) {
        // Who is known, what is spent and what is allowed is decided by the honest server.
        const refused = await honest(await altered(seen, { body: null, headers: { 'idempotency-key': null } }));
        return refused.status === 400 ? refusal(status, 'KEY_TAKEN', 'This Idempotency-Key is taken') : refused;
      }
      users.set(key, account);
      const response = await honest(request);
      if (user === undefined && !response.ok) users.delete(key);
      return response;
    };
  };
const keysOpen =
  'That another account may use an Idempotency-Key as well is not said, nor with which status it is refused.';

const isOtherScheme = ({ operation, request }: Seen): boolean => {
  const authorization = request.headers.get('authorization') ?? '';
  const isPublic = operation === 'GET /health' || operation === 'POST /auth/validate-api-key';
  return !isPublic && authorization !== '' && !/^bearer\b/i.test(authorization);
};

const longestBody = 100_000;

/** A used key with another body is a conflict, and a body of more than 100 kB is not read. */
const conflictsAndLongBodies: Wrap = (honest) => async (request) => {
  const text = request.method === 'GET' ? '' : await request.clone().text();
  if (Buffer.byteLength(text) > longestBody) return refusal(413, 'BODY_TOO_LARGE', 'The body has more than 100 kB');
  const response = await honest(request);
  const isOtherBody = response.status === 422 && (await response.clone().text()).includes('used with another body');
  return isOtherBody ? refusal(409, 'KEY_USED', 'This Idempotency-Key was used with another body') : response;
};

export default variants({
  'refusals-of-limits-with-422': {
    why: 'An invalid limit or cursor may be refused with 400 or 422.',
    wrap: onStatus(isPlacedOnList, 400, 422),
  },
  'refusals-of-bad-json-with-422': {
    why: 'A body that is not JSON may be refused with any 4xx.',
    wrap: onStatus(({ request, body }) => request.method !== 'GET' && body === undefined, 400, 422),
  },
  'refusals-of-long-texts-with-413': {
    why: 'The status that refuses a name or a label for its length is not named.',
    wrap: (honest, clock) => onStatus(isTooLong, 400, 413)(onStatus(isTooLong, 422, 413)(honest, clock), clock),
  },
  'refusals-of-every-sort': {
    why: 'The values of sort are not documented: a server may accept none.',
    wrap: noSort,
  },
  'refusals-of-foreign-accounts-left-out': {
    why: 'A foreign X-Active-Account may be ignored, as long as it opens nothing.',
    wrap: foreignHeaderIgnored,
  },
  'refusals-of-switches-by-keys': {
    why: 'The active account of a key is its own, and 403 is listed without a cause.',
    wrap: switchesByKeysRefused,
  },
  'refusals-of-repeats-left-out': {
    why: 'A repeated creation is answered with any success and the same note.',
    wrap: repeatedWithOk,
  },
  'refusals-without-an-account-left-out-of-the-list-of-companies': {
    why: 'No active account is a 400, but nothing says that a list needs one: of no account it may be empty.',
    wrap: noCompaniesWithoutAccount,
  },
  'refusals-of-other-schemes-with-400': {
    why: 'Credentials are sent as a Bearer token: a header of another scheme may be a malformed request.',
    wrap: instead(isOtherScheme, () => refusal(400, 'UNKNOWN_SCHEME', 'Authorization must be a Bearer token')),
  },
  'refusals-of-used-keys-with-409-and-of-bodies-of-100-kb-with-413': {
    why: 'How a used key with another body is refused is not said, nor how long a body may be.',
    wrap: conflictsAndLongBodies,
  },
  'refusals-of-keys-of-other-accounts-with-409': { why: keysOpen, wrap: keysOfOthers(409) },
  'refusals-of-keys-of-other-accounts-with-422': { why: keysOpen, wrap: keysOfOthers(422) },
});
