// Cases over keys made by keys, of a user with all rights and of a restricted one; and over revocation by others.
import {
  type Api,
  type Context,
  type Credential,
  conforms,
  dataOf,
  expectSuccess,
  identifierOf,
  ifPossible,
  isObject,
  type JsonObject,
  type MadeKey,
  type Random,
  type Reply,
  wasAccepted,
} from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import {
  isRevoked,
  keyBy,
  labelMax,
  padded,
  revocationAnswer,
  revokeByItself,
  revokeKey,
  tryRevoked,
} from '../shared/keys.ts';
import { probeScopes } from '../shared/scopes.ts';
import { viewOf } from '../shared/switch.ts';
import { validate, validateAs } from '../shared/validate.ts';
import { readSample } from '../walk/reads.ts';
import { hasOwnKeyOfId, idOf, readKeys, tryLabel } from './listing.ts';

const inheritance = conforms(
  ['api-keys-made-identity', 'api-keys-made-scopes'],
  { needs: ['key', 'primaryValidation'], writes: 0, validates: 1 },
  async ({ api, key }) => void (await validate(api, key.credential.token)),
);

const ids = [
  'api-keys-made-rights',
  'api-keys-revoke-foreign-user',
  'api-keys-revoke-foreign-answer',
  'api-keys-create-restricted',
  'api-keys-list-owners',
] as const;
type RightsContext = Context<(typeof ids)[number], 'restricted' | 'key'>;

const rights = conforms(
  ids,
  { needs: ['restricted', 'key'], writes: [5, 12, 12], reads: [36, 126, 126], validates: [0, 1, 2] },
  async (tools) => {
    const { api, restricted, key, make, effort, observe, atEnd } = tools;
    // An unused key must be protected from other users too.
    const unused = await make.key(api, make.wholeText(6));
    const own = (await revokeAsOtherUser(unused, tools)) ? unused : await make.key(api, make.wholeText(6));
    await useFull(own, tools);
    // Again, now that the key was used.
    if (effort !== 'quick') await revokeAsOtherUser(own, tools);
    await useRestricted(tools);
    // An account has a maximum number of keys.
    await revokeByItself(api, own.credential, own.id, tools);
    // At the end of the run lists no longer lag.
    atEnd(async () => {
      const first = await api.as(restricted).send('GET /api-keys', { query: { limit: 1 } });
      if (first.status === 403) return observe('api-keys-list-owners', 'who may not list keys is shown none', first);
      const isOfAccount = (await readKeys(api.as(restricted))).some((item) => idOf(item) === key.id);
      observe('api-keys-list-owners', isOfAccount ? 'those of the account' : 'those of the user', first);
    });
  },
);

/** Operations that need a scope, by the maker and by keys it made, without and with an Idempotency-Key. */
async function useScopes(maker: Api, made: readonly Api[], { api, random }: RightsContext): Promise<void> {
  for (const call of [{}, { key: random.uuid() }]) {
    await probeScopes(maker, call);
    // A read with the primary key in between must not open the operation to restricted keys.
    if (maker.credential !== api.credential) await probeScopes(api);
    for (const one of made) await probeScopes(one, call);
  }
}

const use = (api: Api, key: Credential): Promise<Reply> => api.as(key).send('GET /companies', { query: { limit: 1 } });

/** A key made by the primary key has its rights; it also makes keys. */
async function useFull(own: MadeKey, tools: RightsContext): Promise<void> {
  const { api, make, random, effort } = tools;
  const made = api.as(own.credential);
  if (effort === 'quick') return useScopes(api, [made], tools);
  const label = random.pick([make.wholeText(4), make.wholeText(5), padded(make.name('key'), 'k', labelMax)]);
  const child = await ifPossible(tryLabel(made, label, tools));
  const credential = child && wasAccepted(child) ? make.credential(own.credential, child) : undefined;
  const users = [made, ...(credential ? [made.as(credential)] : [])];
  if (credential) await validate(api, credential.token);
  await useScopes(api, users, tools);
  for (const user of users) await readSample(user, random);
  if (credential && isRevoked(await revokeByItself(made, credential, idOf(dataOf(child as Reply)), tools)))
    await tryRevoked(api, credential, tools);
}

/** Members of a creation that a careless server might take for permissions. */
function rightsBeyond(random: Random): JsonObject {
  const scopes = random.shuffled(['billing:read', 'account:read', 'companies:write', 'contacts:write', '*']);
  const role = random.pick(['admin', 'owner']);
  return { scopes, permissions: scopes, scope: scopes.join(' '), role, is_admin: true };
}

/** Creates a key with undocumented members; if that is refused, without them. */
async function createBeyond(maker: Api, label: string, more: JsonObject): Promise<Reply> {
  const reply = await maker.send('POST /api-keys', { body: { label, ...more }, undocumented: true });
  return wasAccepted(reply) ? reply : maker.send('POST /api-keys', { body: { label } });
}

