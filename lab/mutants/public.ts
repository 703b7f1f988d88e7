// Wrong ways to report whether the service is alive and whether a key is valid.
import { mutants, type Wrap } from './mutant.ts';
import {
  altered,
  always,
  instead,
  isObject,
  type Json,
  onStatus,
  onSuccess,
  refusal,
  rewritten,
  type Seen,
  unauthorized,
} from './wrappers/mutator.ts';
import { bodyOf, successes } from './wrappers/records.ts';
import { isKey, isSession, knowingKeys, tokenOf } from './wrappers/tokens.ts';

const health = 'GET /health';
const validate = 'POST /auth/validate-api-key';

const keyIn = (seen: Seen): string => String(bodyOf(seen).api_key ?? '');

/** How many characters of a key its record shows. */
const visible = 12;

/** Changes what is reported about live keys. */
const onLive = (change: (data: Json, seen: Seen) => Json): Wrap =>
  onSuccess(validate, (json, seen) => {
    const data = json.data as Json;
    return data.valid === true ? { ...json, data: change(data, seen) } : json;
  });

const onScopes = (change: (scopes: string[]) => unknown): Wrap =>
  onLive((data) => ({ ...data, scopes: change(data.scopes as string[]) }));

/** Changes what is reported about well-formed keys that were never issued; revoked keys do not count as such. */
const onNeverIssued = (answer: (json: Json, response: Response, seen: Seen) => Response): Wrap =>
  knowingKeys(async ({ seen, honest, keys }) => {
    if (seen.operation !== validate || !isKey(keyIn(seen)) || keys.has(keyIn(seen))) return undefined;
    const response = await honest(seen.request.clone());
    const json = (await response.clone().json()) as { data?: Json };
    return json.data?.valid === false ? answer(json, response, seen) : response;
  });

const rememberedMs = 30_000;

/** Remembers for a while which keys are invalid, by what a record would show of them. */
const rememberingInvalid: Wrap = (honest, clock) => {
  const until = new Map<string, number>();
  return onSuccess(validate, (json, seen) => {
    const start = keyIn(seen).slice(0, visible);
    if (clock.now() < (until.get(start) ?? 0)) return { ...json, data: { valid: false } };
    if ((json.data as Json).valid === false) until.set(start, clock.now() + rememberedMs);
    return json;
  })(honest, clock);
};

/** Takes what is alike to a key that was used before for that key. */
const takingAlike =
  (alike: (used: string, sent: string) => boolean): Wrap =>
  (honest, clock) => {
    const used = new Set<string>();
    return instead(always, async (seen, inner) => {
      if (seen.operation !== validate) {
        const response = await inner(seen.request.clone());
        if (response.status !== 401 && !isSession(seen)) used.add(tokenOf(seen));
        return response;
      }
      const known = [...used].find((token) => token !== '' && alike(token, keyIn(seen)));
      return known === undefined ? undefined : inner(await altered(seen, { body: { api_key: known } }));
    })(honest, clock);
  };

/** Takes what a record shows of a live key for the key, whether it was made in the run or before. */
const takingWhatIsShown: Wrap = (honest, clock) => {
  const used = new Set<string>();
  return knowingKeys(async ({ seen, honest: inner, keys }) => {
    if (seen.operation !== validate) {
      const response = await inner(seen.request.clone());
      if (response.status !== 401) used.add(tokenOf(seen));
      return response;
    }
    if (keyIn(seen).length !== visible) return undefined;
    const live = [...used, ...keys.keys()].filter((token) => keys.get(token)?.revokedAt === undefined);
    const shown = live.find((token) => isKey(token) && token.startsWith(keyIn(seen)));
    return shown === undefined ? undefined : inner(await altered(seen, { body: { api_key: shown } }));
  })(honest, clock);
};

/** A key that is no text is handed to the look-up as it is, which finds the first key of all. */
const takingForAnyKey =
  (isTaken: (key: unknown) => boolean): Wrap =>
  (honest, clock) => {
    const success = successes(clock);
    const found = { valid: true, user_id: 1, account_id: 1, scopes: ['account:read'], tier: 'pro' };
    return instead(validate, (seen) =>
      isObject(seen.body) && isTaken(seen.body.api_key) ? success(found) : undefined,
    )(honest, clock);
  };

