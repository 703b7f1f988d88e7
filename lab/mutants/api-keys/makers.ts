// Wrong ways to revoke, count and validate keys, by who made them and who asks.

import { apiPath } from '../../../lib/catalogue/operations.ts';
import { mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { instead, lastSegment, rewritten } from '../wrappers/mutator.ts';
import { createKey as create, keys as list, deleteKey as remove } from '../wrappers/operations.ts';
import { ask, bodyOf, noting } from '../wrappers/records.ts';
import {
  type IssuedKey,
  isKey,
  isSession,
  knowingKeys,
  opening,
  type Scene,
  speakingFor,
  tokenOf,
} from '../wrappers/tokens.ts';

const validate = 'POST /auth/validate-api-key';

const isDead = (key: IssuedKey | undefined): key is IssuedKey => key?.revokedAt !== undefined;

/** Keys that certain callers have revoked go on, with the rights of their makers. */
const goingOn = (spared: (scene: Scene, key: IssuedKey) => boolean): Wrap => {
  return (honest, clock) => {
    const kept = new Set<number>();
    return knowingKeys(async (scene) => {
      const { seen, honest: inner, keys, own } = scene;
      if (isDead(own) && kept.has(own.id)) return inner(await speakingFor(seen, own.maker));
      const key = [...keys.values()].find(({ id }) => id === Number(lastSegment(seen)));
      if (seen.operation === remove && key && spared(scene, key)) kept.add(key.id);
      return undefined;
    })(honest, clock);
  };
};

/** The next key that a maker makes brings the revoked ones of that maker back, for reads. */
const backWithTheNext: Wrap = (honest, clock) => {
  const back = new Set<number>();
  return knowingKeys(async ({ seen, honest: inner, keys, own }) => {
    if (seen.operation === create) {
      const response = await inner(seen.request.clone());
      const dead = [...keys.values()].filter((key) => isDead(key) && key.maker === tokenOf(seen));
      if (response.ok) for (const { id } of dead) back.add(id);
      return response;
    }
    if (!isDead(own) || !back.has(own.id) || seen.request.method !== 'GET') return undefined;
    return inner(await speakingFor(seen, own.maker));
  })(honest, clock);
};

const rememberedMs = 20_000;

/** A validation is answered for twenty seconds as it was when the key was valid. */
const rememberingValid: Wrap = (honest, clock) => {
  const valid = new Map<string, { readonly until: number; readonly data: unknown }>();
  return instead(validate, async (seen, inner) => {
    const response = await inner(seen.request.clone());
    if (!response.ok) return response;
    const json = (await response.clone().json()) as { data: Json };
    const name = String(bodyOf(seen).api_key);
    const known = valid.get(name);
    if (known !== undefined && clock.now() < known.until) return rewritten(response, { ...json, data: known.data });
    if (json.data.valid === true) valid.set(name, { until: clock.now() + rememberedMs, data: json.data });
    return response;
  })(honest, clock);
};

/** The total counts the keys that others of the account have made, too. */
const countingColleagues: Wrap = (honest, clock) => {
  const accounts = new Map<string, unknown>();
  const made = new Map<unknown, Set<string>>();
  return instead([create, list, remove], async (seen, inner) => {
    const token = tokenOf(seen);
    const response = await inner(seen.request.clone());
    if (!response.ok) return response;
    if (!accounts.has(token)) {
      const { data } = (await ask(inner, seen, 'GET', `${apiPath}/me`)) as { data: { account?: Json } };
      accounts.set(token, data.account?.id);
    }
    const here = made.get(accounts.get(token)) ?? new Set<string>();
    made.set(accounts.get(token), here);
    const json = (await response.clone().json()) as { data: Json; pagination: { total: number } };
    if (seen.operation === create) here.add(`${token} ${json.data.id}`);
    if (seen.operation === remove) for (const one of here) if (one.endsWith(` ${lastSegment(seen)}`)) here.delete(one);
    if (seen.operation !== list) return response;
    const others = [...here].filter((one) => !one.startsWith(`${token} `)).length;
    return rewritten(response, { ...json, pagination: { ...json.pagination, total: json.pagination.total + others } });
  })(honest, clock);
};

/** Keys that a session has made under X-Active-Account show the billing of the account that it has stored. */
const billedToTheStoredAccount: Wrap = (honest, clock) => {
  const named = new Set<string>();
  const noted = noting(create, (record, { request }) => {
    if (request.headers.has('x-active-account')) named.add(String(record.api_key));
  })(honest, clock);
  return knowingKeys(async ({ seen, honest: inner, own }) =>
    own && own.revokedAt === undefined && named.has(tokenOf(seen)) && seen.operation.startsWith('GET /billing/')
      ? inner(await speakingFor(seen, own.maker, { 'x-active-account': null }))
      : undefined,
  )(noted, clock);
};

const madeByMadeKey = ({ own, keys }: Scene): boolean => keys.get(own?.maker ?? '') !== undefined;

export default mutants({
  'api-keys-revoked-at-once': {
    // States, row API key active: "takes effect immediately; any later request with that key gets 401".
    'api-keys-does-not-hear-revocations-by-sessions': goingOn(({ seen }) => isSession(seen)),
    'api-keys-lets-a-key-go-on-that-revokes-itself': goingOn(({ own }, key) => own === key),
    'api-keys-does-not-hear-revocations-by-other-keys': goingOn(
      ({ seen }, key) => isKey(tokenOf(seen)) && tokenOf(seen) !== key.maker,
    ),
  },
  'api-keys-revoked-for-good': {
    // The same row: "revoked (permanently gone)".
    'api-keys-brings-revoked-keys-back-with-the-next': {
      collateral: {
        'api-keys-revoked-at-once': 'another key may be made before a revoked one is tried',
        'authentication-revoked': 'another key may be made before a revoked one is tried',
      },
      wrap: backWithTheNext,
    },
  },
  'api-keys-revoked-validate': {
    // The same row, and Public operations: "when invalid only valid is false".
    'public-validate-remembers-valid-keys-for-twenty-seconds': rememberingValid,
  },
  'api-keys-list-total': {
    // Pagination, rule 4: "returns total, limit, offset, has_more"; the list shows fewer.
    'api-keys-counts-keys-of-colleagues': countingColleagues,
  },
  'billing-summary-scope': {
    // API key: "inherits that user's permissions; it cannot reach anything the user cannot reach".
    'api-keys-opens-billing-to-keys-of-made-keys': {
      collateral: { 'api-keys-made-rights': 'where the maker of such a key is refused as well' },
      wrap: opening('GET /billing/summary', madeByMadeKey),
    },
  },
  'account-header-selects': {
    // Authentication, rule 9: "For API keys the active account is the key's account".
    'account-header-names-an-account-and-keys-are-billed-to-another': billedToTheStoredAccount,
  },
});
