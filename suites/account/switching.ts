// Switching the active account: which slugs are accepted, and what a refused switch leaves as it was.
import {
  type Api,
  type Call,
  type Context,
  conforms,
  dataOf,
  expectEqual,
  expectStatus,
  expectSuccess,
  identifiersIn,
  type JsonObject,
  type Membership,
  NotTested,
  type Reply,
  readAccounts,
  slugsIn,
} from '../../lib/index.ts';
import { viewOf } from '../shared/account-view.ts';
import { expectBillingKept, expectKeysKept, placeOf, shows, viewTwice } from '../shared/active-account.ts';
import { wasAccepted } from '../shared/answer.ts';
import { shapeOf } from '../shared/shape.ts';
import { borrowed, stored, switchTo } from '../shared/switch.ts';
import { readsAfterWriteBy } from '../walk/reads-after-write.ts';
import { judgeSlugs } from './slugs.ts';

const ids = [
  'account-me-slug',
  'account-accounts-slugs',
  'account-accounts-only-own',
  'account-accounts-complete',
  'account-active-fields',
  'account-active-missing-slug',
  'account-active-invalid-slug',
  'account-active-unknown-slug',
  'account-active-refused-effect',
] as const;
type SwitchingContext = Context<(typeof ids)[number], 'session' | 'memberships'>;

const slugsOf = (replies: readonly Reply[]): string[] =>
  replies
    .flatMap(slugsIn)
    .map(({ slug }) => slug)
    .sort();

const invalidSlugs = [null, '', 42, ['covenant'], { slug: 'covenant' }];
const invalidCount = { quick: 2, standard: 4, thorough: 5 } as const;

interface Refusable extends Pick<Call, 'account'> {
  readonly id: 'account-active-missing-slug' | 'account-active-invalid-slug' | 'account-active-unknown-slug';
  readonly body: JsonObject;
  /** Those that refuse it. */
  readonly statuses: readonly [number, ...number[]];
}

/** Switches that must be refused. */
function refusable(a: Membership, { memberships, random, effort }: SwitchingContext): readonly Refusable[] {
  const known = memberships.all.map(({ slug }) => slug);
  const like = random.pick(['*', '%', '_', '0', 'null', 'true', '%41']);
  const unknown = [effort === 'quick' ? `covenant-${random.uuid()}` : like, `${a.slug}-x`, a.slug.slice(0, -1)].filter(
    (slug) => slug !== '' && !known.includes(slug),
  );
  const [id] = identifiersIn(a.record);
  // What a server might take for the slug.
  const instead = random.shuffled([
    { account: a.slug },
    { account_slug: a.slug },
    ...(id ? [{ id }, { account_id: id }] : []),
  ]);
  return [
    { id: 'account-active-missing-slug', body: {}, statuses: [400] },
    // Whoever takes no other members may say so.
    ...instead
      .slice(0, effort === 'quick' ? 0 : 1)
      .map((body): Refusable => ({ id: 'account-active-missing-slug', body, statuses: [400, 422] })),
    // Nor does the header stand in for it; whoever does not know the account by what it names may say that first.
    ...(effort === 'quick' ? [] : [a.slug]).map(
      (account): Refusable => ({
        ...{ id: 'account-active-missing-slug', body: {}, account },
        statuses: [400, 403, 404, 422],
      }),
    ),
    ...invalidSlugs
      .slice(0, invalidCount[effort])
      .map((slug): Refusable => ({ id: 'account-active-invalid-slug', body: { slug }, statuses: [400, 404, 422] })),
    ...unknown
      .slice(0, effort === 'quick' ? 1 : 3)
      .map((slug): Refusable => ({ id: 'account-active-unknown-slug', body: { slug }, statuses: [404] })),
  ];
}

/** Tried in `b`; the session must still be there. `askKeys`: billing alone proves nothing. */
async function judgeRefusals(
  own: Api,
  [a, b]: readonly [Membership, Membership],
  askKeys: boolean,
  tools: SwitchingContext,
): Promise<void> {
  const { check } = tools;
  const place = await placeOf(own, b.slug, askKeys, tools);
  const readTeams = () => own.send('GET /me/team-accounts');
  const teams = await readTeams();
  const look = readsAfterWriteBy(own, tools);
  let refused = 0;
  for (const { id, statuses, ...call } of refusable(a, tools)) {
    const reply = await own.send('PATCH /me/active-account', call);
    const [status, ...more] = statuses;
    await check(id, () => expectStatus(reply, status, ...more));
    if (wasAccepted(reply)) {
      // What was accepted against the rules must not affect what follows.
      expectSuccess(await switchTo(own, b.slug));
      continue;
    }
    refused += 1;
    await look();
    await check('account-active-refused-effect', () => expectBillingKept(own, place, tools));
  }
  // They need the account that is stored.
  const after = await readTeams();
  await check('account-active-refused-effect', () => {
    if (wasAccepted(teams)) expectSuccess(after);
  });
  await check('account-active-refused-effect', async () => {
    if (refused === 0) throw new NotTested('no switch was refused');
    await expectKeysKept(own, place, tools);
  });
}

/** In which nodes may take turns, in milliseconds. */
const nodeMs = 700;

/** Also after all that a run does, and by whichever node: it moves nothing. */
async function judgeMissing(own: Api, { clock, check }: SwitchingContext): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    if (time > 0) await clock.sleep(nodeMs);
    const reply = await own.send('PATCH /me/active-account', { body: {} });
    await check('account-active-missing-slug', () => expectStatus(reply, 400));
  }
}

export const switching = conforms(
  ids,
  { needs: ['session', 'memberships'], writes: [9, 18, 23], reads: [25, 47, 50], validates: [0, 0, 2] },
  async (tools) => {
    const { api, session, memberships, effort, check, observe, atEnd } = tools;
    const own = api.as(stored(session));
    await borrowed(own, memberships.active, tools, async () => {
      const [a, b] = await judgeSlugs(own, tools);
      const [listedInA, seenInA] = [await readAccounts(own), await viewTwice(own)];
      const switched = await switchTo(own, b.slug);
      expectSuccess(switched);
      observe('account-active-fields', shapeOf(dataOf(switched)), switched);
      const listedInB = await readAccounts(own);
      await check('account-accounts-complete', () =>
        expectEqual(slugsOf(listedInB), slugsOf(listedInA), 'the accounts listed after a switch', [
          ...listedInA,
          ...listedInB,
        ]),
      );
      const alike = shows(await viewOf(own), seenInA);
      await judgeRefusals(own, [a, b], effort === 'thorough' || alike, tools);
      if (effort !== 'quick') atEnd(() => judgeMissing(own, tools));
    });
  },
);
