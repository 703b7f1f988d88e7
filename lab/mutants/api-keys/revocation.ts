// Wrong ways to revoke keys, and to keep to whose they are.
import { type Mutant, mutant, type Wrap } from '../mutant.ts';
import { onSuccess, refusal, rewritten } from '../wrappers/mutator.ts';
import { ask, bodyOf, type Json } from '../wrappers/records.ts';
import { type IssuedKey, knowingKeys, opening, type Scene, speakingFor, tokenOf } from '../wrappers/tokens.ts';

const apiPath = '/api/external/v2';
const create = 'POST /api-keys';
const list = 'GET /api-keys';
const remove = 'DELETE /api-keys/{key_id}';
const validate = 'POST /auth/validate-api-key';

type Dead = IssuedKey & { readonly revokedAt: number };
const isDead = (key: IssuedKey | undefined): key is Dead => key?.revokedAt !== undefined;

/** Some requests with a revoked key are carried out in the name of its maker. */
const reviving = (when: (scene: Scene, key: Dead) => boolean): Wrap =>
  knowingKeys(async (scene) => {
    const { seen, honest, own } = scene;
    return isDead(own) && when(scene, own) ? honest(await speakingFor(seen, own.maker)) : undefined;
  });

const reading = ({ seen }: Scene): boolean => seen.request.method === 'GET';
const on =
  (operation: string) =>
  ({ seen }: Scene): boolean =>
    seen.operation === operation;

/** The first request after the revocation comes through. */
const oncemore: Wrap = (honest, clock) => {
  const used = new Set<number>();
  return reviving((scene, key) => {
    const first = !used.has(key.id);
    used.add(key.id);
    return first && reading(scene);
  })(honest, clock);
};

/** Changes what is told of revoked keys. */
const onRevoked = (tell: (data: Json) => Json): Wrap =>
  knowingKeys(async ({ seen, honest, keys }) => {
    if (seen.operation !== validate || !isDead(keys.get(String(bodyOf(seen).api_key)))) return undefined;
    const response = await honest(seen.request.clone());
    const json = (await response.json()) as { data: Json };
    return rewritten(response, { ...json, data: tell(json.data) });
  });

/** Changes what is told of live keys that were made in this run. */
const onMade = (tell: (data: Json) => Json): Wrap =>
  knowingKeys(async ({ seen, honest, keys }) => {
    const key = seen.operation === validate ? keys.get(String(bodyOf(seen).api_key)) : undefined;
    if (key === undefined || isDead(key)) return undefined;
    const response = await honest(seen.request.clone());
    const json = (await response.json()) as { data: Json };
    return rewritten(response, { ...json, data: tell(json.data) });
  });

/** Keeps listing the keys that a maker revoked, behind the others. */
const stillListing: Wrap = knowingKeys(async ({ seen, honest, keys }) => {
  if (seen.operation !== list) return undefined;
  const response = await honest(seen.request.clone());
  if (!response.ok) return response;
  const json = (await response.json()) as { pagination: { limit: number; offset: number } };
  const { data } = (await ask(honest, seen, 'GET', `${apiPath}/api-keys?limit=200`)) as { data: Json[] };
  const revoked = [...keys.values()].filter((key) => isDead(key) && key.maker === tokenOf(seen));
  const shown = revoked.map(({ id, label }) => ({ ...data[0], id, label, status: 'revoked' }));
  const all = [...data, ...shown];
  const { limit, offset } = json.pagination;
  const pagination = { ...json.pagination, total: all.length, has_more: offset + limit < all.length };
  return rewritten(response, { ...json, data: all.slice(offset, offset + limit), pagination });
});

/** Goes on counting the keys that a maker revoked. */
const stillCounting: Wrap = knowingKeys(async ({ seen, honest, keys }) => {
  if (seen.operation !== list) return undefined;
  const response = await honest(seen.request.clone());
  if (!response.ok) return response;
  const json = (await response.json()) as { pagination: { total: number } };
  const revoked = [...keys.values()].filter((key) => isDead(key) && key.maker === tokenOf(seen)).length;
  return rewritten(response, { ...json, pagination: { ...json.pagination, total: json.pagination.total + revoked } });
});

