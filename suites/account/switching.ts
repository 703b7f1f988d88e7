// Cases of switches: to each listed account, refused ones, and to accounts of others, also by X-Active-Account.
import {
  type Api,
  at,
  type Call,
  type Context,
  conforms,
  dataOf,
  expectSuccess,
  identifiersIn,
  type JsonObject,
  type Membership,
  NotTested,
  type OperationId,
  readAccounts,
  type Tools,
} from '../../lib/index.ts';
import { numberIn, scalarValuesOf, shapeOf, slugsInMe, slugsOf, wasAccepted } from '../shared/answer.ts';
import { keyBy, revokeKey } from '../shared/keys.ts';
import { perhapsKeyed } from '../shared/optional-headers.ts';
import { stored, switchTo, type View, viewOf, withAccountRestored } from '../shared/switch.ts';
import { validate } from '../shared/validate.ts';
import { nextNodeMs } from '../shared/waits.ts';
import { readsAfterWriteBy } from '../walk/reads.ts';
import { accountViews } from './view-rules.ts';

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
  const unknown = [isQuick ? `covenant-${random.uuid().slice(0, 8)}` : like, `${a.slug}-x`, a.slug.slice(0, -1)].filter(
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
    const reply = await own.send('PATCH /me/active-account', { ...call, ...perhapsKeyed(tools.random) });
    // Undo a wrongly accepted switch, so that it does not affect later steps.
    if (wasAccepted(reply)) expectSuccess(await switchTo(own, b.slug));
    await look();
    await viewOf(own);
  }
  await own.send('GET /me/team-accounts');
  if (byKeys) await tryKey(own, {}, tools);
}

export const switching = conforms(
  ids,
  { needs: ['session', 'memberships'], writes: [9, 17, 23], reads: [25, 45, 50], validates: [0, 0, 2] },
  async (tools) => {
    const { api, session, memberships, clock, effort, observe, atEnd } = tools;
    const own = api.as(stored(session));
    await withAccountRestored(own, memberships.active, tools, async () => {
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
          if (time > 0) await clock.sleep(nextNodeMs);
          await own.send('PATCH /me/active-account', { body: {} });
        }
      });
    });
  },
);

/** Reads of the active account; a quick run takes the first three. */
const reads: readonly OperationId[] = [
  'GET /billing/summary',
  'GET /companies',
  'GET /billing/credits/balance',
  'GET /contacts',
  'GET /account/team',
  'GET /me/team-accounts',
];

/** X-Active-Account with a foreign account: the status is open, but the reply must not show its data. */
const under = (account: string) => ({ account, undocumented: true }) as const;

/** Sends each read with the header, and right after it without. */
async function readUnder(own: Api, account: string, some: readonly OperationId[]): Promise<void> {
  for (const operation of some) {
    const call: Call = accountViews.includes(operation) ? {} : { query: { limit: 3 } };
    await own.send(operation, { ...call, ...under(account) });
    await own.send(operation, call);
  }
}

const foreignIds = [
  'account-active-foreign-slug',
  'account-active-refused-effect',
  'account-header-foreign',
  'account-header-foreign-answer',
] as const;
type ForeignContext = Context<(typeof foreignIds)[number], 'session' | 'memberships' | 'foreignSlug'>;