/** A key made by a restricted user must not have more rights than its maker, whatever was sent just before. */
async function useRestricted(tools: RightsContext): Promise<void> {
  const { api, restricted, make, random, effort, observe } = tools;
  const maker = api.as(restricted);
  const isQuick = effort === 'quick';
  const reply = await createBeyond(maker, make.name('key'), isQuick ? {} : rightsBeyond(random));
  observe('api-keys-create-restricted', answerOf(reply), reply);
  if (!wasAccepted(reply)) return;
  if (!isQuick) await probeScopes(maker);
  const made = api.as(make.credential(restricted, reply));
  expectSuccess(await use(api, made.credential));
  // Validations are scarce, and the case that exceeds their limit waits for the last of them.
  if (effort === 'thorough') await validateAs(api, made.credential.token);
  const child = isQuick ? undefined : await keyBy(made, make.wholeText(3), make);
  await useScopes(maker, [made, ...(child ? [made.as(child.credential)] : [])], tools);
  if (!isQuick) {
    const company = () => ({ body: { name: make.name('company'), company_type: 'lender' } });
    if ((await maker.send('POST /companies', company())).status === 403) {
      await probeScopes(maker);
      await made.send('POST /companies', company());
      await probeScopes(made);
    }
    await readSample(made, random);
  }
  const revoked = await revokeKey(maker, idOf(dataOf(reply)));
  if (isQuick) return;
  await probeScopes(maker);
  if (!isRevoked(revoked)) return;
  // Whether a key outlives its revoked maker is open.
  if (child) await made.as(child.credential).send('GET /me');
  await tryRevoked(api, made.credential, tools);
}

const mayBeOwnKey = 'not tried: it may have a key of its own under the same number';

/** Not tried if the other user may have a key of the same number. Resolves to whether the key still works. */
async function revokeAsOtherUser(own: MadeKey, tools: RightsContext): Promise<boolean> {
  const { api, restricted, notOffered, observe, hasOtherKeyOfId } = tools;
  const other = api.as(restricted);
  const numbersMayDiffer = String(restricted.accounts) !== String(api.credential.accounts);
  if (numbersMayDiffer || (await hasOwnKeyOfId(other, own)) || hasOtherKeyOfId(own.id, api.credential)) {
    notOffered('api-keys-revoke-foreign-user', mayBeOwnKey);
    observe('api-keys-revoke-foreign-answer', `by another user: ${mayBeOwnKey}`);
    return true;
  }
  const answer = await revokeKey(other, own.id);
  observe('api-keys-revoke-foreign-answer', `by another user: ${revocationAnswer(answer)}`, answer);
  return wasAccepted(await use(api, own.credential));
}

const foreignIds = [
  'api-keys-revoke-foreign-account',
  'api-keys-revoke-foreign-answer',
  'api-keys-made-identity',
] as const;
type ForeignContext = Context<(typeof foreignIds)[number], 'secondary' | 'key' | 'primaryValidation'>;

const foreign = conforms(foreignIds, { needs: ['secondary', 'key', 'primaryValidation'], writes: 3 }, async (tools) => {
  const { api, secondary, key, effort, notOffered, observe, hasOtherKeyOfId } = tools;
  const owner = api.as(secondary);
  const known = (await readKeys(api)).map(idOf);
  const target = await makeForeignKey(owner, tools);
  expectSuccess(await use(api, target.credential));
  // Billing shows a made key the account of its maker.
  for (const one of effort === 'quick' ? [] : [owner, owner.as(target.credential), owner]) await viewOf(one);
  // Not tried if this account may have a key of that number; a list may lag behind the key just made.
  if (hasOtherKeyOfId(target.id, secondary) || !cannotBeOwnId(target, [...known, key.id])) {
    notOffered('api-keys-revoke-foreign-account', mayBeOwnKey);
    observe('api-keys-revoke-foreign-answer', `from another account: ${mayBeOwnKey}`);
  } else {
    const answer = await revokeKey(api, target.id);
    await use(api, target.credential);
    observe('api-keys-revoke-foreign-answer', `from another account: ${revocationAnswer(answer)}`, answer);
  }
  await revokeByItself(owner, target.credential, target.id, tools);
});

/** A key of the secondary account; the body of its creation names the primary account and user. */
async function makeForeignKey(owner: Api, { make, effort, primaryValidation }: ForeignContext): Promise<MadeKey> {
  const facts = dataOf(primaryValidation);
  const { account_id, user_id }: JsonObject = isObject(facts) ? facts : {};
  const label = make.wholeText(7);
  if (effort === 'quick' || account_id === undefined) return make.key(owner, label);
  const reply = await createBeyond(owner, label, { account_id, user_id });
  const id = identifierOf('key', dataOf(reply));
  if (!wasAccepted(reply) || typeof id !== 'number') return make.key(owner, label);
  return { id, label, reply, credential: make.credential(owner.credential, reply) };
}

/** Identifiers this far apart are taken for random ones. */
const sparseMin = 10_000;

/** Whether no key of this account, which may number its keys itself, can have this identifier. */
function cannotBeOwnId(target: MadeKey, known: readonly unknown[]): boolean {
  const id = Number(target.id);
  const distances = known.map((one) => id - Number(one));
  return Number.isNaN(id) || distances.every((one) => one > 0) || distances.every((one) => Math.abs(one) > sparseMin);
}

export const rightsAndOwners = [inheritance, rights, foreign];
