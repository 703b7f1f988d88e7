// Wrong ways to revoke keys, and to keep them to their owners.

import { apiPath } from '../../../lib/catalogue/operations.ts';
import { mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { lastSegment, onSuccess, refusal, repetitionOf, rewritten, see } from '../wrappers/mutator.ts';
import { createKey as create, keys as list, deleteKey as remove } from '../wrappers/operations.ts';
import { ask, bodyOf } from '../wrappers/records.ts';
import {
  asks,
  type IssuedKey,
  isKey,
  knowingKeys,
  onSuccessWithKeys,
  opening,
  type Scene,
  speakingFor,
  tokenOf,
} from '../wrappers/tokens.ts';

const validate = 'POST /auth/validate-api-key';

type Listed = Json & {
  readonly pagination: { readonly total: number; readonly limit: number; readonly offset: number };
};
type RevokedKey = IssuedKey & { readonly revokedAt: number };
const isRevoked = (key: IssuedKey | undefined): key is RevokedKey => key?.revokedAt !== undefined;

/** Carries out some requests with a revoked key, with the token that created it. */
const acceptingRevoked = (when: (scene: Scene, key: RevokedKey) => boolean): Wrap =>
  knowingKeys(async (scene) => {
    const { seen, honest, own } = scene;
    return isRevoked(own) && when(scene, own) ? honest(await speakingFor(seen, own.maker)) : undefined;
  });

const reading = ({ seen }: Scene): boolean => seen.request.method === 'GET';

/** Accepts the first read after the revocation. */
const acceptingOnceMore: Wrap = (honest, clock) => {
  const used = new Set<number>();
  return acceptingRevoked((scene, key) => {
    const first = !used.has(key.id);
    used.add(key.id);
    return first && reading(scene);
  })(honest, clock);
};

/** Looks for the reply to a repetition before it looks at the key. */
const answeringFromTheStore: Wrap = (honest) => {
  const store = new Map<string, Response>();
  return async (request) => {
    const seen = await see(request);
    const name = repetitionOf(seen);
    const response = await honest(request);
    if (name === undefined || !isKey(tokenOf(seen))) return response;
    if (response.ok) store.set(name, response.clone());
    return response.status === 401 ? (store.get(name)?.clone() ?? response) : response;
  };
};

/** The session at the beginning of the keys that made a key; undefined where it is not known. */
function sessionBehind(keys: ReadonlyMap<string, IssuedKey>, key: IssuedKey | undefined): string | undefined {
  if (key === undefined) return undefined;
  return isKey(key.maker) ? sessionBehind(keys, keys.get(key.maker)) : key.maker;
}

/** Makes keys that a key asks for as the session of its user would, on the account that is stored for the user. */
const madeOnStoredAccount: Wrap = knowingKeys(async ({ seen, honest, keys, own }) => {
  const session = seen.operation === create && !isRevoked(own) ? sessionBehind(keys, own) : undefined;
  return session === undefined ? undefined : honest(await speakingFor(seen, session, { 'x-active-account': null }));
});

/** Changes what is reported about some of the keys that were created in this run. */
const onValidated = (when: (key: IssuedKey) => boolean, change: (data: Json) => Json): Wrap =>
  knowingKeys(async ({ seen, honest, keys }) => {
    const key = seen.operation === validate ? keys.get(String(bodyOf(seen).api_key)) : undefined;
    if (key === undefined || !when(key)) return undefined;
    const response = await honest(seen.request.clone());
    const json = (await response.json()) as { data: Json };
    return rewritten(response, { ...json, data: change(json.data) });
  });

const onRevoked = (change: (data: Json) => Json): Wrap => onValidated(isRevoked, change);
const onLive = (change: (data: Json) => Json): Wrap => onValidated((key) => !isRevoked(key), change);

const onScopes = (change: (scopes: string[]) => string[]): Wrap =>
  onLive((data) => ({ ...data, scopes: change(data.scopes as string[]) }));

const revokedOf = ({ keys, seen }: Scene): IssuedKey[] =>
  [...keys.values()].filter((key) => isRevoked(key) && key.maker === tokenOf(seen));

/** Keeps listing revoked keys, after the others. */
const stillListing = onSuccessWithKeys<Listed>(asks(list), async (json, scene) => {
  const { data } = (await ask(scene.honest, scene.seen, 'GET', `${apiPath}/api-keys?limit=200`)) as { data: Json[] };
  const shown = revokedOf(scene).map(({ id, label }) => ({ ...data[0], id, label, status: 'revoked' }));
  const all = [...data, ...shown];
  const { limit, offset } = json.pagination;
  const pagination = { ...json.pagination, total: all.length, has_more: offset + limit < all.length };
  return { ...json, data: all.slice(offset, offset + limit), pagination };
});

/** Keeps counting revoked keys. */
const stillCounting = onSuccessWithKeys<Listed>(asks(list), (json, scene) => ({
  ...json,
  pagination: { ...json.pagination, total: json.pagination.total + revokedOf(scene).length },
}));

/** Revokes every key with the same label. */
const revokingNamesakes: Wrap = knowingKeys(async ({ seen, honest, keys }) => {
  if (seen.operation !== remove) return undefined;
  const response = await honest(seen.request.clone());
  const id = Number(lastSegment(seen));
  const key = [...keys.values()].find((one) => one.id === id);
  if (!response.ok || !key) return response;
  const namesakes = [...keys.values()].filter(
    (one) => one !== key && one.label === key.label && one.maker === key.maker,
  );
  for (const other of namesakes) await ask(honest, seen, 'DELETE', `${apiPath}/api-keys/${other.id}`);
  return response;
});

/** Lets others revoke a key; `answer` makes the reply to them. */
const revokingForOthers = (
  when: (owner: Json, other: Json) => boolean,
  answer: (refused: Response, done: Response) => Response,
): Wrap =>
  knowingKeys(async ({ seen, honest, keys }) => {
    if (seen.operation !== remove) return undefined;
    const refused = await honest(seen.request.clone());
    const key = [...keys.values()].find((one) => one.id === Number(lastSegment(seen)));
    if (refused.ok || !key || isRevoked(key) || key.maker === tokenOf(seen) || refused.status === 401) return refused;
    const owner = { seen: { ...seen, request: await speakingFor(seen, key.maker) } };
    const [his, mine] = [
      await ask(honest, owner.seen, 'GET', `${apiPath}/me`),
      await ask(honest, seen, 'GET', `${apiPath}/me`),
    ];
    if (!when(his.data as Json, mine.data as Json)) return refused;
    return answer(refused, await honest(owner.seen.request.clone()));
  });

const accountOf = (me: Json): unknown => (me.account as Json).id;
const otherAccount = (owner: Json, other: Json): boolean => accountOf(owner) !== accountOf(other);
const sameAccount = (owner: Json, other: Json): boolean => accountOf(owner) === accountOf(other);

const madeByKey = ({ own }: Scene): boolean => own !== undefined && isKey(own.maker);

/** Refuses created keys what their creators may do. */
const refusingMade = (when: (scene: Scene) => boolean): Wrap =>
  knowingKeys((scene) =>
    madeByKey(scene) && !isRevoked(scene.own) && when(scene)
      ? refusal(403, 'FORBIDDEN', 'Not with this key')
      : undefined,
  );

const inLastAccount = 'the company is made in the account of whoever made one last';
const graceMs = 3000;
const returnsMs = 5000;
const stillRevoked = { 'authentication-revoked': 'it is the same duty, in the section on authentication' } as const;

export default mutants({
  'api-keys-delete-result': {
    'api-keys-tells-deleted-as-text': onSuccess(remove, (json) => ({ ...json, data: { deleted: 'true' } })),
    'api-keys-tells-deleted-false': onSuccess(remove, (json) => ({ ...json, data: { deleted: false } })),
  },
  'api-keys-revoked-at-once': {
    'api-keys-lets-revoked-keys-read-for-seconds': {
      collateral: stillRevoked,
      wrap: acceptingRevoked((scene, key) => reading(scene) && scene.clock.now() < key.revokedAt + graceMs),
    },
    'api-keys-lets-revoked-keys-in-once-more': { collateral: stillRevoked, wrap: acceptingOnceMore },
    'api-keys-lets-revoked-keys-read-contacts': {
      collateral: stillRevoked,
      wrap: acceptingRevoked(asks('GET /contacts')),
    },
    'api-keys-lets-revoked-keys-list-keys': { collateral: stillRevoked, wrap: acceptingRevoked(asks(list)) },
    'api-keys-lets-revoked-keys-create-contacts': {
      collateral: stillRevoked,
      wrap: acceptingRevoked(asks('POST /contacts')),
    },
    'api-keys-answers-repeats-of-revoked-keys': answeringFromTheStore,
    'api-keys-forbids-revoked-keys': {
      also: ['api-keys-revoked-for-good'],
      collateral: stillRevoked,
      wrap: knowingKeys(({ own }) => (isRevoked(own) ? refusal(403, 'FORBIDDEN', 'This key was revoked') : undefined)),
    },
  },
  'api-keys-revoked-for-good': {
    'api-keys-revives-keys-after-seconds': acceptingRevoked(
      (scene, key) => reading(scene) && scene.clock.now() >= key.revokedAt + returnsMs,
    ),
    'api-keys-lets-revoked-keys-write-notes-later': acceptingRevoked(
      (scene, key) =>
        asks('POST /companies/{company_id}/notes')(scene) && scene.clock.now() >= key.revokedAt + returnsMs,
    ),
  },
  'api-keys-revoked-validate': {
    'api-keys-tells-revoked-keys-valid': onRevoked(() => ({
      valid: true,
      user_id: 1,
      account_id: 1,
      scopes: [],
      tier: 'business',
    })),
    'api-keys-tells-whose-a-revoked-key-was': {
      collateral: { 'public-validate-invalid-bare': 'a revoked key is an invalid one' },
      wrap: onRevoked((data) => ({ ...data, user_id: 1 })),
    },
  },
  'api-keys-revoked-unlisted': {
    'api-keys-lists-revoked-keys': {
      collateral: { 'api-keys-list-record': 'what it lists has the key_prefix of another key' },
      wrap: stillListing,
    },
    'api-keys-counts-revoked-keys': {
      collateral: {
        'api-keys-list-total': 'it compares the same total with the whole list',
        'api-keys-list-has-more': 'what remains behind a page follows from the same total',
      },
      wrap: stillCounting,
    },
  },
  'api-keys-revoked-siblings': {
    'api-keys-revokes-namesakes': {
      collateral: {
        'api-keys-list-contains': 'the namesake is gone from the list',
        'public-validate-valid': 'the namesake is live until somebody asks for its revocation',
        'authentication-key-accepted': 'a key that the run made is live until it is revoked',
      },
      wrap: revokingNamesakes,
    },
  },
  'api-keys-revoke-foreign-account': {
    'api-keys-revokes-foreign-keys-it-does-not-find': revokingForOthers(otherAccount, (refused) => refused),
    'api-keys-revokes-foreign-keys': revokingForOthers(otherAccount, (_, done) => done),
  },
  'api-keys-revoke-foreign-user': {
    'api-keys-revokes-keys-of-colleagues': revokingForOthers(sameAccount, (_, done) => done),
  },
  'api-keys-made-identity': {
    'api-keys-gives-made-keys-the-stored-account': madeOnStoredAccount,
    'api-keys-gives-made-keys-another-user': onLive((data) => ({ ...data, user_id: Number(data.user_id) + 1000 })),
  },
  'api-keys-made-scopes': {
    'api-keys-promises-made-keys-more-scopes': onScopes((scopes) => [...scopes, 'account:write']),
    'api-keys-withholds-scopes-from-made-keys': onScopes((scopes) => scopes.slice(0, 2)),
  },
  'api-keys-made-rights': {
    'api-keys-opens-billing-to-keys-of-restricted-users': {
      collateral: {
        'billing-summary-scope': 'it is asked for with a key of that user, too',
        'account-active-key-unmoved':
          'what a key opens is read before and after a switch, and made keys ask in its place',
      },
      wrap: opening('GET /billing/summary', madeByKey),
    },
    'api-keys-lets-keys-of-restricted-users-create-companies': {
      collateral: {
        'companies-create-forbidden': 'a key of the restricted user creates what that user may not',
        'authentication-foreign-read': inLastAccount,
        'authentication-foreign-list': inLastAccount,
      },
      wrap: opening('POST /companies', madeByKey),
    },
    'api-keys-closes-billing-to-made-keys': refusingMade(asks('GET /billing/summary')),
    'api-keys-lets-made-keys-make-no-keys': refusingMade(asks(create)),
  },
});
