// Making keys: what the reply and the list show of a new key, and which labels are accepted.
import * as fc from 'fast-check';
import {
  at,
  type Context,
  conforms,
  dataOf,
  eventually,
  expectEqual,
  expectSuccess,
  expectUnauthorized,
  isObject,
  NotTested,
  type OperationId,
  property,
  wordOf,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { revokeKey } from '../shared/keys.ts';
import { labelMax, padded } from '../shared/labels.ts';
import { idOf, type Keys, readKeys, tryLabel } from './listing.ts';
import {
  type CreatedKey,
  expectContained,
  expectDateTime,
  expectId,
  expectLabel,
  expectListed,
  expectPrefix,
  expectSecret,
  expectUsed,
} from './record.ts';

const ids = [
  'api-keys-create-id',
  'api-keys-create-label',
  'api-keys-create-secret',
  'api-keys-create-key-prefix',
  'api-keys-create-created-at',
  'api-keys-create-works',
  'api-keys-label-lengths',
  'api-keys-list-contains',
  'api-keys-list-record',
  'api-keys-list-last-used-moves',
  'api-keys-revoke-itself',
  'api-keys-revoked-at-once',
] as const;
type KeyCreationContext = Context<(typeof ids)[number], never>;

/** Labels at the bounds, in the pairs in which they are tried: characters are counted, not bytes. */
function labels({ make, effort }: Pick<KeyCreationContext, 'make' | 'effort'>): readonly (readonly string[])[] {
  const long = padded(`${make.name('key')} "a" \\ <b>&amp;</b> `, 'éλя語', labelMax);
  if (effort === 'quick') return [[long]];
  return [
    [long, padded(make.name('key'), 'K', labelMax)],
    ['語', make.wholeText(0)],
  ];
}

/** What a new key is used for first: another operation for each. */
const firstUses = ['GET /companies', 'GET /me', 'GET /contacts', 'GET /api-keys'] as const satisfies OperationId[];

/** The first and the last key, each alone on its page: what a list shows of a key the duties of every reply judge. */
async function glance({ api, effort }: KeyCreationContext): Promise<void> {
  if (effort === 'quick') return;
  const { json } = await api.send('GET /api-keys', { query: { limit: 1, offset: 0 } });
  const total = Number(at(json, 'pagination', 'total') ?? 0);
  if (total > 1) await api.send('GET /api-keys', { query: { limit: 1, offset: total - 1 } });
}

/** Tries each label; returns the keys that were made. */
async function makeKeys(tried: readonly string[], tools: KeyCreationContext): Promise<readonly CreatedKey[]> {
  const made: CreatedKey[] = [];
  for (const label of tried) {
    const reply = await tryLabel(tools.api, label, tools);
    await tools.check('api-keys-label-lengths', () => {
      expectSuccess(reply);
      expectEqual([...wordOf(at(dataOf(reply), 'label'))].length, [...label].length, 'the length of the label', reply);
    });
    const record = dataOf(reply);
    if (wasAccepted(reply) && isObject(record)) made.push({ label, reply, record });
    await glance(tools);
  }
  if (made.length === 0) throw new NotTested('no key was made');
  return made;
}

async function judgeReplies(made: readonly CreatedKey[], { check }: KeyCreationContext): Promise<void> {
  for (const [index, one] of made.entries()) {
    await check('api-keys-create-id', () => expectId(one, made.slice(0, index)));
    await check('api-keys-create-label', () => expectLabel(one));
    await check('api-keys-create-secret', () => expectSecret(one));
    await check('api-keys-create-key-prefix', () => expectPrefix(one));
    await check('api-keys-create-created-at', () => expectDateTime(one.record.created_at, 'created_at', one.reply));
  }
}

async function judgeList(
  made: readonly CreatedKey[],
  used: readonly CreatedKey[],
  { api, clock, check, limits }: KeyCreationContext,
): Promise<void> {
  const reading = (expectation: (keys: Keys) => void) =>
    eventually(clock, async () => {
      const keys = await readKeys(api);
      expectation(keys);
      return keys;
    });
  const complete = reading((keys) => expectContained(made, keys));
  await check('api-keys-list-contains', async () => {
    await complete;
  });
  const keys = await complete.catch(() => readKeys(api));
  await check('api-keys-list-record', () => {
    for (const one of made) expectListed(one, keys);
  });
  await check('api-keys-list-last-used-moves', async () => {
    if (used.length === 0) throw new NotTested('no new key was let in');
    const shows = (latest: Keys) => expectUsed(used, latest);
    await reading(shows).catch(async () => {
      // Uses may be written down together, once a minute.
      await clock.sleep(limits.minuteMs);
      shows(await readKeys(api));
    });
  });
}

/** Each key is used for something else first; those that were let in. */
async function judgeUse(
  made: readonly CreatedKey[],
  { api, make, check }: KeyCreationContext,
): Promise<readonly CreatedKey[]> {
  const used: CreatedKey[] = [];
  for (const [index, one] of made.entries()) {
    const operation = firstUses[index] ?? 'GET /companies';
    const reply = await api.as(make.credential(api.credential, one.reply)).send(operation);
    await check('api-keys-create-works', () => expectSuccess(reply));
    if (wasAccepted(reply)) used.push(one);
  }
  return used;
}

/** The first key is to revoke itself, the maker revokes the others; nothing else is under way with them. */
async function judgeRevocation(
  made: readonly CreatedKey[],
  { api, make, check, observe }: KeyCreationContext,
): Promise<void> {
  let confirmations = 0;
  for (const [index, one] of made.entries()) {
    const credential = make.credential(api.credential, one.reply);
    const reply = await revokeKey(index === 0 ? api.as(credential) : api, idOf(one.record));
    const revoked = wasAccepted(reply) && at(dataOf(reply), 'deleted') === true;
    if (index === 0) observe('api-keys-revoke-itself', revoked ? 'yes' : `no: ${answerOf(reply)}`, reply);
    const confirmed = index === 0 && !revoked ? await revokeKey(api, idOf(one.record)) : reply;
    if (!wasAccepted(confirmed)) continue;
    confirmations += 1;
    const after = await api.as({ ...credential, accounts: [] }).send('GET /companies');
    await check('api-keys-revoked-at-once', () => expectUnauthorized(after), 'GET /companies');
  }
  if (confirmations > 0) return;
  await check('api-keys-revoked-at-once', () => {
    throw new NotTested('no revocation was confirmed');
  });
}

const labelsSearched = 6;
const anyLabel = fc
  .string({ unit: fc.constantFrom(...'aZ09 éλя語ß"\'\\/<&>%{}'), minLength: 1, maxLength: labelMax })
  .map((text) => text.trim() || 'K');

/** Any label within bounds comes back unchanged. */
function searchLabels(tools: KeyCreationContext): Promise<void> {
  const { api, random, check } = tools;
  return check('api-keys-create-label', () =>
    property(
      random,
      anyLabel,
      async (label) => {
        const reply = await tryLabel(api, label, tools);
        expectSuccess(reply);
        await revokeKey(api, idOf(dataOf(reply)));
        expectEqual(at(dataOf(reply), 'label'), label, 'label', reply);
      },
      labelsSearched,
    ),
  );
}

/** From their creation to their revocation. */
async function follow(tried: readonly string[], tools: KeyCreationContext): Promise<void> {
  const made = await makeKeys(tried, tools);
  await judgeReplies(made, tools);
  const identified = made.filter(({ record }) => idOf(record) !== undefined);
  if (identified.length === 0) throw new NotTested('no new key has an id');
  const used = await judgeUse(identified, tools);
  await judgeList(identified, used, tools);
  await judgeRevocation(identified, tools);
}

export const creation = conforms(ids, { writes: [2, 8, 20] }, async (tools) => {
  // An account holds a limited number of keys: two at a time.
  for (const pair of labels(tools)) await follow(pair, tools);
  if (tools.effort === 'thorough') await searchLabels(tools);
});
