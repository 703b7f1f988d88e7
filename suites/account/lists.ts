// The lists of accounts, team accounts and team members.
import {
  type Api,
  at,
  conforms,
  dataOf,
  everyReply,
  expectStatus,
  expectSuccess,
  expectThat,
  identifiersIn,
  itemsOf,
  type JsonObject,
  type Membership,
  NotTested,
  namesOf,
  preferenceAmong,
  type Reply,
  readAccounts,
  slugsIn,
  type Tools,
  textsIn,
  wordOf,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { judgeScopedOperation } from '../shared/scoped-operation.ts';
import { shapeOf } from '../shared/shape.ts';
import { hasSlug } from '../shared/slugs.ts';
import { borrowed, stored, switchTo } from '../shared/switch.ts';

const paginated = (reply: Reply): string => (at(reply.json, 'pagination') === undefined ? 'no' : 'yes');

const addressesIn = (value: unknown): string[] => textsIn(value).filter((text) => text.includes('@'));

/** Whether the caller is among the members, by e-mail address, which no two people share. */
function callerAmong(members: readonly JsonObject[], me: Reply): string {
  const own = addressesIn(dataOf(me));
  if (own.length === 0) return 'the caller cannot be recognised';
  return members.some((member) => addressesIn(member).some((one) => own.includes(one)))
    ? 'the caller is among them'
    : 'the caller is not among them';
}

/** Switches to an account and back again. */
async function tryMembership(own: Api, to: Membership, among: readonly Membership[], tools: Tools): Promise<Reply> {
  const former = await preferenceAmong(own, tools.make, among);
  return borrowed(own, former, tools, () => switchTo(own, to.slug));
}

export const lists = [
  everyReply(
    'account-accounts-slugs',
    { over: [], applies: (reply) => reply.operation === 'GET /me/accounts' && wasAccepted(reply) },
    (reply) => {
      const nameless = itemsOf(reply).filter((record) => !hasSlug(record));
      expectThat(nameless.length === 0, 'every listed account should have a slug', {
        expected: 'a slug in each record',
        actual: nameless,
        replies: reply,
      });
    },
  ),

  conforms(
    ['account-accounts-with-key', 'account-accounts-pagination', 'account-team-accounts-fields', 'account-team-fields'],
    { needs: ['accountReader', 'primaryValidation'] },
    async ({ api, primaryValidation, observe }) => {
      const accounts = await readAccounts(api);
      const listed = accounts.flatMap(itemsOf);
      const own = wordOf(at(dataOf(primaryValidation), 'account_id'));
      const among = listed.some((record) => identifiersIn(record).includes(own));
      observe('account-accounts-with-key', `${listed.length}, its own ${among ? '' : 'not '}among them`, ...accounts);
      const team = await api.send('GET /me/team-accounts');
      expectSuccess(team);
      const answer = `accounts: ${paginated(accounts[0])}; team accounts: ${paginated(team)}`;
      observe('account-accounts-pagination', answer, accounts[0], team);
      observe('account-team-accounts-fields', shapeOf(itemsOf(team)[0] ?? itemsOf(team)), team);
      const members = await api.send('GET /account/team', { query: { limit: 200 } });
      expectSuccess(members);
      const me = await api.send('GET /me');
      const fields = `${shapeOf(itemsOf(members)[0] ?? itemsOf(members))}; ${callerAmong(itemsOf(members), me)}`;
      observe('account-team-fields', fields, members, me);
    },
  ),

  conforms('account-accounts-fields', { needs: ['session'] }, async ({ api, session, observe }) => {
    const [reply] = await readAccounts(api.as(session));
    observe('account-accounts-fields', shapeOf(itemsOf(reply)[0] ?? itemsOf(reply)), reply);
  }),

  conforms('account-accounts-complete', { needs: ['session'], writes: 0 }, async ({ session, check, ...tools }) => {
    const own = tools.api.as(stored(session));
    const replies = await readAccounts(own);
    const listed = replies.flatMap(slugsIn);
    const me = await own.send('GET /me');
    const known = slugsIn(me);
    const unlisted = known.filter(({ slug }) => !listed.some((one) => one.slug === slug)).slice(0, 3);
    const tried: { slug: string; reply: Reply }[] = [];
    for (const one of unlisted)
      tried.push({ slug: one.slug, reply: await tryMembership(own, one, [...listed, ...known], tools) });
    const missing = tried.filter(({ reply }) => wasAccepted(reply));
    if (missing.length === 0 && listed.length < 2)
      throw new NotTested('GET /me/accounts and GET /me show fewer than two accounts of the user of COVENANT_JWT');
    await check('account-accounts-complete', () =>
      expectThat(missing.length === 0, 'every account that the session may switch to should be listed', {
        expected: missing.map(({ slug }) => slug),
        actual: listed.map(({ slug }) => slug),
        replies: [...replies, me, ...missing.map(({ reply }) => reply)],
      }),
    );
  }),

  conforms(
    'account-team-accounts-scope',
    { needs: ['accountReader', 'restricted'] },
    async ({ api, restricted, random, check }) => {
      expectSuccess(await api.send('GET /me/team-accounts'));
      await judgeScopedOperation('GET /me/team-accounts', api.as(restricted), { random, others: api }, (expectation) =>
        check('account-team-accounts-scope', expectation),
      );
    },
  ),

  conforms(
    ['account-team-accounts-undetermined', 'account-team-accounts-remedy'],
    { needs: ['accountReader', 'accountlessSession'] },
    async ({ api, accountlessSession, check, observe, atEnd }) => {
      expectSuccess(await api.send('GET /me/team-accounts'));
      const lost = api.as(accountlessSession);
      const accounts = await lost.send('GET /me/accounts');
      expectSuccess(accounts);
      const look = async () => {
        for (let time = 0; time < 3; time += 1) {
          const refused = await lost.send('GET /me/team-accounts');
          await check('account-team-accounts-undetermined', () => expectStatus(refused, 400));
        }
      };
      await look();
      atEnd(look);
      const [choice] = slugsIn(accounts);
      if (!choice) return observe('account-team-accounts-remedy', 'the session has no account to choose', accounts);
      const remedies: Reply[] = [];
      for (const account of [...namesOf(choice).values()].slice(0, 4))
        remedies.push(await lost.send('GET /me/team-accounts', { account }));
      // The header is for one request: whatever came of it, the next one has no account again.
      await look();
      observe('account-team-accounts-remedy', remedies.some(wasAccepted) ? 'yes' : 'no', ...remedies);
    },
  ),
];
