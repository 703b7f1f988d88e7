// Every lawful answer to input that the document leaves open: an X-Active-Account of others, parameters that a row does not name.
import { operations, withoutAccount } from '../../lib/catalogue/operations.ts';
import type { Wrap } from '../mutants/mutant.ts';
import { limitOf, queried, requery } from '../mutants/wrappers/listing.ts';
import {
  altered,
  instead,
  isObject,
  type Json,
  onSuccess,
  refusal,
  rewritten,
  type Seen,
  see,
} from '../mutants/wrappers/mutator.ts';
import { ask } from '../mutants/wrappers/records.ts';
import type { Handler } from '../reference/index.ts';
import { idOf } from './styled-lists.ts';
import { together, variants } from './variant.ts';

type Answer = (seen: Seen, honest: Handler) => Promise<Response> | Response;

/** Answers sessions whose X-Active-Account names none of their accounts. */
const underForeign =
  (answer: Answer): Wrap =>
  (honest) =>
  async (request) => {
    if (!request.headers.has('x-active-account')) return honest(request);
    const seen = await see(request);
    const refused = await honest(request.clone());
    const isForeign = refused.status >= 400 && (await refused.clone().text()).includes('X-Active-Account');
    return isForeign ? answer(seen, honest) : refused;
  };

const withHeader = async (seen: Seen, honest: Handler, value: string | null): Promise<Response> =>
  honest(await altered(seen, { headers: { 'x-active-account': value } }));
const needsAccount = ({ operation }: Seen): boolean => !(withoutAccount as readonly string[]).includes(operation);
const noAccount = (): Response => refusal(400, 'NO_ACCOUNT', 'No active account is determinable');

/** Nobody's account is active: the profile shows none, and `accounts` is what the list of them shows. */
const without = (accounts: (data: unknown) => unknown): Answer => {
  return async (seen, honest) => {
    if (needsAccount(seen)) return noAccount();
    const response = await withHeader(seen, honest, null);
    if (!response.ok || seen.operation.startsWith('PATCH')) return response;
    const { data, ...json } = (await response.clone().json()) as Json;
    if (seen.operation === 'GET /me/accounts') return rewritten(response, { ...json, data: accounts(data) });
    const { accounts: _, ...profile } = data as Json;
    return rewritten(response, { ...json, data: { ...profile, account: null } });
  };
};

/** The first of the session's accounts, whichever is stored. */
const first: Answer = async (seen, honest) => {
  const accounts = await ask(await asStored(honest), seen, 'GET', '/api/external/v2/me/accounts');
  const [slug] = Array.isArray(accounts.data) ? accounts.data.map((one) => (isObject(one) ? one.slug : undefined)) : [];
  return typeof slug === 'string' ? withHeader(seen, honest, slug) : noAccount();
};
const asStored =
  (honest: Handler): Handler =>
  async (request) =>
    withHeader(await see(request), honest, null);

const refused = (status: number): Answer => {
  return () => refusal(status, 'WRONG_ACCOUNT', 'X-Active-Account names no account of yours');
};

const isRead = ({ operation }: Seen): boolean => operation.startsWith('GET ');
const isList = ({ operation }: Seen): boolean =>
  Object.entries(operations).some(([id, { list }]) => id === operation && list !== undefined);

const chosen = (record: unknown, names: readonly string[]): unknown =>
  isObject(record) ? Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name))) : record;

/** `fields` leaves nothing but what it names, not even an identifier. */
const fieldsOn = (when: (seen: Seen) => boolean): Wrap =>
  onSuccess(
    (seen) => when(seen) && queried(seen, 'fields') !== null,
    ({ data, ...json }, seen) => {
      const names = (queried(seen, 'fields') ?? '').split(',').map((name) => name.trim());
      return { ...json, data: Array.isArray(data) ? data.map((one) => chosen(one, names)) : chosen(data, names) };
    },
  );

const bare = (seen: Seen) => requery(seen, { limit: '200', offset: null, cursor: null, sort: null });

/** All that the honest server lists: no list of the laboratory that is served here is longer than a page. */
async function all(seen: Seen, honest: Handler) {
  const response = await honest(await bare(seen));
  const json = (await response.clone().json()) as Json;
  return { response, json, records: Array.isArray(json.data) ? (json.data as Json[]) : [] };
}

const compared = (one: unknown, other: unknown): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : String(one) < String(other) ? -1 : 1;