async function tryForeign(own: Api, tools: ForeignContext): Promise<void> {
  const { foreignSlug, memberships, random, effort, observe } = tools;
  const [isQuick, isThorough] = [effort === 'quick', effort === 'thorough'];
  const home = memberships.active ?? memberships.all[0];
  expectSuccess(await switchTo(own, home.slug));
  for (let time = 0; time < 2; time += 1) await viewOf(own);
  if (isThorough) await tryKey(own, {}, tools);
  // Sharing deals does not make the user a member: neither a switch nor the header may select such an account.
  const joined = memberships.all.map(({ slug }) => slug);
  const shared = slugsOf(await own.send('GET /me/team-accounts'));
  const sharing = shared.filter((slug) => !joined.includes(slug)).slice(0, 1);
  // The second try may reach another node; it also names the session's own account in X-Active-Account.
  const again = isQuick ? [] : [[foreignSlug, home.slug] as const];
  for (const [slug, account] of [[foreignSlug] as const, ...again, ...sharing.map((one) => [one] as const)]) {
    const reply = await switchTo(own, slug, account);
    if (isThorough) await tryKey(own, {}, tools);
    await viewOf(own);
    // Undo a wrongly accepted switch, so that it does not affect later steps.
    if (wasAccepted(reply)) await switchTo(own, home.slug);
  }
  for (const slug of sharing) await readUnder(own, slug, ['GET /billing/summary', 'GET /billing/credits/balance']);
  await readUnder(own, foreignSlug, isQuick ? reads.slice(0, 3) : reads);
  const first = { query: { limit: 1 } };
  const unknown = await own.send('GET /companies', { ...first, ...under(`covenant-${random.uuid().slice(0, 8)}`) });
  const known = await own.send('GET /companies', { ...first, ...under(foreignSlug) });
  const me = await own.send('GET /me', under(foreignSlug));
  const accounts = await own.send('GET /me/accounts', under(foreignSlug));
  const more = [me, accounts].map(({ operation, status }) => `; ${operation}: foreign ${status}`).join('');
  const answer = `foreign ${known.status}, unknown ${unknown.status}${more}`;
  observe('account-header-foreign-answer', answer, known, unknown, me, accounts);
  if (!isQuick) await tryKey(own, under(foreignSlug), tools);
}

export const foreign = [
  conforms(
    foreignIds,
    { needs: ['session', 'memberships', 'foreignSlug'], writes: [3, 5, 13], reads: 23, validates: [0, 0, 4] },
    async (tools) => {
      const own = tools.api.as(stored(tools.session));
      await withAccountRestored(own, tools.memberships.active, tools, () => tryForeign(own, tools));
    },
  ),

  conforms(
    'account-header-foreign',
    { needs: ['session', 'secondary', 'secondaryValidation'], perhaps: ['account-header-foreign'] },
    async ({ api, session, secondary, secondaryValidation, effort }) => {
      const slugs = await slugsInMe(api.as(secondary));
      const id = at(dataOf(secondaryValidation), 'account_id');
      // What the header must not show.
      if (effort !== 'quick') await api.as(secondary).send('GET /account/team');
      for (const value of [String(id), ...slugs].slice(0, effort === 'quick' ? 1 : 3))
        await readUnder(api.as(session), value, effort === 'quick' ? reads.slice(0, 2) : reads);
    },
  ),
];

/** Balances closer than this, absolutely or as a share, may become equal while others spend credits. */
const [apartMin, apartShare] = [20, 0.05];

/** Whether billing cannot distinguish the two accounts, so that only keys can. */
export const areAlike = (one: View, other: View): boolean =>
  one.every((reply, place) => {
    const second = other[place];
    const values = second ? scalarValuesOf(second) : new Map<string, string>();
    return [...scalarValuesOf(reply)].every(([path, value]) => {
      const [a, b] = [numberIn(value), numberIn(values.get(path))];
      if (a === undefined || b === undefined) return value === (values.get(path) ?? value);
      return Math.abs(a - b) < Math.max(apartMin, apartShare * Math.max(Math.abs(a), Math.abs(b)));
    });
  });

/**
 * Creates a key, validates it (or calls `look`) and lets it revoke itself: no other caller is known to be on its
 * account, and another account may have a key with the same number.
 */
export async function tryKey(
  user: Api,
  under: Pick<Call, 'account' | 'undocumented'>,
  { api, make }: Pick<Tools, 'api' | 'make'>,
  look: (key: Api) => Promise<unknown> = (key) => validate(api, key.credential.token),
): Promise<void> {
  const made = await keyBy(user, make.name('key'), make, under);
  if (made === undefined) return;
  const key = user.as(made.credential);
  await look(key);
  await revokeKey(key, made.id);
}
