// Wrong profiles of the caller, wrong lists of accounts, wrong answers about the team.
import { apiPath } from '../../../lib/catalogue/operations.ts';
import { mutants, type Wrap } from '../mutant.ts';
import {
  altered,
  instead,
  type Json,
  onStatus,
  onSuccess,
  rewritten,
  type Seen,
  without,
} from '../wrappers/mutator.ts';
import { ask } from '../wrappers/records.ts';
import { isKey, isSession, onSuccessWithKeys, opening, tokenOf } from '../wrappers/tokens.ts';

const me = 'GET /me';
const accounts = 'GET /me/accounts';
const teamAccounts = 'GET /me/team-accounts';
const header = 'x-active-account';

type List = { data: Json[] };

const bySession =
  (operation: string) =>
  (seen: Seen): boolean =>
    seen.operation === operation && isSession(seen);
const byKey =
  (operation: string) =>
  (seen: Seen): boolean =>
    seen.operation === operation && !isSession(seen);

const onMe = (when: (seen: Seen) => boolean, change: (data: Json) => Json): Wrap =>
  onSuccess(when, (json) => ({ ...json, data: change(json.data as Json) }));

const withoutScope =
  (scope: string) =>
  (data: Json): Json => ({ ...data, scopes: (data.scopes as string[]).filter((one) => one !== scope) });

/** Shows every key of an account the user of the key that asked first. */
const profileOfFirstUser: Wrap = (honest, clock) => {
  const first = new Map<unknown, unknown>();
  return onMe(byKey(me), (data) => {
    const { id } = data.account as Json;
    if (!first.has(id)) first.set(id, data.user);
    return { ...data, user: first.get(id) };
  })(honest, clock);
};

/** Shows every key the profile of the first key. */
const profileOfFirstKey: Wrap = (honest, clock) => {
  let first: Json | undefined;
  return onMe(byKey(me), (data) => {
    first ??= data;
    return { ...first, scopes: data.scopes, platform: data.platform };
  })(honest, clock);
};

/** Misspells a slug wherever it is shown to sessions, so that the switch does not accept it. */
const misspelling = (slug: string, wrong: string): Wrap =>
  instead(isSession, async (seen, honest) => {
    const response = await honest(seen.request.clone());
    const text = (await response.clone().text()).replaceAll(`"${slug}"`, `"${wrong}"`);
    return rewritten(response, JSON.parse(text));
  });

/** Hides accounts that are older than the active one. */
const hidingOlder: Wrap = instead(bySession(accounts), async (seen, honest) => {
  const path = seen.url.pathname.replace('/me/accounts', '/me');
  const response = await honest(seen.request.clone());
  if (!response.ok) return response;
  const { data } = (await ask(honest, seen, 'GET', path)) as { data: { account: { id: number } } };
  const json = (await response.json()) as List;
  return rewritten(response, { ...json, data: json.data.filter(({ id }) => Number(id) >= data.account.id) });
});

/** Lists the account of the first key as well. */
const listingForeign: Wrap = (honest, clock) => {
  let foreign: unknown;
  const noting = onMe(byKey(me), (data) => {
    foreign ??= data.account;
    return data;
  });
  return onSuccess(bySession(accounts), (json) => ({ ...json, data: [...(json as List).data, foreign] }))(
    noting(honest, clock),
    clock,
  );
};

const undetermined = (seen: Seen, status: number): boolean => seen.operation === teamAccounts && status === 400;

/** Replies with an empty list where no account can be determined. */
const emptyList: Wrap = instead(teamAccounts, async (seen, honest) => {
  const response = await honest(seen.request.clone());
  if (!undetermined(seen, response.status)) return response;
  const { request_id } = (await response.clone().json()) as Json;
  return rewritten(response, { request_id, timestamp: '2026-03-02T09:00:00Z', data: [] }, 200);
});

const rememberedMs = 60_000;