function sortedBy(records: readonly Json[], sort: string): Json[] {
  const name = sort.replace(/^-/, '');
  const by = [...records].sort((one, other) => compared(one[name], other[name]) || compared(idOf(one), idOf(other)));
  return sort.startsWith('-') ? by.reverse() : by;
}

const positionOf = (cursor: string): number => Number(Buffer.from(cursor, 'base64').toString()) || 0;
const cursorAt = (position: number): string => Buffer.from(String(position)).toString('base64');

/** Pages by cursor, or by offset where one or a sort is given; what makes no sense is as good as absent. */
const pagedOn = (operation: readonly string[], names: readonly string[]): Wrap =>
  instead(
    (seen) => operation.includes(seen.operation) && names.some((name) => seen.url.searchParams.has(name)),
    async (seen, honest) => {
      const [sort, offset, cursor] = ['sort', 'offset', 'cursor'].map((name) => queried(seen, name));
      if (sort && cursor) return refusal(400, 'BAD_REQUEST', 'cursor cannot be combined with sort');
      const { response, json, records } = await all(seen, honest);
      if (!response.ok) return response;
      const limit = limitOf(seen) ?? 50;
      const from = cursor ? positionOf(cursor) : Number(/^\d+$/.exec(offset ?? ''));
      const data = (sort ? sortedBy(records, sort) : records).slice(from, from + limit);
      const has_more = from + limit < records.length;
      const place =
        sort || (offset !== null && !cursor)
          ? { offset: from, has_more }
          : { cursor, has_more, next_cursor: has_more ? cursorAt(from + limit) : null };
      return rewritten(response, { ...json, data, pagination: { total: records.length, limit, ...place } });
    },
  );

const accountLists = ['GET /me/accounts', 'GET /me/team-accounts'];
const everyParameter = ['limit', 'offset', 'cursor', 'sort'];
const pagedLists: Wrap = together([
  pagedOn([...accountLists, 'GET /account/team'], everyParameter),
  pagedOn(['GET /api-keys'], ['cursor', 'sort']),
]);

/** The parameters that a row names, and sort, which every paginated list may take. */
const namedOn: Readonly<Record<string, readonly string[]>> = {
  'GET /companies': ['limit', 'cursor', 'fields', 'sort', 'offset'],
  'GET /contacts': ['limit', 'cursor', 'fields', 'sort', 'offset'],
  'GET /companies/{company_id}/notes': ['limit', 'cursor', 'sort', 'offset'],
  'GET /api-keys': ['limit', 'offset'],
};
const strangersRefused: Wrap = instead(
  ({ operation, url }) => [...url.searchParams.keys()].some((name) => !namedOn[operation]?.includes(name)),
  async (seen, honest) => {
    const response = await honest(seen.request.clone());
    const isLetIn = response.status !== 401 && response.status !== 429;
    return isLetIn ? refusal(400, 'UNKNOWN_PARAMETER', 'a parameter is not known') : response;
  },
);

const isRepeated = ({ url: { searchParams } }: Seen): boolean =>
  new Set(searchParams.keys()).size < [...searchParams.keys()].length;
/** A list refuses a parameter that is given twice; who is known and what is spent is decided by the honest server. */
const repeatedRefused: Wrap = instead(
  (seen) => isList(seen) && isRepeated(seen),
  async (seen, honest) => {
    const response = await honest(seen.request.clone());
    const isLetIn = response.status !== 401 && response.status !== 429;
    return isLetIn ? refusal(400, 'REPEATED_PARAMETER', 'a parameter is given twice') : response;
  },
);

const cursorLists = ['GET /companies', 'GET /contacts', 'GET /companies/{company_id}/notes'];
/** An offset without a sort is taken, and the list is in offset mode. */
const offsetAlone: Wrap = instead(
  ({ operation, url: { searchParams } }) =>
    cursorLists.includes(operation) &&
    searchParams.has('offset') &&
    !searchParams.has('sort') &&
    !searchParams.has('cursor'),
  async (seen, honest) => honest(await requery(seen, { sort: '-created_at' })),
);

/** What is asked for in a way that makes no sense is left out, and the defaults stand in its place. */
const defaulted: Wrap = instead(
  (seen) => isList(seen) && everyParameter.some((name) => seen.url.searchParams.has(name)),
  async (seen, honest) => {
    const response = await honest(seen.request.clone());
    if (response.status !== 400 || (queried(seen, 'sort') && queried(seen, 'cursor'))) return response;
    const limit = limitOf(seen) === undefined ? { limit: null } : {};
    return honest(await requery(seen, { ...limit, offset: null, cursor: null, sort: null }));
  },
);

