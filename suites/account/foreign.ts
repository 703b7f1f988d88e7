// Accounts of others: no switch and no header leads there.
import {
  type Api,
  at,
  type Context,
  conforms,
  dataOf,
  expectStatus,
  expectSuccess,
  expectThat,
  identifiersIn,
  type Memberships,
  NotTested,
  type OperationId,
  type Reply,
  readAccounts,
  slugsIn,
} from '../../lib/index.ts';
import { agrees } from '../shared/account-view.ts';
import { accountOfNewKey, expectBillingKept, expectKeysKept, keyMadeUnder, placeOf } from '../shared/active-account.ts';
import { wasAccepted } from '../shared/answer.ts';
import { slugsInMe } from '../shared/slugs.ts';
import { borrowed, stored, switchTo } from '../shared/switch.ts';

/** Reads of the active account; a quick run takes the first three. */
const reads: readonly OperationId[] = [
  'GET /billing/summary',
  'GET /companies',
  'GET /billing/credits/balance',
  'GET /contacts',
  'GET /account/team',
  'GET /me/team-accounts',
];

const isEmpty = (reply: Reply): boolean => {
  const data = dataOf(reply);
  return data === null || data === undefined || (Array.isArray(data) && data.length === 0);
};

const attemptsMax = 3;

/** What is answered under it is open, but for what it must not show. */
const under = (account: string) => ({ account, undocumented: true }) as const;

/** Refused, empty, or what the session sees without the header. */
async function expectNoAccess(own: Api, operation: OperationId, account: string): Promise<void> {
  const query = operation.startsWith('GET /billing') ? {} : { limit: 3 };
  const before: Reply[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const reply = await own.send(operation, { query, ...under(account) });
    if (!wasAccepted(reply) || isEmpty(reply)) return;
    const usual = [await own.send(operation, { query }), await own.send(operation, { query })] as const;
    if (agrees(reply, [...usual, ...before])) return;
    // Another user may have changed a record between the two, and of several nodes that take turns each may show it otherwise.
    before.push(...usual, await own.send(operation, { query }));
    expectThat(attempt < attemptsMax, 'X-Active-Account with an account of others should open nothing', {
      expected: 'a refusal, or what is seen without the header',
      actual: dataOf(reply),
      replies: [...usual, reply],
    });
  }
}

const foreignIds = [
  'account-active-foreign-slug',
  'account-active-refused-effect',
  'account-header-foreign',
  'account-header-foreign-answer',
] as const;
type ForeignContext = Context<(typeof foreignIds)[number], 'session' | 'memberships' | 'foreignSlug'>;

/** A key made under the header must be of an account of the session, if it is made at all. */
async function judgeKeyUnder(
  own: Api,
  value: string,
  former: string | undefined,
  tools: ForeignContext,
): Promise<void> {
  const { memberships, check } = tools;
  // Where the header is ignored the key is one of the session's own account.
  const made = await keyMadeUnder(under(value), own, tools);
  if (!made) return;
  // Its former account where keys were asked for it.
  const listed = [...memberships.all.flatMap(({ record }) => identifiersIn(record)), former];
  // The lists may show other identifiers than validation does.
  const allowed = listed.includes(made.account) ? listed : [await accountOfNewKey(own, tools)];
  await check('account-header-foreign', () =>
    expectThat(allowed.includes(made.account), 'a key made under a foreign header should not be foreign', {
      expected: 'a refusal, or a key of an account of the session',
      actual: made.account,
      replies: made.replies,
    }),
  );
}

/** An account that shares deals, and of which the user is not a member: sharing opens neither a switch nor a header. */
async function partnersOf(own: Api, { all }: Memberships): Promise<readonly string[]> {
  const joined = all.map(({ slug }) => slug);
  const shown = slugsIn(await own.send('GET /me/team-accounts')).map(({ slug }) => slug);
  return shown.filter((slug) => !joined.includes(slug)).slice(0, 1);
}

