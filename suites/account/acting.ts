// Case over two accounts of one session and a key on each: switches, X-Active-Account, and what each caller reads.
import {
  type Api,
  type Call,
  conforms,
  dataOf,
  expectSuccess,
  identifierOf,
  itemsOf,
  lagMsMax,
  type Membership,
  namesOf,
  type OperationId,
  type Random,
  readAccounts,
  type Tools,
} from '../../lib/index.ts';
import { answerOf, scalarValuesOf, wasAccepted } from '../shared/answer.ts';
import { isRevoked, keyBy, longLabels, revokeByItself, revokeKey, tryRevoked } from '../shared/keys.ts';
import { perhapsKeyed } from '../shared/optional-headers.ts';
import { stored, switchTo, viewOf, withAccountRestored } from '../shared/switch.ts';
import { unknownIds } from '../shared/unknown.ts';
import { unlessUndecided } from '../shared/unless.ts';
import { validate } from '../shared/validate.ts';
import { type Caller, readSample, readsAfterWriteBy } from '../walk/reads.ts';
import { areAlike, tryKey } from './switching.ts';
import { accountViews } from './view-rules.ts';

/** Two accounts of one session, and a key on each. */
interface Pair {
  readonly own: Api;
  readonly a: Membership;
  readonly b: Membership;
  readonly asA: Api;
  readonly asB: Api;
  /** Also create and validate keys: billing alone does not distinguish the accounts, or the run is thorough. */
  readonly byKeys: boolean;
}

/** A query for the first page; the document names no parameters for the team list. */
function queryFor(operation: OperationId, random: Random): Call {
  if (operation === 'GET /account/team') return {};
  const limit = random.int(2, 9);
  const fields = operation === 'GET /companies' ? 'name' : 'last_name';
  return { query: random.pick<NonNullable<Call['query']>>([{ limit: 100 }, { limit }, { limit, fields }, {}]) };
}

/** Reads each list with the account's key, the session and the key again; `before` precedes the first session read. */
async function readLists(
  key: Api,
  own: Api,
  { random, effort }: Pick<Tools, 'random' | 'effort'>,
  account?: string,
  before?: () => Promise<unknown>,
): Promise<void> {
  const under = account === undefined ? {} : { account };
  const lists = random.shuffled(['GET /companies', 'GET /contacts', 'GET /account/team'] as const);
  for (const [place, operation] of lists.entries()) {
    const query = queryFor(operation, random);
    await key.send(operation, query);
    if (place === 0) await before?.();
    else if (account !== undefined && before === undefined && effort !== 'quick') await own.send(operation, query);
    await own.send(operation, { ...query, ...under });
    await key.send(operation, query);
  }
}

/** The members of account records with which X-Active-Account selects `a` while `b` is active, as billing shows. */
async function acceptedNames({ own, a, b, asA, asB }: Pair): Promise<readonly string[]> {
  const others = namesOf(b);
  const names = [...namesOf(a)].filter(([name, value]) => (others.get(name) ?? value) !== value).slice(0, 8);
  const [here, there] = [scalarValuesOf((await viewOf(asA))[0]), scalarValuesOf((await viewOf(asB))[0])];
  const accepted: string[] = [];
  for (const [name, value] of names) {
    const [seen] = (await viewOf(own, value)).map(scalarValuesOf);
    const differing = [...here].filter(([path, shown]) => there.has(path) && there.get(path) !== shown);
    if (differing.some(([path, shown]) => seen?.get(path) === shown)) accepted.push(name);
  }
  return accepted;
}

/** `b` is the active account before, `a` after. */
async function nameAccounts(pair: Pair, tools: Tools, accepted: readonly string[]): Promise<void> {
  const { own, a, b, asA, asB, byKeys } = pair;
  const { effort } = tools;
  const [isQuick, isThorough] = [effort === 'quick', effort === 'thorough'];
  const nameIn = (one: Membership): string => namesOf(one).get(accepted[0] ?? 'slug') ?? one.slug;
  const lookBy = byKeys ? undefined : (key: Api) => viewOf(key);
  await viewOf(own, nameIn(a));
  await tryKey(own, { account: nameIn(a) }, tools, lookBy);
  await readLists(asA, own, tools, nameIn(a));
  // The header applied to those requests only.
  await viewOf(own);
  if (byKeys) await tryKey(own, {}, tools);
  // A switch with the header: the header applies to that request, the switch to later ones.
  if (!wasAccepted(await switchTo(own, a.slug, nameIn(b)))) expectSuccess(await switchTo(own, a.slug));
  await viewOf(own);
  // Right after a switch the header still takes precedence, whatever the request.
  const again = async () => void (isQuick || (await switchTo(own, a.slug)));
  await again();
  if (byKeys) {
    await tryKey(own, { account: nameIn(b) }, tools);
    await again();
  }
  await viewOf(own, nameIn(b));
  await readLists(asB, own, tools, nameIn(b), again);
  const [company] = itemsOf(await asB.send('GET /companies', { query: { limit: 1 } }));
  const company_id = identifierOf('company', company);
  if (isThorough && company_id !== undefined) {
    await again();
    await own.send('GET /companies/{company_id}', { path: { company_id }, account: nameIn(b) });
  }
  // A key of `a` whose user is also a member of `b`.
  await viewOf(asA, nameIn(b));
  await tryKey(asA, { account: nameIn(b) }, tools, lookBy);
}