const choosing = ['GET /companies', 'GET /contacts'];

/** What the honest server makes of `fields` that name something which its whole records do not have. */
const onUnknownFields = (answer: Answer): Wrap =>
  instead(
    (seen) => choosing.includes(seen.operation) && seen.url.searchParams.has('fields'),
    async (seen, honest) => {
      const [record] = (await all(await plain(seen), honest)).records;
      const names = (queried(seen, 'fields') ?? '').split(',');
      return record && !names.every((name) => Object.hasOwn(record, name.trim())) ? answer(seen, honest) : undefined;
    },
  );
const plain = async (seen: Seen): Promise<Seen> => see(await requery(seen, { fields: null }));

const why = {
  header: 'What an X-Active-Account of others answers is open, as long as it opens nothing of theirs.',
  names: 'What a parameter does on an operation whose row does not name it is open.',
  twice: 'What a parameter that is given twice does is open: 400 is a malformed request.',
  values: 'What a value that makes no sense does is open: it may be refused, or the default may stand in its place.',
};
const everyFields = fieldsOn((seen) => isRead(seen) && !['GET /companies', 'GET /contacts'].includes(seen.operation));
const none = underForeign(without(() => []));

export default variants({
  'open-header-no-account': { why: why.header, wrap: underForeign(without((data) => data)) },
  'open-header-no-account-at-all': { why: why.header, wrap: none },
  'open-header-first-account': { why: why.header, wrap: underForeign(first) },
  ...Object.fromEntries(
    [400, 403, 404].map((status) => [
      `open-header-${status}`,
      { why: why.header, wrap: underForeign(refused(status)) },
    ]),
  ),
  'open-header-refused-where-needed': {
    why: why.header,
    wrap: underForeign((seen, honest) => (needsAccount(seen) ? noAccount() : withHeader(seen, honest, null))),
  },
  'open-header-ignored-where-it-exists': {
    why: why.header,
    wrap: underForeign((seen, honest) =>
      seen.request.headers.get('x-active-account') === 'lakeshore'
        ? withHeader(seen, honest, null)
        : refused(404)(seen, honest),
    ),
  },
  'open-header-ignored-at-the-team': {
    why: why.header,
    wrap: underForeign((seen, honest) =>
      seen.operation === 'GET /account/team' ? withHeader(seen, honest, null) : refused(403)(seen, honest),
    ),
  },
  'open-header-ignored-where-unknown': {
    why: why.header,
    wrap: underForeign((seen, honest) =>
      seen.request.headers.get('x-active-account') === 'lakeshore'
        ? refused(403)(seen, honest)
        : withHeader(seen, honest, null),
    ),
  },
  'open-header-ignored-at-the-profile': {
    why: why.header,
    wrap: underForeign((seen, honest) =>
      seen.operation === 'GET /me' ? withHeader(seen, honest, null) : refused(403)(seen, honest),
    ),
  },
  'open-fields-unknown-show-all': {
    why: why.values,
    reference: { choices: { companyIdentifier: 'company_id', contactIdentifier: 'contact_id' } },
    wrap: onUnknownFields(async (seen, honest) => honest((await plain(seen)).request)),
  },
  'open-fields-unknown-refused': {
    why: why.values,
    reference: { choices: { companyIdentifier: 'company_id', contactIdentifier: 'contact_id' } },
    wrap: onUnknownFields(() => refusal(400, 'UNKNOWN_FIELD', 'a field is not known')),
  },
  'open-lists-take-fields': { why: why.names, wrap: fieldsOn(isList) },
  'open-reads-take-fields': { why: why.names, wrap: everyFields },
  'open-lists-take-every-parameter': { why: why.names, wrap: pagedLists },
  'open-lists-take-an-offset': { why: why.names, wrap: offsetAlone },
  'open-lists-take-defaults': { why: why.values, wrap: defaulted },
  'open-parameters-refused': { why: why.names, wrap: strangersRefused },
  'open-parameters-given-twice-refused': { why: why.twice, wrap: repeatedRefused },
  'open-lists-take-all-and-no-account': {
    why: `${why.header} ${why.names}`,
    wrap: together([pagedLists, offsetAlone, defaulted, fieldsOn(isRead), none]),
  },
});