/** Revokes every key of the same label along with the one meant. */
const revokingNamesakes: Wrap = knowingKeys(async ({ seen, honest, keys }) => {
  if (seen.operation !== remove) return undefined;
  const response = await honest(seen.request.clone());
  const id = Number(seen.url.pathname.split('/').at(-1));
  const key = [...keys.values()].find((one) => one.id === id);
  if (!response.ok || !key) return response;
  const namesakes = [...keys.values()].filter(
    (one) => one !== key && one.label === key.label && one.maker === key.maker,
  );
  for (const other of namesakes) await ask(honest, seen, 'DELETE', `${apiPath}/api-keys/${other.id}`);
  return response;
});

/** Lets others revoke a key; `tell` says what they are answered. */
const revokingForOthers = (
  when: (owner: Json, other: Json) => boolean,
  tell: (refused: Response, done: Response) => Response,
): Wrap =>
  knowingKeys(async ({ seen, honest, keys }) => {
    if (seen.operation !== remove) return undefined;
    const refused = await honest(seen.request.clone());
    const key = [...keys.values()].find((one) => one.id === Number(seen.url.pathname.split('/').at(-1)));
    if (refused.ok || !key || isDead(key) || key.maker === tokenOf(seen) || refused.status === 401) return refused;
    const owner = { seen: { ...seen, request: await speakingFor(seen, key.maker) } };
    const [his, mine] = [
      await ask(honest, owner.seen, 'GET', `${apiPath}/me`),
      await ask(honest, seen, 'GET', `${apiPath}/me`),
    ];
    if (!when(his.data as Json, mine.data as Json)) return refused;
    return tell(refused, await honest(owner.seen.request.clone()));
  });

const accountOf = (me: Json): unknown => (me.account as Json).id;
const otherAccount = (owner: Json, other: Json): boolean => accountOf(owner) !== accountOf(other);
const sameAccount = (owner: Json, other: Json): boolean => accountOf(owner) === accountOf(other);

const madeByKey = ({ own }: Scene): boolean => own?.maker.startsWith('svc_sk_') === true;

/** Made keys are refused what their makers may do. */
const refusingMade = (when: (scene: Scene) => boolean): Wrap =>
  knowingKeys((scene) =>
    madeByKey(scene) && !isDead(scene.own) && when(scene) ? refusal(403, 'FORBIDDEN', 'Not with this key') : undefined,
  );

const graceMs = 3000;
const returnsMs = 5000;
const stillRevoked = { 'authentication-revoked': 'the same duty, in the section on authentication' } as const;
const atOnce = 'api-keys-revoked-at-once';
const forGood = 'api-keys-revoked-for-good';