/** Keeps sessions that have no account on the one that they named last, for a minute. */
const rememberingHeader: Wrap = (honest, clock) => {
  const named = new Map<string, { readonly value: string; readonly until: number }>();
  return instead(isSession, async (seen, inner) => {
    const bare = { ...seen, request: await altered(seen, { headers: { [header]: null } }) };
    const { value, until } = named.get(tokenOf(seen)) ?? { value: null, until: 0 };
    const sent = seen.request.headers.get(header);
    if (sent === null && clock.now() >= until) return undefined;
    const { data } = await ask(inner, bare, 'GET', `${apiPath}/me`);
    if ((data as Json | undefined)?.account !== null) return undefined;
    if (sent === null) return inner(await altered(seen, { headers: { [header]: value } }));
    named.set(tokenOf(seen), { value: sent, until: clock.now() + rememberedMs });
    return undefined;
  })(honest, clock);
};

/** Shows no scopes to keys that a session made. */
const scopelessBySession = onSuccessWithKeys(
  ({ seen, own }) => seen.operation === me && own !== undefined && !isKey(own.maker),
  (json) => ({ ...json, data: { ...(json.data as Json), scopes: [] } }),
);

const platformWithout = (data: Json): Json => ({ ...data, platform: without(data.platform as Json, 'rate_limits') });

export default mutants({
  'account-me-rate-limits': {
    'account-me-tells-keys-no-rate-limits': onMe(byKey(me), platformWithout),
    'account-me-tells-sessions-no-rate-limits': onMe(bySession(me), platformWithout),
  },
  'account-me-scopes': {
    'account-me-leaves-out-billing-scope': onMe((seen) => seen.operation === me, withoutScope('billing:read')),
    'account-me-names-no-scopes-of-keys-of-sessions': scopelessBySession,
    'account-me-leaves-out-a-scope-of-sessions': onMe(bySession(me), withoutScope('account:read')),
  },
  'account-me-caller': {
    'account-me-speaks-of-the-first-user': profileOfFirstUser,
    'account-me-speaks-of-the-first-key': {
      collateral: { 'account-header-key-unmoved': 'a key that calls under a header is shown the first one, too' },
      wrap: profileOfFirstKey,
    },
  },
  'account-me-slug': {
    'account-me-tells-sessions-no-slug': onMe(bySession(me), (data) => {
      const { slug: _, ...account } = data.account as Json;
      return { ...without(data, 'accounts'), account };
    }),
    'account-me-writes-slugs-in-capitals': onMe(bySession(me), (data) => {
      const account = data.account as Json;
      return { ...without(data, 'accounts'), account: { ...account, slug: String(account.slug).toUpperCase() } };
    }),
  },
  'account-accounts-complete': {
    'account-accounts-lists-the-first-only': onSuccess(bySession(accounts), (json) => ({
      ...json,
      data: (json as List).data.slice(0, 1),
    })),
    'account-accounts-hides-older-accounts': hidingOlder,
  },
  'account-accounts-only-own': {
    'account-accounts-lists-a-foreign-account': {
      collateral: { 'account-accounts-complete': 'a key lists other accounts than its user' },
      wrap: listingForeign,
    },
  },
  'account-accounts-slugs': {
    'account-accounts-misspells-a-slug': misspelling('summit-east', 'summit_east'),
    'account-accounts-leaves-out-slugs-of-keyless-accounts': onSuccess(bySession(accounts), (json) => ({
      ...json,
      data: [...(json as List).data, { id: 4_711, name: 'Summit North Advisors', tier: 'standard' }],
    })),
  },
  'account-team-accounts-scope': {
    'account-team-accounts-ignores-scope': opening(teamAccounts),
    'account-team-accounts-hides-without-scope-as-not-found': onStatus(teamAccounts, 403, 404),
  },
  'account-team-accounts-undetermined': {
    'account-team-accounts-misses-an-account-as-not-found': onStatus(teamAccounts, 400, 404),
    'account-team-accounts-remembers-what-a-session-named': {
      collateral: {
        'envelope-valid-served': 'the request that it carries out within the minute is refused at other times',
        'pagination-limit-bounds': 'so is one with a limit at its bounds',
      },
      reference: { undecided: true },
      wrap: rememberingHeader,
    },
    'account-team-accounts-of-no-account-is-empty': {
      collateral: { 'envelope-timestamp-moves': 'its reads are answered with one stored reply' },
      wrap: emptyList,
    },
  },
});
