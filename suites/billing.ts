// Endpoints / Billing: who may see the subscription and the credits of the active account.
import {
  conforms,
  dataOf,
  expectSuccess,
  isObject,
  type JsonObject,
  type Reply,
  suite,
  walk,
  wasAccepted,
} from '../lib/index.ts';
import { shapeOf } from './shared/answer.ts';
import { namesScope, scopeCase } from './shared/scopes.ts';

/** Every number in a record, as text. */
const numbersIn = (record: unknown): Set<string> =>
  new Set(walk(record).flatMap(({ value }) => (typeof value === 'number' ? [String(value)] : [])));

const shares = (summary: unknown, credits: JsonObject): boolean => {
  const inSummary = numbersIn(summary);
  return [...numbersIn(credits)].some((amount) => inSummary.has(amount));
};

/** GET /me names every scope that a token has. */
const lacksBilling = (me: Reply): boolean => wasAccepted(me) && !namesScope(dataOf(me), 'billing:read');

const closed = [
  ['billing-summary-scope', 'GET /billing/summary'],
  ['billing-credits-scope', 'GET /billing/credits/balance'],
] as const;

export default suite('billing', [
  ...closed.map(([id, operation]) => scopeCase(id, operation, 'billing')),

  conforms(
    ['billing-summary-scope', 'billing-credits-scope'],
    { needs: ['billing', 'restricted'], wants: ['accountlessSession'] },
    async ({ api, restricted, accountlessSession, effort, atEnd }) => {
      for (const [, operation] of closed) expectSuccess(await api.send(operation));
      const accountless = effort === 'quick' ? undefined : accountlessSession && api.as(accountlessSession);
      const lacks = accountless && lacksBilling(await accountless.send('GET /me'));
      const look = async () => {
        for (const [, operation] of [...closed, ...closed]) {
          await api.as(restricted).send(operation);
          if (lacks) await accountless.send(operation);
        }
      };
      await look();
      if (effort === 'quick') return;
      // Again at the end of the run.
      atEnd(look);
    },
  ),

  conforms(
    ['billing-summary-fields', 'billing-credits-fields', 'billing-credits-agree'],
    { needs: ['billing'] },
    async ({ api, observe }) => {
      const summary = await api.send('GET /billing/summary');
      const credits = await api.send('GET /billing/credits/balance');
      expectSuccess(summary);
      expectSuccess(credits);
      observe('billing-summary-fields', shapeOf(dataOf(summary)), summary);
      observe('billing-credits-fields', shapeOf(dataOf(credits)), credits);
      const record = dataOf(credits);
      const agree = isObject(record) && shares(dataOf(summary), record);
      observe('billing-credits-agree', agree ? 'yes' : 'no amount is in both', summary, credits);
    },
  ),
]);
