// The other lawful answer: refusals with another status, values ignored instead of refused, other replies to repeats.
import type { Wrap } from '../mutants/mutant.ts';
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
import type { Variant } from './variant.ts';

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

const variants: readonly Variant[] = [
  {
    id: 'refusals-of-limits-with-422',
    why: 'An invalid limit or cursor may be refused with 400 or 422.',
    wrap: onStatus(isPlacedOnList, 400, 422),
  },
  {
    id: 'refusals-of-bad-json-with-422',
    why: 'A body that is not JSON may be refused with any 4xx.',
    wrap: onStatus(({ request, body }) => request.method !== 'GET' && body === undefined, 400, 422),
  },
  {
    id: 'refusals-of-long-texts-with-413',
    why: 'The status that refuses a name or a label for its length is not named.',
    wrap: (honest, clock) => onStatus(isTooLong, 400, 413)(onStatus(isTooLong, 422, 413)(honest, clock), clock),
  },
  {
    id: 'refusals-of-every-sort',
    why: 'The values of sort are not documented: a server may accept none.',
    wrap: noSort,
  },
  {
    id: 'refusals-of-foreign-accounts-left-out',
    why: 'A foreign X-Active-Account may be ignored, as long as it opens nothing.',
    wrap: foreignHeaderIgnored,
  },
  {
    id: 'refusals-of-repeats-left-out',
    why: 'A repeated creation is answered with any success and the same note.',
    wrap: repeatedWithOk,
  },
];

export default variants;
