// Cases that read the profile, accounts, team accounts and team, and observe what the document leaves open.
import {
  type Api,
  at,
  type Context,
  conforms,
  dataOf,
  expectSuccess,
  identifiersIn,
  itemsOf,
  type JsonObject,
  keyMaximum,
  namesOf,
  preferenceAmong,
  type Reply,
  readAccounts,
  slugsIn,
  textsIn,
  wordOf,
} from '../../lib/index.ts';
import { shapeOf, wasAccepted } from '../shared/answer.ts';
import { probeScopes, scopeCase } from '../shared/scopes.ts';
import { stored, switchTo, withAccountRestored } from '../shared/switch.ts';
import { readSample } from '../walk/reads.ts';

const paginated = (reply: Reply): string => (at(reply.json, 'pagination') === undefined ? 'no' : 'yes');
const addressesIn = (value: unknown): string[] => textsIn(value).filter((text) => text.includes('@'));
const firstShape = (list: Reply): string => shapeOf(itemsOf(list)[0] ?? itemsOf(list));

/** Finds the caller among the members by e-mail address, which is unique. */
function callerAmong(members: readonly JsonObject[], me: Reply): string {
  const own = addressesIn(dataOf(me));
  if (own.length === 0) return 'the caller cannot be recognised';
  return members.some((member) => addressesIn(member).some((one) => own.includes(one)))
    ? 'the caller is among them'
    : 'the caller is not among them';
}

type Observe = Context<'account-me-fields', never>['observe'];

/** Reads the profile of a key or a session, and sends the operations that need a scope. */
async function readProfileAs(api: Api, who: string, observe: Observe): Promise<Reply> {
  const me = await api.send('GET /me');
  expectSuccess(me);
  await probeScopes(api);
  observe('account-me-fields', `for a ${who}: ${shapeOf(dataOf(me))}`, me);
  return me;
}

export const reads = [
  conforms(
    ['account-me-rate-limits', 'account-me-scopes', 'account-me-key-maximum', 'account-me-fields'],
    {},
    async ({ api, observe }) => {
      const me = await readProfileAs(api, 'key', observe);
      const found = keyMaximum(me);
      observe('account-me-key-maximum', found ? `${found.path.join('.')}: ${found.value}` : 'not found', me);
    },
  ),

  conforms(
    // The rules judge its limits, too; with keys alone these are tested on keys.
    ['account-me-scopes', 'account-me-fields'],
    { needs: ['session'] },
    async ({ api, session, observe }) => void (await readProfileAs(api.as(session), 'session', observe)),
  ),

  ...(['secondary', 'restricted'] as const).map((other) =>
    conforms('account-me-caller', { needs: [other] }, async ({ api, random, effort, ...callers }) => {
      await api.send('GET /me');
      await api.as(callers[other]).send('GET /me');
      if (other === 'restricted' && effort !== 'quick') await readSample(api.as(callers[other]), random);
    }),
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
      observe('account-team-accounts-fields', firstShape(team), team);
      const members = await api.send('GET /account/team', { query: { limit: 200 } });
      expectSuccess(members);
      const me = await api.send('GET /me');
      observe('account-team-fields', `${firstShape(members)}; ${callerAmong(itemsOf(members), me)}`, members, me);
    },
  ),

  conforms('account-accounts-fields', { needs: ['session'] }, async ({ api, session, observe }) => {
    const [reply] = await readAccounts(api.as(session));
    observe('account-accounts-fields', firstShape(reply), reply);
  }),

  conforms('account-accounts-complete', { needs: ['session'], writes: 0 }, async ({ session, ...tools }) => {
    const own = tools.api.as(stored(session));
    const listed = (await readAccounts(own)).flatMap(slugsIn);
    const known = slugsIn(await own.send('GET /me'));
    // If a switch to a slug that only GET /me shows succeeds, the account list is incomplete.
    for (const { slug } of known
      .filter((one) => !listed.some((other) => other.slug.toLowerCase() === one.slug.toLowerCase()))
      .slice(0, 3)) {
      const former = await preferenceAmong(own, tools.make, [...listed, ...known]);
      await withAccountRestored(own, former, tools, () => switchTo(own, slug));
    }
  }),

  scopeCase('account-team-accounts-scope', 'GET /me/team-accounts', 'accountReader'),

  conforms(
    ['account-team-accounts-undetermined', 'account-team-accounts-remedy'],
    { needs: ['accountReader', 'accountlessSession'] },
    async ({ api, accountlessSession, observe, atEnd }) => {
      expectSuccess(await api.send('GET /me/team-accounts'));
      const accountless = api.as(accountlessSession);
      const accounts = await accountless.send('GET /me/accounts');
      expectSuccess(accounts);
      const look = async () => {
        for (let time = 0; time < 3; time += 1) await accountless.send('GET /me/team-accounts');
      };
      await look();
      atEnd(look);
      const [choice] = slugsIn(accounts);
      if (!choice) return observe('account-team-accounts-remedy', 'the session has no account to choose', accounts);
      const replies: Reply[] = [];
      for (const account of [...namesOf(choice).values()].slice(0, 4))
        replies.push(await accountless.send('GET /me/team-accounts', { account }));
      // The header applies to one request only: the next one has no account again.
      await look();
      observe('account-team-accounts-remedy', replies.some(wasAccepted) ? 'yes' : 'no', ...replies);
    },
  ),
];
