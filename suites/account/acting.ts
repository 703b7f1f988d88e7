// The active account of a session: switched, chosen by header, and seen by what the session does.
import {
  type Api,
  conforms,
  dataOf,
  expectEqual,
  expectSuccess,
  expectThat,
  identifierOf,
  identifiersIn,
  lagMsMax,
  type MadeKey,
  type Membership,
  NotTested,
  type Random,
  type Reply,
  readAccounts,
  slugsIn,
  validationOf,
} from '../../lib/index.ts';
import {
  areDistinct,
  expectShown,
  movingIn,
  showsItsTime,
  sidesOf,
  type Views,
  viewOf,
} from '../shared/account-view.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { apartMs } from '../shared/apart.ts';
import { orLost } from '../shared/attempt.ts';
import { isRevoked, revokeKey } from '../shared/keys.ts';
import { expectClientError } from '../shared/refusals.ts';
import { revokeByItself, tryRevoked } from '../shared/revoked-key.ts';
import { borrowed, stored, switchTo } from '../shared/switch.ts';
import { validate } from '../shared/validate.ts';
import type { Caller } from '../walk/caller.ts';
import { readsAfterWriteBy } from '../walk/reads-after-write.ts';
import { readSample } from '../walk/sample-reads.ts';
import { judgeHeader } from './header.ts';
import { type ActingContext, ids, type Pair } from './pair.ts';
import { sendRefused } from './refused-requests.ts';
import { accountViews } from './view-rules.ts';
import { expectSameWorld } from './world.ts';

async function accountOf(api: Api, key: MadeKey): Promise<[account: string, reply: Reply]> {
  const reply = await validate(api, key.credential.token);
  const account = validationOf(reply)?.account;
  expectThat(account !== undefined, 'the validation should return the account of a made key', {
    expected: 'account_id',
    actual: 'absent',
    replies: reply,
  });
  return [account, reply];
}

type Acted = readonly [membership: Membership, account: string];

/** The keys made before and after a switch are of the accounts that it switched between. */
function expectMoved([a, accountA]: Acted, [b, accountB]: Acted, replies: readonly Reply[]): void {
  expectThat(accountA !== accountB, 'keys made before and after a switch should be of different accounts', {
    expected: 'two accounts',
    actual: accountA,
    replies,
  });
  if (!identifiersIn(a.record).includes(accountA)) return;
  expectThat(identifiersIn(b.record).includes(accountB), 'a key made after a switch should be of that account', {
    expected: identifiersIn(b.record),
    actual: accountB,
    replies,
  });
}

/** From `a`, where the session is, to `b`: keys and billing must follow. */
async function judgeSwitch(own: Api, a: Membership, b: Membership, tools: ActingContext): Promise<Pair> {
  const { api, clock, make, effort, check } = tools;
  const keyA = await make.key(own);
  const [accountA, validationA] = await accountOf(api, keyA);
  const [seenInA, viewA] = [await viewOf(own), await viewOf(api.as(keyA.credential))];
  await check('account-active-switch-effect', () => expectSameWorld(tools, api.as(keyA.credential), own));
  const switched = await switchTo(own, b.slug);
  expectSuccess(switched);
  await readsAfterWriteBy(own, tools)(3);
  const keyB = await make.key(own, make.wholeText(2));
  const [accountB, validationB] = await accountOf(api, keyB);
  const viewB = await viewOf(api.as(keyB.credential));
  // What follows from the time has moved by then, whichever account it is.
  if (viewB.some(showsItsTime)) await clock.sleep(apartMs);
  const seenInB = await viewOf(own);
  const movingAt = (place: 0 | 1) => movingIn(seenInB[place], viewA[place], viewB[place]);
  const views: Views = { a: viewA, b: viewB, follows: [true, true], moving: [movingAt(0), movingAt(1)] };
  await check('account-active-switch-effect', () => expectSameWorld(tools, api.as(keyB.credential), own));
  await check('account-active-switch-effect', () => {
    expectMoved([a, accountA], [b, accountB], [validationA, switched, validationB]);
    expectShown('a', seenInA, views, 'the session before the switch');
    expectShown('b', seenInB, views, 'the session after the switch');
  });
  if (accountA === accountB) throw new NotTested('the switch does not move the session, so it proves nothing');
  const [inA, inB] = [sidesOf(seenInA, views), sidesOf(seenInB, views)];
  const follows = [inA[0] === 'a' && inB[0] === 'b', inA[1] === 'a' && inB[1] === 'b'] as const;
  const trusted = { ...views, follows };
  const askKeys = effort === 'thorough' || !areDistinct(trusted);
  return { own, a, b, keyA, keyB, accountA, accountB, views: trusted, askKeys };
}

async function judgeKeyUnmoved({ keyA, accountA, views }: Pair, { api, check }: ActingContext): Promise<void> {
  const seen = await viewOf(api.as(keyA.credential));
  const made = await accountOf(api, keyA);
  await check('account-active-key-unmoved', () => {
    for (const reply of seen) if (views.a.every(wasAccepted)) expectSuccess(reply);
    expectShown('a', seen, views, 'a key made before the switch');
    expectEqual(made[0], accountA, 'the account of a key made before the switch', made[1]);
  });
}

/** What a key's own switch does to its user is observed; the key stays where it is. */
async function switchByKey({ a, keyB, accountB }: Pair, { api, check, observe }: ActingContext): Promise<void> {
  const reply = await switchTo(api.as(keyB.credential), a.slug);
  observe('account-active-with-key', answerOf(reply), reply);
  const [account, validation] = await accountOf(api, keyB);
  await check('account-active-key-unmoved', () =>
    expectEqual(account, accountB, 'the account of a key that sent a switch', [reply, validation]),
  );
}

