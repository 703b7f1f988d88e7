// Case that switches to each listed account and sends switches that must be refused; rules judge the active account.
import {
  type Api,
  type Call,
  type Context,
  conforms,
  dataOf,
  expectSuccess,
  identifiersIn,
  type JsonObject,
  type Membership,
  NotTested,
  readAccounts,
} from '../../lib/index.ts';
import { shapeOf, slugsInMe, wasAccepted } from '../shared/answer.ts';
import { borrowed, stored, switchTo, viewOf } from '../shared/switch.ts';
import { readsAfterWriteBy } from '../walk/reads.ts';
import { areAlike, tryKey } from './views.ts';

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
type SwitchingContext = Context<never, 'session' | 'memberships'>;

const listedMax = { quick: 2, standard: 5, thorough: 20 } as const;
const meMax = 4;

/** Switches to each listed account and to one from GET /me; resolves to two that accepted, the last one first. */
async function switchToEach(
  own: Api,
  { api, memberships, effort }: SwitchingContext,
): Promise<readonly [Membership, Membership]> {
  const listed = memberships.all.map(({ slug }) => slug);
  const [first, ...more] = memberships.all.slice(0, listedMax[effort]);
  const open: Membership[] = [];
  const visit = async (one: Membership) => wasAccepted(await switchTo(own, one.slug)) && open.push(one);
  await readAccounts(own);
  await slugsInMe(api);
  for (const one of more) await visit(one);
  // Only after a switch: without a stored account GET /me may show no slug. It may also show slugs of others.
  const shown = (await slugsInMe(own)).toSorted(
    (one, other) => Number(listed.includes(other)) - Number(listed.includes(one)),
  );
  for (const slug of shown.slice(0, meMax)) if (wasAccepted(await switchTo(own, slug))) break;
  if (first) await visit(first);
  const [b, a] = [open[0], open.slice(1).at(-1)];
  if (!a || !b) throw new NotTested('the session of COVENANT_JWT may switch to fewer than two of its accounts');
  return [a, b];
}

const invalidSlugs = [null, '', ['covenant'], 42, { slug: 'covenant' }];
const invalidCount = { quick: 2, standard: 3, thorough: 5 } as const;

/** Switches that must be refused. */
function refusable(a: Membership, { memberships, random, effort }: SwitchingContext): readonly Call[] {
  const isQuick = effort === 'quick';
  const known = memberships.all.map(({ slug }) => slug);
  const like = random.pick(['*', '%', '_', '0', 'null', 'true', '%41']);
  const unknown = [isQuick ? `covenant-${random.uuid()}` : like, `${a.slug}-x`, a.slug.slice(0, -1)].filter(
    (slug) => slug !== '' && !known.includes(slug),
  );
  const [id] = identifiersIn(a.record);
  // Members that a server might accept in place of the slug.
  const instead = random.shuffled<JsonObject>([
    { account: a.slug },
    { account_slug: a.slug },
    ...(id ? [{ id }, { account_id: id }] : []),
  ]);
  const slugs = [...invalidSlugs.slice(0, invalidCount[effort]), ...unknown.slice(0, isQuick ? 1 : 3)];
  return [
    { body: {} },
    ...instead.slice(0, isQuick ? 0 : 1).map((body) => ({ body })),
    // The header must not replace the slug either.
    ...(isQuick ? [] : [{ body: {}, account: a.slug }]),
    ...slugs.map((slug) => ({ body: { slug } })),
  ];
}

/** Sends refused switches and reads after each of them, to show that the session kept its account. */
async function tryRefused(
  own: Api,
  [a, b]: readonly [Membership, Membership],
  byKeys: boolean,
  tools: SwitchingContext,
): Promise<void> {
  if (byKeys) await tryKey(own, {}, tools);
  const look = readsAfterWriteBy(own, tools);
  for (const call of refusable(a, tools)) {
    const reply = await own.send('PATCH /me/active-account', call);
    // Undo a switch that should have been refused, so that it does not affect later steps.
    if (wasAccepted(reply)) expectSuccess(await switchTo(own, b.slug));
    await look();
    await viewOf(own);
  }
  await own.send('GET /me/team-accounts');
  if (byKeys) await tryKey(own, {}, tools);
}

/** Time after which another node may answer, in milliseconds. */
const nodeMs = 700;

export const switching = conforms(
  ids,
  { needs: ['session', 'memberships'], writes: [9, 17, 23], reads: [25, 45, 50], validates: [0, 0, 2] },
  async (tools) => {
    const { api, session, memberships, clock, effort, observe, atEnd } = tools;
    const own = api.as(stored(session));
    await borrowed(own, memberships.active, tools, async () => {
      const [a, b] = await switchToEach(own, tools);
      await readAccounts(own);
      // The rules need three equal views to take a value as usual for an account.
      for (let time = 0; time < 2; time += 1) await viewOf(own);
      const seenInA = await viewOf(own);
      const switched = await switchTo(own, b.slug);
      expectSuccess(switched);
      observe('account-active-fields', shapeOf(dataOf(switched)), switched);
      await readAccounts(own);
      await own.send('GET /me/team-accounts');
      for (let time = 0; time < 2; time += 1) await viewOf(own);
      const byKeys = effort === 'thorough' || areAlike(seenInA, await viewOf(own));
      await tryRefused(own, [a, b], byKeys, tools);
      if (effort === 'quick') return;
      // Repeat at the end of the run, so that several nodes answer.
      atEnd(async () => {
        for (let time = 0; time < 3; time += 1) {
          if (time > 0) await clock.sleep(nodeMs);
          await own.send('PATCH /me/active-account', { body: {} });
        }
      });
    });
  },
);