/** Changes the status of replies about live keys only. */
const liveWithStatus = (status: number): Wrap =>
  instead(validate, async (seen, honest) => {
    const response = await honest(seen.request.clone());
    const json = (await response.clone().json()) as { data?: Json };
    return json.data?.valid === true ? rewritten(response, json, status) : response;
  });

const withoutToken = (seen: Seen): boolean => !seen.request.headers.has('authorization');

const everyStatus = { 'envelope-status-ok': 'it checks the status of every success' } as const;

/** Reports the same user for all keys of an account: the one of the key that was validated first. */
const firstUserOfAccount: Wrap = (honest, clock) => {
  const first = new Map<unknown, unknown>();
  return onLive((data) => {
    if (!first.has(data.account_id)) first.set(data.account_id, data.user_id);
    return { ...data, user_id: first.get(data.account_id) };
  })(honest, clock);
};

export default mutants({
  'public-health-open': {
    'public-health-needs-a-key': instead((seen) => seen.operation === health && withoutToken(seen), unauthorized),
    'public-health-answers-accepted': { collateral: everyStatus, wrap: onStatus(health, 200, 202) },
  },
  'public-validate-open': {
    'public-validate-needs-a-key': {
      collateral: { 'api-keys-revoked-validate': 'revoked keys are validated without a token, too' },
      wrap: instead((seen) => seen.operation === validate && withoutToken(seen), unauthorized),
    },
    'public-validate-answers-created': { collateral: everyStatus, wrap: liveWithStatus(201) },
  },
  'public-validate-valid': {
    'public-validate-takes-live-keys-for-invalid': onLive(() => ({ valid: false })),
    'public-validate-remembers-invalid-keys-by-their-beginning': rememberingInvalid,
    'public-validate-tells-valid-as-text': onLive((data) => ({ ...data, valid: 'true' })),
  },
  'public-validate-facts': {
    'public-validate-leaves-out-tier': onLive(({ tier: _, ...data }) => data),
    'public-validate-tells-scopes-as-one-text': onScopes((scopes) => scopes.join(' ')),
    'public-validate-tells-no-user': onLive((data) => ({ ...data, user_id: null })),
  },
  'public-validate-identity': {
    'public-validate-tells-one-account-for-two': onLive((data) => ({
      ...data,
      account_id: data.account_id === 2 ? 1 : data.account_id,
    })),
    'public-validate-tells-one-user-for-all-of-an-account': firstUserOfAccount,
  },
  'public-validate-scopes-granted': {
    'public-validate-withholds-a-scope': onScopes((scopes) => scopes.filter((scope) => scope !== 'account:read')),
  },
  'public-validate-scopes-lacking': {
    'public-validate-promises-scopes': onScopes((scopes) => [...new Set([...scopes, 'billing:read'])]),
  },
  'public-validate-invalid': {
    'public-validate-compares-beginnings-only': takingAlike((used, sent) => used.slice(0, 40) === sent.slice(0, 40)),
    'public-validate-takes-what-lists-show-for-a-key': takingWhatIsShown,
    'public-validate-takes-a-key-cut-at-its-end': takingAlike((used, sent) => used.slice(0, -1) === sent),
    'public-validate-takes-operators-for-a-key': takingForAnyKey(
      (key) => isObject(key) && Object.keys(key).some((name) => name.startsWith('$')),
    ),
    'public-validate-takes-what-is-no-text-for-a-key': takingForAnyKey(
      (key) => typeof key !== 'string' && key !== undefined && !isObject(key),
    ),
    'public-validate-takes-an-absent-key-for-any': takingForAnyKey((key) => key === undefined),
    'public-validate-does-not-find-invalid-keys': onNeverIssued(() => refusal(404, 'NOT_FOUND', 'No such key')),
    'public-validate-refuses-invalid-keys': {
      collateral: { 'public-validate-open': 'it refuses the validation itself with 401' },
      wrap: onNeverIssued(unauthorized),
    },
  },
  'public-validate-invalid-bare': {
    'public-validate-tells-scopes-of-invalid-keys': onNeverIssued((json, response) =>
      rewritten(response, { ...json, data: { valid: false, scopes: [] } }),
    ),
    'public-validate-tells-the-account-of-similar-keys': onNeverIssued((json, response) =>
      rewritten(response, { ...json, data: { valid: false, account_id: 1 } }),
    ),
  },
});