/** The accounts of a key's user are those of the user's session. */
async function judgeAccounts({ own, keyA }: Pair, { api, check }: ActingContext): Promise<void> {
  const [ofSession, ofKey] = [await readAccounts(own), await readAccounts(api.as(keyA.credential))];
  const slugsOf = (replies: readonly Reply[]) => replies.flatMap(slugsIn).map(({ slug }) => slug);
  await check('account-accounts-complete', () =>
    expectEqual(slugsOf(ofKey).sort(), slugsOf(ofSession).sort(), 'the accounts listed for a key', [
      ...ofSession,
      ...ofKey,
    ]),
  );
}

/** The first caller begins each time, and the others do not wait: whoever remembers its answer for too long shows it to them. */
async function readFromAccounts([first, ...others]: readonly Caller[], random: Random): Promise<void> {
  const asked = random
    .shuffled(accountViews)
    .flatMap((operation) =>
      [...(first ? [first] : []), ...random.shuffled(others)].map((caller) => ({ operation, caller })),
    );
  await Promise.all(asked.map(({ operation, caller: { api, under = {} } }) => orLost(api.send(operation, under))));
}

/** Each account begins once: what is remembered of the one is shown to nobody on the other. */
function rounds({ own, a, b, keyA, keyB }: Pair, { api, random, effort }: ActingContext): () => Promise<void> {
  const here: readonly Caller[] = [{ api: own, under: { account: a.slug } }, { api: api.as(keyA.credential) }];
  const there: readonly Caller[] = [{ api: own, under: { account: b.slug } }, { api: api.as(keyB.credential) }];
  let turn = 0;
  return async () => {
    turn += 1;
    const callers = turn % 2 === 0 ? [...here, ...there, { api }] : [...there, ...here, { api }];
    if (effort !== 'quick') await readFromAccounts(callers, random);
  };
}

/**
 * Whatever the session and the keys that come of it may read, the session also under the header for the other account. The
 * key that makes another is not of the account that its user has stored.
 */
async function readSamples({ own, a, b, keyA, keyB }: Pair, tools: ActingContext): Promise<void> {
  const { api, clock, make, random, effort } = tools;
  const made = api.as(keyB.credential);
  const reply = await made.send('POST /api-keys', { body: { label: make.wholeText(1) } });
  for (const account of effort === 'thorough' ? [undefined, b.slug, a.slug, b.slug] : [undefined, b.slug])
    await readSample(own, random, account);
  await readSample(api.as(keyA.credential), random);
  if (!wasAccepted(reply)) return;
  // What lists count is known when they have had their time.
  await clock.sleep(Math.max(0, reply.receivedAt + lagMsMax + 1 - clock.now()));
  await readSample(made.as(make.credential(made.credential, reply)), random);
  await revokeByItself(made, make.credential(made.credential, reply), identifierOf('key', dataOf(reply)), tools);
}

/** Asked by the session, under the header, by a key of each account, and by one that such a key makes and that revokes itself. */
async function tryRefused({ own, b, keyA, keyB }: Pair, tools: ActingContext): Promise<void> {
  const { api, make } = tools;
  const made = api.as(keyA.credential);
  const reply = await made.send('POST /api-keys', { body: { label: make.wholeText(8) } });
  const children = wasAccepted(reply) ? [made.as(make.credential(made.credential, reply))] : [];
  const callers: readonly Caller[] = [
    ...[{ api: own }, { api: own, under: { account: b.slug } }, { api: made }, { api: api.as(keyB.credential) }],
    ...children.map((child) => ({ api: child })),
  ];
  await sendRefused(callers, tools);
  for (const child of children) await revokeByItself(made, child.credential, identifierOf('key', dataOf(reply)), tools);
}

/** Revoked by the session that made it, or by itself, and refused from then on. */
async function judgeRevoked({ id, credential }: MadeKey, by: Api, own: Api, tools: ActingContext): Promise<void> {
  if (!isRevoked(await revokeKey(by, id)) || tools.effort === 'quick') return;
  await tryRevoked(own, credential, tools);
}

export const acting = conforms(
  ids,
  { needs: ['session', 'memberships'], writes: [14, 29, 35], reads: [66, 219, 258], validates: [4, 4, 6] },
  async (tools) => {
    const { api, session, memberships, check } = tools;
    const own = api.as(stored(session));
    await borrowed(own, memberships.active, tools, async () => {
      const [a, b] = memberships.all;
      expectSuccess(await switchTo(own, a.slug));
      const pair = await judgeSwitch(own, a, b, tools);
      const round = rounds(pair, tools);
      await round();
      await judgeKeyUnmoved(pair, tools);
      await judgeHeader(pair, tools);
      await switchByKey(pair, tools);
      const nameless = await api.as(pair.keyA.credential).send('PATCH /me/active-account', { body: {} });
      await check('account-active-missing-slug', () => expectClientError(nameless, 'a switch without slug by a key'));
      await round();
      await judgeAccounts(pair, tools);
      if (tools.effort !== 'quick') await readSamples(pair, tools);
      if (tools.effort !== 'quick') await tryRefused(pair, tools);
      await round();
      await judgeRevoked(pair.keyA, own, own, tools);
      // Where each account numbers its keys itself, its number may be that of another key on the account that is stored.
      await judgeRevoked(pair.keyB, api.as(pair.keyB.credential), own, tools);
    });
  },
);
