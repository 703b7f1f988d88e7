// Unusual billing: records that show when and from what they were made, and credits that the requests themselves use up.
import { apiPath } from '../../lib/catalogue/operations.ts';
import type { Wrap } from '../mutants/mutant.ts';
import { classOf } from '../mutants/wrappers/limiting.ts';
import { firstUnderKeys, isObject, type Json, type Seen, see } from '../mutants/wrappers/mutator.ts';
import { ask, onRecords } from '../mutants/wrappers/records.ts';
import { isSession, tokenOf } from '../mutants/wrappers/tokens.ts';
import type { Handler } from '../reference/index.ts';
import { together, variants } from './variant.ts';

const summary = 'GET /billing/summary';
const balance = 'GET /billing/credits/balance';

/** The operations whose replies show what an account pays and has. */
export const billing = [summary, balance];

/** Changes the credits wherever they are shown; `shown` is what is left of the record beside them. */
export const onCredits = (change: (credits: Json, account: number) => Json, shown = (data: Json): Json => data): Wrap =>
  together([
    onRecords(summary, (data) => shown({ ...data, credits: change(data.credits as Json, Number(data.account_id)) })),
    onRecords(balance, (data) => shown(change(data, Number(data.account_id)))),
  ]);

/** A number of 32 bits that follows from a text (FNV-1a). */
const hashOf = (text: string): number =>
  [...text].reduce((hash, one) => Math.imul(hash ^ (one.codePointAt(0) ?? 0), 0x01000193) >>> 0, 0x811c9dc5);

/** An entity tag of what a record shows. */
export const tagged = (record: Json): Json => ({
  ...record,
  etag: `W/"${hashOf(JSON.stringify(record)).toString(16).padStart(8, '0')}"`,
});

/** The time of the reply is part of the record, and so of its tag. */
const stamped: Wrap = (honest, clock) =>
  onRecords(billing, (record) => tagged({ ...record, as_of: Math.floor(clock.now() / 1_000) }))(honest, clock);

const perWrite = 10;
/** The credits of the two accounts of one user, by what the reference gives them; the others get a hundred times as many. */
const begins = new Map([
  [900, 100_000],
  [275, 98_000],
]);

type AccountOf = (seen: Seen) => Promise<number | undefined>;

/** The account of a request; asked once for each token and X-Active-Account, and anew of sessions after a switch. */
function accounts(honest: Handler): { of: AccountOf; switched(): void } {
  const ofKeys = new Map<string, number>();
  const ofSessions = new Map<string, number>();
  return {
    async of(seen) {
      const known = isSession(seen) ? ofSessions : ofKeys;
      const name = `${tokenOf(seen)} ${seen.request.headers.get('x-active-account')}`;
      if (!known.has(name)) {
        const { data } = await ask(honest, seen, 'GET', `${apiPath}/me`);
        const account = isObject(data) && isObject(data.account) ? Number(data.account.id) : undefined;
        if (account !== undefined) known.set(name, account);
      }
      return known.get(name);
    },
    switched: () => ofSessions.clear(),
  };
}

/** Every write that is carried out costs its account some credits. */
const spentByWrites: Wrap = (honest, clock) => {
  const spent = new Map<number, number>();
  const { of, switched } = accounts(honest);
  // A repetition costs nothing.
  const isFirst = firstUnderKeys();
  const less = (credits: Json, account: number): Json => {
    const whole = begins.get(Number(credits.balance)) ?? Number(credits.balance) * 100;
    return { ...credits, balance: Math.max(0, whole - (spent.get(account) ?? 0)) };
  };
  const shown = onCredits(less)(honest, clock);
  return async (request) => {
    if (request.method === 'GET') return shown(request);
    const seen = await see(request.clone());
    const response = await shown(request);
    if (classOf(seen) !== 'write' || !response.ok) return response;
    if (seen.operation === 'PATCH /me/active-account') switched();
    const account = isFirst(seen) ? await of(seen) : undefined;
    if (account !== undefined) spent.set(account, (spent.get(account) ?? 0) + perWrite);
    return response;
  };
};

export default variants({
  'billing-stamped-and-tagged': {
    why: 'The fields of the billing records are not shown: they may hold the time of the reply and a tag that changes with it.',
    wrap: stamped,
  },
  'billing-credits-spent-by-writes': {
    why: 'What uses up credits is not shown: each write may, and two accounts may have nearly equally many.',
    wrap: spentByWrites,
  },
});
