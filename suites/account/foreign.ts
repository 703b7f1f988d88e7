// Accounts of others: no switch and no header leads there.
import {
  type Api,
  activeAccount,
  at,
  type Context,
  conforms,
  dataOf,
  expectEqual,
  expectStatus,
  expectThat,
  identifiersIn,
  NotTested,
  type OperationId,
  type Reply,
  readAccounts,
  slugsIn,
  validationOf,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { validate } from '../shared/validate.ts';
import { borrowed, switchTo } from './switch.ts';
import { sameLeaves, type View, viewOf } from './view.ts';

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

/** Refused, empty, or what the session sees without the header. */
async function expectNoAccess(own: Api, operation: OperationId, account: string): Promise<void> {
  const query = operation.startsWith('GET /billing') ? {} : { limit: 3 };
  for (let attempt = 1; ; attempt += 1) {
    const reply = await own.send(operation, { query, account });
    if (!wasAccepted(reply) || isEmpty(reply)) return;
    const usual = await own.send(operation, { query });
    if (sameLeaves(reply, usual)) return;
    // Somebody may have changed a record between the two.
    expectThat(attempt < 3, 'X-Active-Account with an account of others should open nothing', {
      expected: 'a refusal, or what is seen without the header',
      actual: dataOf(reply),
      replies: [usual, reply],
    });
  }
}

const foreignIds = [
  'account-active-foreign-slug',
  'account-active-refused-effect',
  'account-header-foreign',
  'account-header-foreign-answer',
] as const;
type Scene = Context<(typeof foreignIds)[number], 'session' | 'memberships' | 'foreignSlug'>;

/** After the refused switch billing is what it was; where it is not, it comes back with the former account. */
async function expectUnmoved(own: Api, before: View, after: View, tools: Scene): Promise<void> {
  const { active } = tools.memberships;
  const changed = before.some((reply, index) => !sameLeaves(reply, after[index === 0 ? 0 : 1]));
  if (!changed || !active) return;
  await switchTo(own, active.slug);
  const again = await viewOf(own);
  const back = before.every((reply, index) => sameLeaves(reply, again[index === 0 ? 0 : 1]));
  expectThat(!back, 'a refused switch should leave the session where it was', {
    expected: dataOf(before[0]),
    actual: dataOf(after[0]) ?? after[0].status,
    replies: [...before, ...after],
  });
}

/** A key made under the header must be of an account of the session, if it is made at all. */
async function judgeKeyUnder(own: Api, value: string, former: string | undefined, tools: Scene): Promise<void> {
  const { api, make, memberships, fact } = tools;
  const reply = await own.send('POST /api-keys', { body: { label: make.name('key') }, account: value });
  if (!wasAccepted(reply)) return;
  const told = await validate(api, make.credential(own.credential, reply).token);
  const allowed = [...memberships.all.flatMap(({ record }) => identifiersIn(record)), former];
  await fact('account-header-foreign', () =>
    expectThat(
      allowed.includes(validationOf(told)?.account),
      'a key made under a foreign header should not be foreign',
      {
        expected: 'a refusal, or a key of an account of the session',
        actual: validationOf(told)?.account,
        replies: [reply, told],
      },
    ),
  );
}

async function judgeForeign(own: Api, tools: Scene): Promise<void> {
  const { foreignSlug, memberships, make, random, effort, fact, observe } = tools;
  const before = await viewOf(own);
  const former = effort === 'quick' ? undefined : await activeAccount(own, make);
  const reply = await switchTo(own, foreignSlug);
  await fact('account-active-foreign-slug', () => expectStatus(reply, 404));
  const after = await viewOf(own);
  const latter = effort === 'quick' ? undefined : await activeAccount(own, make);
  // A switch that was accepted against the rules must not colour what follows.
  if (wasAccepted(reply) && memberships.active) await switchTo(own, memberships.active.slug);
  await fact('account-active-refused-effect', async () => {
    if (wasAccepted(reply)) throw new NotTested('the switch to an account of others was not refused');
    await expectUnmoved(own, before, after, tools);
    expectEqual(latter, former, 'the account of a key made after a refused switch', reply);
  });
  for (const operation of effort === 'quick' ? reads.slice(0, 3) : reads)
    await fact('account-header-foreign', () => expectNoAccess(own, operation, foreignSlug), operation);
  const unknown = await own.send('GET /companies', { query: { limit: 1 }, account: `covenant-${random.uuid()}` });
  const known = await own.send('GET /companies', { query: { limit: 1 }, account: foreignSlug });
  observe('account-header-foreign-answer', `foreign ${known.status}, unknown ${unknown.status}`, known, unknown);
  if (effort !== 'quick') await judgeKeyUnder(own, foreignSlug, former, tools);
}

export const foreign = [
  conforms(foreignIds, { needs: ['session', 'memberships', 'foreignSlug'], writes: true }, async (tools) => {
    const own = tools.api.as(tools.session);
    await borrowed(own, tools.memberships.active, tools, () => judgeForeign(own, tools));
  }),

  conforms(
    'account-header-foreign',
    { needs: ['session', 'secondary', 'secondaryValidation'] },
    async ({ api, session, secondary, secondaryValidation, effort, fact }) => {
      const own = api.as(session);
      const slugs = slugsIn(await api.as(secondary).send('GET /me')).map(({ slug }) => slug);
      const id = at(dataOf(secondaryValidation), 'account_id');
      const listed = (await readAccounts(own)).flatMap(slugsIn);
      const shared = listed.some(
        ({ slug, record }) => slugs.includes(slug) || identifiersIn(record).includes(String(id)),
      );
      if (shared)
        throw new NotTested('the user of COVENANT_JWT is a member of the account of COVENANT_API_KEY_SECONDARY');
      for (const value of [String(id), ...slugs].slice(0, effort === 'quick' ? 1 : 3))
        for (const operation of reads.slice(0, effort === 'quick' ? 2 : 3))
          await fact('account-header-foreign', () => expectNoAccess(own, operation, value), operation);
    },
  ),
];