async function judgeForeign(own: Api, tools: ForeignContext): Promise<void> {
  const { foreignSlug, memberships, random, effort, check, observe } = tools;
  const home = memberships.active ?? memberships.all[0];
  // A session without a stored account would be nowhere.
  if (!memberships.active) expectSuccess(await switchTo(own, home.slug));
  const place = await placeOf(own, home.slug, effort === 'thorough', tools);
  const partners = await partnersOf(own, memberships);
  // Twice: a second node may answer the second time, and where the session is stands beside it.
  const again = effort === 'quick' ? [] : [[foreignSlug, home.slug] as const];
  for (const [slug, account] of [[foreignSlug] as const, ...again, ...partners.map((one) => [one] as const)]) {
    const reply = await switchTo(own, slug, account);
    // Whoever does not know the account by what the header names may say that first.
    const further = account === undefined ? [] : [400, 403, 422];
    await check('account-active-foreign-slug', () => expectStatus(reply, 404, ...further));
    await check('account-active-refused-effect', async () => {
      if (wasAccepted(reply)) throw new NotTested('the switch to an account of others was not refused');
      await expectKeysKept(own, place, tools);
      await expectBillingKept(own, place, tools);
    });
    // A switch that was accepted against the rules must not affect what follows.
    if (wasAccepted(reply) && place.slug !== undefined) await switchTo(own, place.slug);
  }
  for (const slug of partners)
    for (const operation of ['GET /billing/summary', 'GET /billing/credits/balance'] as const)
      await check('account-header-foreign', () => expectNoAccess(own, operation, slug), operation);
  for (const operation of effort === 'quick' ? reads.slice(0, 3) : reads)
    await check('account-header-foreign', () => expectNoAccess(own, operation, foreignSlug), operation);
  const unknown = await own.send('GET /companies', { query: { limit: 1 }, ...under(`covenant-${random.uuid()}`) });
  const known = await own.send('GET /companies', { query: { limit: 1 }, ...under(foreignSlug) });
  const others = [
    await own.send('GET /me', under(foreignSlug)),
    await own.send('GET /me/accounts', under(foreignSlug)),
  ];
  const more = others.map(({ operation, status }) => `; ${operation}: foreign ${status}`).join('');
  const answer = `foreign ${known.status}, unknown ${unknown.status}${more}`;
  observe('account-header-foreign-answer', answer, known, unknown, ...others);
  if (effort !== 'quick') await judgeKeyUnder(own, foreignSlug, place.account, tools);
}

export const foreign = [
  conforms(
    foreignIds,
    { needs: ['session', 'memberships', 'foreignSlug'], writes: [3, 5, 13], reads: 23, validates: [0, 0, 4] },
    async (tools) => {
      const own = tools.api.as(stored(tools.session));
      await borrowed(own, tools.memberships.active, tools, () => judgeForeign(own, tools));
    },
  ),

  conforms(
    'account-header-foreign',
    { needs: ['session', 'secondary', 'secondaryValidation'], perhaps: ['account-header-foreign'] },
    async ({ api, session, secondary, secondaryValidation, effort, check }) => {
      const own = api.as(session);
      const slugs = await slugsInMe(api.as(secondary));
      const id = at(dataOf(secondaryValidation), 'account_id');
      const listed = (await readAccounts(own)).flatMap(slugsIn);
      const shared = listed.some(
        ({ slug, record }) => slugs.includes(slug) || identifiersIn(record).includes(String(id)),
      );
      // An account of its own is not foreign; COVENANT_FOREIGN_SLUG is, above.
      if (shared) return;
      for (const value of [String(id), ...slugs].slice(0, effort === 'quick' ? 1 : 3))
        for (const operation of effort === 'quick' ? reads.slice(0, 2) : reads)
          await check('account-header-foreign', () => expectNoAccess(own, operation, value), operation);
    },
  ),
];