/** Concurrent reads of both accounts, each account first in turn: replies cached for one must not reach the other. */
function concurrentReads({ own, a, b, asA, asB }: Pair, { api, random, effort }: Tools): () => Promise<void> {
  const here: readonly Caller[] = [{ api: own, under: { account: a.slug } }, { api: asA }];
  const there: readonly Caller[] = [{ api: own, under: { account: b.slug } }, { api: asB }];
  const all: Caller = { api };
  let isOdd = false;
  return async () => {
    isOdd = !isOdd;
    const [first = all, ...others] = [...(isOdd ? [...there, ...here] : [...here, ...there]), all];
    const asked = random
      .shuffled(accountViews)
      .flatMap((operation) =>
        [first, ...random.shuffled(others)].map((caller) => () => caller.api.send(operation, caller.under)),
      );
    if (effort !== 'quick') await Promise.all(asked.map((send) => unlessUndecided(send())));
  };
}

/**
 * Reads samples with the session, also with the header, and with keys. The key that makes another key is on `b` while
 * `a` is its user's stored account.
 */
async function readSamples({ own, a, b, asA, asB }: Pair, tools: Tools): Promise<void> {
  const { clock, make, random, effort } = tools;
  const reply = await asB.send('POST /api-keys', { body: { label: make.wholeText(1) } });
  for (const account of effort === 'thorough' ? [undefined, b.slug, a.slug, b.slug] : [undefined, b.slug])
    await readSample(own, random, account);
  await readSample(asA, random);
  if (!wasAccepted(reply)) return;
  // Wait until lists may no longer lag, so that their totals are judged.
  await clock.sleep(Math.max(0, reply.receivedAt + lagMsMax + 1 - clock.now()));
  const child = make.credential(asB.credential, reply);
  await readSample(own.as(child), random);
  await revokeByItself(asB, child, identifierOf('key', dataOf(reply)), tools);
}

/** Sends refused writes by session, header, both keys and a key made by a key; a read follows each. */
async function tryRefused({ own, b, asA, asB }: Pair, tools: Tools): Promise<void> {
  const { make, effort } = tools;
  const random = tools.random.derive('in vain');
  const child = await keyBy(asA, make.wholeText(8), make);
  const callers: readonly Caller[] = [
    ...[{ api: own }, { api: own, under: { account: b.slug } }, { api: asA }, { api: asB }],
    ...(child ? [{ api: own.as(child.credential) }] : []),
  ];
  const long = longLabels.map((one) => ({ label: one(make.name('key')) }));
  const labels = random.shuffled([{}, { label: '' }, { label: null }, ...random.shuffled(long).slice(0, 2)]);
  const [key_id] = unknownIds(random, []);
  for (const [place, { api, under = {} }] of callers.entries()) {
    const look = readsAfterWriteBy(api, tools, under);
    const asked = random.shuffled<readonly [OperationId, Call]>([
      ['POST /api-keys', { body: labels[place % labels.length], ...perhapsKeyed(random) }],
      ['DELETE /api-keys/{key_id}', { path: { key_id } }],
      ['PATCH /me/active-account', { body: place % 2 === 0 ? {} : { slug: `covenant-${random.uuid().slice(0, 8)}` } }],
    ]);
    for (const [operation, call] of asked.slice(0, effort === 'thorough' ? 3 : 2)) {
      await api.send(operation, { ...under, ...call });
      await look();
    }
  }
  if (child) await revokeByItself(asA, child.credential, child.id, tools);
}

export const acting = conforms(
  [
    'account-active-switch-effect',
    'account-active-key-unmoved',
    'account-active-with-key',
    'account-active-missing-slug',
    'account-accounts-complete',
    'account-header-selects',
    'account-header-wins',
    'account-header-temporary',
    'account-header-key-unmoved',
    'account-header-value',
  ],
  { needs: ['session', 'memberships'], writes: [14, 29, 35], reads: [66, 219, 258], validates: [4, 4, 6] },
  async (tools) => {
    const { api, session, memberships, make, effort, observe } = tools;
    const own = api.as(stored(session));
    await withAccountRestored(own, memberships.active, tools, async () => {
      const [a, b] = memberships.all;
      expectSuccess(await switchTo(own, a.slug));
      const keyA = await make.key(own);
      const asA = own.as(keyA.credential);
      await validate(api, keyA.credential.token);
      await viewOf(own);
      const seenInA = await viewOf(asA);
      await readLists(asA, own, tools);
      expectSuccess(await switchTo(own, b.slug));
      await readsAfterWriteBy(own, tools)(3);
      const keyB = await make.key(own, make.wholeText(2));
      const asB = own.as(keyB.credential);
      await validate(api, keyB.credential.token);
      await viewOf(own);
      const byKeys = effort === 'thorough' || areAlike(seenInA, await viewOf(asB));
      await readLists(asB, own, tools);
      const pair: Pair = { own, a, b, asA, asB, byKeys };
      const readViews = concurrentReads(pair, tools);
      await readViews();
      const accepted = await acceptedNames(pair);
      observe('account-header-value', accepted.join(', ') || 'none');
      await validate(api, keyA.credential.token);
      await nameAccounts(pair, tools, accepted);
      // A key's own switch: its effect on the user is observed; the key must stay on its account.
      const switched = await switchTo(asB, a.slug);
      observe('account-active-with-key', answerOf(switched), switched);
      await validate(api, keyB.credential.token);
      await asA.send('PATCH /me/active-account', { body: {} });
      await readViews();
      await readAccounts(own);
      await readAccounts(asA);
      if (effort !== 'quick') await readSamples(pair, tools);
      if (effort !== 'quick') await tryRefused(pair, tools);
      await readViews();
      // Accounts may number keys separately: on the stored account, the number of `keyB` may be another key's.
      for (const [key, by] of [[keyA, own] as const, [keyB, asB] as const])
        if (isRevoked(await revokeKey(by, key.id)) && effort !== 'quick') await tryRevoked(own, key.credential, tools);
    });
  },
);
