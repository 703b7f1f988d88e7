// Cases that try accounts of which the session's user is not a member, by a switch and by X-Active-Account.
import {
  type Api,
  at,
  type Call,
  type Context,
  conforms,
  dataOf,
  expectSuccess,
  type OperationId,
} from '../../lib/index.ts';
import { slugsInMe, slugsOf, wasAccepted } from '../shared/answer.ts';
import { borrowed, stored, switchTo, viewOf } from '../shared/switch.ts';
import { accountViews } from './view-rules.ts';
import { tryKey } from './views.ts';

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
  const partners = shared.filter((slug) => !joined.includes(slug)).slice(0, 1);
  // The second try may reach another node; it also names the session's own account in X-Active-Account.
  const again = isQuick ? [] : [[foreignSlug, home.slug] as const];
  for (const [slug, account] of [[foreignSlug] as const, ...again, ...partners.map((one) => [one] as const)]) {
    const reply = await switchTo(own, slug, account);
    if (isThorough) await tryKey(own, {}, tools);
    await viewOf(own);
    // Undo a switch that the target should have refused, so that it does not affect later steps.
    if (wasAccepted(reply)) await switchTo(own, home.slug);
  }
  for (const slug of partners) await readUnder(own, slug, ['GET /billing/summary', 'GET /billing/credits/balance']);
  await readUnder(own, foreignSlug, isQuick ? reads.slice(0, 3) : reads);
  const first = { query: { limit: 1 } };
  const unknown = await own.send('GET /companies', { ...first, ...under(`covenant-${random.uuid()}`) });
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
      await borrowed(own, tools.memberships.active, tools, () => tryForeign(own, tools));
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