export default [
  mutant(
    'api-keys-tells-deleted-as-text',
    { breaks: ['api-keys-delete-result'] },
    onSuccess(remove, (json) => ({ ...json, data: { deleted: 'true' } })),
  ),
  mutant(
    'api-keys-tells-deleted-false',
    { breaks: ['api-keys-delete-result'] },
    onSuccess(remove, (json) => ({ ...json, data: { deleted: false } })),
  ),
  mutant(
    'api-keys-lets-revoked-keys-read-for-seconds',
    { breaks: [atOnce], collateral: stillRevoked },
    reviving((scene, key) => reading(scene) && scene.clock.now() < key.revokedAt + graceMs),
  ),
  mutant('api-keys-lets-revoked-keys-in-once-more', { breaks: [atOnce], collateral: stillRevoked }, oncemore),
  mutant(
    'api-keys-lets-revoked-keys-read-contacts',
    { breaks: [atOnce], collateral: stillRevoked },
    reviving(on('GET /contacts')),
  ),
  mutant('api-keys-lets-revoked-keys-list-keys', { breaks: [atOnce], collateral: stillRevoked }, reviving(on(list))),
  mutant(
    'api-keys-lets-revoked-keys-create-contacts',
    { breaks: [atOnce], collateral: stillRevoked },
    reviving(on('POST /contacts')),
  ),
  mutant(
    'api-keys-forbids-revoked-keys',
    { breaks: [atOnce, forGood], collateral: stillRevoked },
    knowingKeys(({ own }) => (isDead(own) ? refusal(403, 'FORBIDDEN', 'This key was revoked') : undefined)),
  ),
  mutant(
    'api-keys-revives-keys-after-seconds',
    { breaks: [forGood] },
    reviving((scene, key) => reading(scene) && scene.clock.now() >= key.revokedAt + returnsMs),
  ),
  mutant(
    'api-keys-lets-revoked-keys-write-notes-later',
    { breaks: [forGood] },
    reviving(
      (scene, key) => on('POST /companies/{company_id}/notes')(scene) && scene.clock.now() >= key.revokedAt + returnsMs,
    ),
  ),
  mutant(
    'api-keys-tells-revoked-keys-valid',
    { breaks: ['api-keys-revoked-validate'] },
    onRevoked(() => ({ valid: true, user_id: 1, account_id: 1, scopes: [], tier: 'business' })),
  ),
  mutant(
    'api-keys-tells-whose-a-revoked-key-was',
    { breaks: ['api-keys-revoked-validate'] },
    onRevoked((data) => ({ ...data, user_id: 1 })),
  ),
  mutant('api-keys-lists-revoked-keys', { breaks: ['api-keys-revoked-unlisted'] }, stillListing),
  mutant(
    'api-keys-counts-revoked-keys',
    {
      breaks: ['api-keys-revoked-unlisted'],
      collateral: { 'api-keys-list-total': 'the same total, compared with the whole list' },
    },
    stillCounting,
  ),
  mutant('api-keys-revokes-namesakes', { breaks: ['api-keys-revoked-siblings'] }, revokingNamesakes),
  mutant(
    'api-keys-revokes-foreign-keys-it-does-not-find',
    { breaks: ['api-keys-revoke-foreign-account'] },
    revokingForOthers(otherAccount, (refused) => refused),
  ),
  mutant(
    'api-keys-revokes-foreign-keys',
    { breaks: ['api-keys-revoke-foreign-account'] },
    revokingForOthers(otherAccount, (_, done) => done),
  ),
  mutant(
    'api-keys-revokes-keys-of-colleagues',
    { breaks: ['api-keys-revoke-foreign-user'] },
    revokingForOthers(sameAccount, (_, done) => done),
  ),
  mutant(
    'api-keys-gives-made-keys-another-user',
    { breaks: ['api-keys-made-identity'] },
    onMade((data) => ({ ...data, user_id: Number(data.user_id) + 1000 })),
  ),
  mutant(
    'api-keys-promises-made-keys-more-scopes',
    { breaks: ['api-keys-made-scopes'] },
    onMade((data) => ({ ...data, scopes: [...(data.scopes as string[]), 'account:write'] })),
  ),
  mutant(
    'api-keys-withholds-scopes-from-made-keys',
    { breaks: ['api-keys-made-scopes'] },
    onMade((data) => ({ ...data, scopes: (data.scopes as string[]).slice(0, 2) })),
  ),
  mutant(
    'api-keys-opens-billing-to-keys-of-restricted-users',
    { breaks: ['api-keys-made-rights'] },
    opening('GET /billing/summary', madeByKey),
  ),
  mutant(
    'api-keys-lets-keys-of-restricted-users-create-companies',
    { breaks: ['api-keys-made-rights'] },
    opening('POST /companies', madeByKey),
  ),
  mutant(
    'api-keys-closes-billing-to-made-keys',
    { breaks: ['api-keys-made-rights'] },
    refusingMade(on('GET /billing/summary')),
  ),
  mutant('api-keys-lets-made-keys-make-no-keys', { breaks: ['api-keys-made-rights'] }, refusingMade(on(create))),
] satisfies readonly Mutant[];
