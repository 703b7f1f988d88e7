// Whose a made key is, what it may do, and who may not revoke it.
import {
  type Api,
  at,
  type Context,
  type Credential,
  conforms,
  dataOf,
  expectEqual,
  expectStatus,
  expectSuccess,
  expectThat,
  identifierOf,
  isObject,
  type JsonObject,
  type MadeKey,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { viewOf } from '../shared/account-view.ts';
import { shows } from '../shared/active-account.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import { isRevoked, revocationAnswer, revokeKey } from '../shared/keys.ts';
import { labelMax, padded } from '../shared/labels.ts';
import { revokeByItself, tryRevoked } from '../shared/revoked-key.ts';
import { probeScopes, type ScopeProbe } from '../shared/scopes.ts';
import { scopesIn, validate, validateAs, validIn } from '../shared/validate.ts';
import { readSample } from '../walk/sample-reads.ts';
import { createBeyond, rightsBeyond } from './beyond.ts';
import { hasNamesake, readKeys, tryLabel } from './listing.ts';

const sortedScopes = (reply: Reply): string[] => scopesIn(reply).map(String).sort();

const inheritance = conforms(
  ['api-keys-made-identity', 'api-keys-made-scopes'],
  { needs: ['key', 'primaryValidation'], writes: 0, validates: 1 },
  async ({ api, key, primaryValidation, check }) => {
    const made = await validate(api, key.credential.token);
    for (const reply of [primaryValidation, made])
      if (validIn(reply) !== true) throw new NotTested('the validation of a live key did not report it as valid');
    await check('api-keys-made-identity', () => {
      for (const name of ['user_id', 'account_id'])
        expectEqual(at(dataOf(made), name), at(dataOf(primaryValidation), name), name, [primaryValidation, made]);
    });
    await check('api-keys-made-scopes', () =>
      expectEqual(sortedScopes(made), sortedScopes(primaryValidation), 'the scopes of a made key', [
        primaryValidation,
        made,
      ]),
    );
  },
);

const ids = [
  'api-keys-made-rights',
  'api-keys-revoke-foreign-user',
  'api-keys-revoke-foreign-answer',
  'api-keys-create-restricted',
  'api-keys-list-owners',
] as const;
type RightsContext = Context<(typeof ids)[number], 'restricted' | 'key'>;

/** What opens to the maker opens to the made key, what is closed to the one is closed to the other. */
function expectSameScopes(maker: readonly ScopeProbe[], made: readonly ScopeProbe[]): void {
  for (const [index, { scope, opened, closed, reply }] of maker.entries()) {
    const other = made[index];
    if (!other || (!opened && !closed)) continue;
    expectThat(opened ? other.opened : other.closed, `a made key should have ${scope} as its maker has`, {
      expected: opened ? 'success, as for its maker' : '403, as for its maker',
      actual: other.reply.status,
      replies: [reply, other.reply],
    });
  }
}

/** The key that a key makes, where it does: its rights are those of the first maker. */
async function childOf(made: Api, make: RightsContext['make']): Promise<Api[]> {
  const reply = await made.send('POST /api-keys', { body: { label: make.wholeText(3) } });
  return wasAccepted(reply) ? [made.as(make.credential(made.credential, reply))] : [];
}

/** Each made key at what needs a scope, as its maker: bare, and with an Idempotency-Key beside. */
async function judgeScopes(maker: Api, made: readonly Api[], { api, random, check }: RightsContext): Promise<void> {
  for (const call of [{}, { key: random.uuid() }]) {
    const own = await probeScopes(maker, call);
    // What has just been opened to somebody else stays closed.
    if (maker.credential !== api.credential) await probeScopes(api);
    for (const one of made) {
      const others = await probeScopes(one, call);
      await check('api-keys-made-rights', () => expectSameScopes(own, others));
    }
  }
}

const proofOfLife = (api: Api, key: Credential): Promise<Reply> =>
  api.as(key).send('GET /companies', { query: { limit: 1 } });

/** A key that a restricted user made must not open what is closed to its maker. */
async function judgeRestricted(tools: RightsContext): Promise<void> {
  const { api, restricted, make, effort, check, observe } = tools;
  const maker = api.as(restricted);
  const reply = await createBeyond(maker, make.name('key'), effort === 'quick' ? {} : rightsBeyond(tools.random));
  observe('api-keys-create-restricted', answerOf(reply), reply);
  if (!wasAccepted(reply)) return;
  // Whatever a user has just done, what is closed stays closed: the rules judge that.
  const look = async (user: Api) => void (effort === 'quick' || (await probeScopes(user)));
  await look(maker);
  const made = api.as(make.credential(restricted, reply));
  expectSuccess(await proofOfLife(api, made.credential));
  const children = effort === 'quick' ? [] : await childOf(made, make);
  await judgeScopes(maker, [made, ...children], tools);
  // What it says of a key is what that key may do, whoever asks; the rules judge it.
  if (effort !== 'quick') await validateAs(api, made.credential.token);
  const company = () => ({ body: { name: make.name('company'), company_type: 'lender' } });
  if (effort !== 'quick' && (await maker.send('POST /companies', company())).status === 403) {
    await look(maker);
    const creation = await made.send('POST /companies', company());
    await check('api-keys-made-rights', () => expectStatus(creation, 403));
    await look(made);
  }
  if (effort !== 'quick') await readSample(made, tools.random);
  const revoked = await revokeKey(maker, identifierOf('key', dataOf(reply)));
  await look(maker);
  if (!isRevoked(revoked) || effort === 'quick') return;
  // Whether one that it made lives on is not said: where it does, the rules judge what it is shown.
  for (const child of children) await child.send('GET /me');
  await tryRevoked(api, made.credential, tools);
}

/** What its maker reads, a made key reads. */
async function judgeSample(key: Api, { api, random, check }: RightsContext): Promise<void> {
  for (const reply of await readSample(key, random)) {
    const { operation = 'GET /me', request } = reply;
    const query = Object.fromEntries(new URL(request.url).searchParams);
    // Nobody may read what its maker may not, nor what nobody is served.
    if (!wasAccepted(reply) && (operation.includes('{') || !wasAccepted(await api.send(operation, { query }))))
      continue;
    await check('api-keys-made-rights', () => expectSuccess(reply));
  }
}

/** A key that the primary key made may do what the primary key may: also make keys. */
async function judgeFull(own: MadeKey, tools: RightsContext): Promise<void> {
  const { api, make, random, effort, check } = tools;
  const made = api.as(own.credential);
  if (effort === 'quick') return judgeScopes(api, [made], tools);
  const label = random.pick([make.wholeText(4), make.wholeText(5), padded(make.name('key'), 'k', labelMax)]);
  const tried = await attempt(tryLabel(made, label, tools));
  await check('api-keys-made-rights', () => {
    const reply = tried.judged();
    if (label.length === labelMax && [400, 422].includes(reply.status))
      throw new NotTested('the target refuses the longest label');
    expectSuccess(reply);
  });
  const child = tried.held ? tried.value() : undefined;
  const grandchild = child && wasAccepted(child) ? [api.as(make.credential(own.credential, child))] : [];
  // What it says of a key is what that key may do: the rules judge it.
  for (const { credential } of grandchild) await validate(api, credential.token);
  await judgeScopes(api, [made, ...grandchild], tools);
  for (const key of [made, ...grandchild]) await judgeSample(key, tools);
  // An account holds a limited number of keys.
  const id = child && identifierOf('key', dataOf(child));
  for (const { credential } of grandchild)
    if (isRevoked(await revokeByItself(made, credential, id, tools))) await tryRevoked(api, credential, tools);
}

const keptApart = 'not tried: it may have a key of its own under the same number';

/** Who has another account may have a key of their own under the same number there. Resolves to whether the key lives on. */
async function judgeOtherUser(own: MadeKey, tools: RightsContext): Promise<boolean> {
  const { api, restricted, check, notOffered, observe, hasKeyBeside } = tools;
  const other = api.as(restricted);
  const isElsewhere = String(restricted.accounts) !== String(api.credential.accounts);
  const isShared = isElsewhere || (await hasNamesake(other, own)) || hasKeyBeside(own.id, api.credential);
  if (isShared) {
    notOffered('api-keys-revoke-foreign-user', keptApart);
    observe('api-keys-revoke-foreign-answer', `by another user: ${keptApart}`);
    return true;
  }
  const refusal = await revokeKey(other, own.id);
  const alive = await proofOfLife(api, own.credential);
  await check('api-keys-revoke-foreign-user', () => expectSuccess(alive));
  observe('api-keys-revoke-foreign-answer', `by another user: ${revocationAnswer(refusal)}`, refusal);
  return wasAccepted(alive);
}

/** Identifiers so far from each other are given out at random. */
const sparseMin = 10_000;

/** Whether a key just made elsewhere cannot be one of this account, which may number its keys itself: it is beyond all of them. */
function isBeyond(target: MadeKey, known: readonly unknown[]): boolean {
  const id = Number(target.id);
  const distances = known.map((one) => id - Number(one));
  return Number.isNaN(id) || distances.every((one) => one > 0) || distances.every((one) => Math.abs(one) > sparseMin);
}

const rights = conforms(
  ids,
  { needs: ['restricted', 'key'], writes: [5, 12, 12], reads: [36, 126, 126], validates: [0, 2, 2] },
  async (tools) => {
    const { api, restricted, key, make, observe, atEnd } = tools;
    // Nobody has used it yet: that takes nothing from its owner's right.
    const unused = await make.key(api, make.wholeText(6));
    const own = (await judgeOtherUser(unused, tools)) ? unused : await make.key(api, make.wholeText(6));
    await judgeFull(own, tools);
    // By now it was used.
    if (tools.effort !== 'quick') await judgeOtherUser(own, tools);
    await judgeRestricted(tools);
    // An account holds a limited number of keys.
    await revokeByItself(api, own.credential, own.id, tools);
    // At the end every list has caught up.
    atEnd(async () => {
      const first = await api.as(restricted).send('GET /api-keys', { query: { limit: 1 } });
      if (first.status === 403) return observe('api-keys-list-owners', 'who may not list keys is shown none', first);
      const { ids: shown, replies } = await readKeys(api.as(restricted));
      const ofAccount = shown.includes(key.id);
      observe('api-keys-list-owners', ofAccount ? 'those of the account' : 'those of the user', ...replies);
    });
  },
);

/** A key of the secondary account, whose creation names another account and another user. */
async function makeForeign(owner: Api, { make, effort, primaryValidation }: ForeignContext): Promise<MadeKey> {
  const facts = dataOf(primaryValidation);
  const { account_id, user_id }: JsonObject = isObject(facts) ? facts : {};
  if (effort === 'quick' || account_id === undefined) return make.key(owner, make.wholeText(7));
  const label = make.wholeText(7);
  const reply = await createBeyond(owner, label, { account_id, user_id });
  const id = identifierOf('key', dataOf(reply));
  if (!wasAccepted(reply) || typeof id !== 'number') return make.key(owner, label);
  return { id, label, reply, credential: make.credential(owner.credential, reply) };
}

/** What differs between two readings of its maker is in motion. */
async function judgePlace(owner: Api, key: Credential, { check }: ForeignContext): Promise<void> {
  const [before, seen, after] = [await viewOf(owner), await viewOf(owner.as(key)), await viewOf(owner)];
  const replies = [...before, ...seen, ...after];
  await check('api-keys-made-identity', () =>
    expectThat(
      !replies.every(wasAccepted) || shows(seen, [before, after]),
      'a made key should act on the account of its maker',
      {
        expected: 'the billing that its maker is shown',
        actual: 'another one',
        replies,
      },
    ),
  );
}

const foreignIds = [
  'api-keys-revoke-foreign-account',
  'api-keys-revoke-foreign-answer',
  'api-keys-made-identity',
] as const;
type ForeignContext = Context<(typeof foreignIds)[number], 'secondary' | 'key' | 'primaryValidation'>;

const foreign = conforms(
  foreignIds,
  { needs: ['secondary', 'key', 'primaryValidation'], writes: 3, perhaps: ['api-keys-made-identity'] },
  async (tools) => {
    const { api, secondary, key, random, check, notOffered, observe, hasKeyBeside } = tools;
    const owner = api.as(secondary);
    const { ids: known } = await readKeys(api);
    const target = await makeForeign(owner, tools);
    expectSuccess(await proofOfLife(api, target.credential));
    if (tools.effort !== 'quick') await judgePlace(owner, target.credential, tools);
    // What only its own account can name is safe from others; a list may not show yet what was just made.
    if (hasKeyBeside(target.id, secondary) || !isBeyond(target, [...known, key.id])) {
      notOffered('api-keys-revoke-foreign-account', keptApart);
      observe('api-keys-revoke-foreign-answer', `from another account: ${keptApart}`);
    } else {
      const refusal = await revokeKey(api, target.id);
      const alive = await proofOfLife(api, target.credential);
      await check('api-keys-revoke-foreign-account', () => expectSuccess(alive));
      observe('api-keys-revoke-foreign-answer', `from another account: ${revocationAnswer(refusal)}`, refusal);
    }
    await revokeByItself(owner, target.credential, target.id, { random });
  },
);

export const rightsAndOwners = [inheritance, rights, foreign];
