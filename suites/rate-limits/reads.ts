// Reads for when a class is spent, and credentials of other accounts.
import {
  type Api,
  at,
  type Call,
  type Company,
  type Credential,
  NotTested,
  type OperationId,
  type RateClass,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { isRefused, type Send } from './burst.ts';
import { looksKept } from './spent.ts';

const reads = [
  'GET /me',
  'GET /me/accounts',
  'GET /me/team-accounts',
  'GET /account/team',
  'GET /api-keys',
  'GET /billing/summary',
  'GET /billing/credits/balance',
  'GET /companies',
  'GET /companies/{company_id}',
  'GET /companies/{company_id}/notes',
  'GET /contacts',
] as const satisfies readonly OperationId[];

type Query = NonNullable<Call['query']>;

/** The first credential of another account than the exhausted one. */
export const otherThan = (exhausted: Credential, others: readonly Credential[]): Credential | undefined =>
  others.find(({ accounts }) => !accounts.some((account) => exhausted.accounts.includes(account)));

/** One credential per other account; none that shares an account with the exhausted or an earlier one. */
export const othersThan = (exhausted: Credential, all: readonly (Credential | undefined)[]): readonly Credential[] =>
  all.flatMap((one, place) => {
    if (one === undefined || otherThan(exhausted, [one]) === undefined) return [];
    return all.slice(0, place).some((former) => former && otherThan(former, [one]) === undefined) ? [] : [one];
  });

/** Reserves requests for each credential; call the result to release them. */
export async function keepRoom(
  limits: Tools['limits'],
  credentials: readonly Credential[],
  rate: RateClass,
): Promise<() => void> {
  const leave = await Promise.all(credentials.map((one) => limits.reserve(one, rate, looksKept)));
  return () => {
    for (const one of leave) one();
  };
}

/** Sends a request before another class is spent; after a 429 again in two minutes, as some limiters count so long. */
export async function controlOf(send: Send, { clock, limits }: Pick<Tools, 'clock' | 'limits'>): Promise<Reply> {
  const reply = await send();
  if (!isRefused(reply)) return reply;
  await clock.sleep(2 * limits.minuteMs);
  return send();
}

export const accepting =
  (api: Api, operation: OperationId, call: Call = {}) =>
  (): Promise<Reply> =>
    api.send(operation, { ...call, throttle: 'accept' });

/** Headers that change nothing about a request; it still counts. */
export const besides = (random: Tools['random'], slug: string | undefined): Call =>
  random.pick<Call>([
    { headers: { 'x-origin-app': 'covenant, another part' } },
    { headers: { accept: '*/*' } },
    slug === undefined ? { headers: { 'accept-language': 'en' } } : { account: slug },
  ]);

const limited = (random: Tools['random']): number => random.pick([1, 2, random.int(3, 199), 200]);

/** List parameters; a target need not support `sort`. */
const queries: { readonly [Id in OperationId]?: (random: Tools['random']) => readonly [Query, ...Query[]] } = {
  'GET /companies': (random) => [{ limit: limited(random) }, { fields: 'name' }, { sort: '-created_at', limit: 5 }],
  'GET /contacts': (random) => [{ limit: limited(random) }, { fields: 'last_name', limit: 3 }, { sort: 'created_at' }],
  'GET /api-keys': (random) => [{ limit: limited(random) }, { offset: 0 }, { limit: 2, offset: 1 }],
  // The limit is 1: a page with a cursor to the next one.
  'GET /companies/{company_id}/notes': () => [{ limit: 1 }],
};

/** A varied read: a list with parameters, other operations with a header. */
const variedCall = (operation: OperationId, random: Tools['random'], slug: string | undefined): Call => {
  const asked = queries[operation]?.(random);
  return asked ? { query: random.pick(asked) } : besides(random, slug);
};

const listNotes = 'GET /companies/{company_id}/notes';

/** A page of one note with a cursor to the next page. */
export const firstPage = (api: Api, company: Company): Send =>
  accepting(api, listNotes, { path: { company_id: company.id }, query: { limit: 1 } });

/** The next page, if there is one. */
export function nextPage(api: Api, company: Company, page: Reply | undefined): readonly Send[] {
  const cursor = at(page?.json, 'pagination', 'next_cursor');
  if (typeof cursor !== 'string') return [];
  return [accepting(api, listNotes, { path: { company_id: company.id }, query: { limit: 1, cursor } })];
}

/** Each read twice: plain, and with parameters or a header. */
export function readLooks(
  api: Api,
  company: Company,
  random: Tools['random'],
  slug: string | undefined,
): readonly Send[] {
  const path = { company_id: company.id };
  return reads.flatMap((operation) => {
    const plain = operation.includes('{') ? { path } : {};
    const varied = { ...plain, ...variedCall(operation, random, slug) };
    return [accepting(api, operation, plain), accepting(api, operation, varied)];
  });
}

/** `count` different reads, each as sent by every caller. */
export function sameReads(
  callers: readonly Api[],
  company: number,
  random: Tools['random'],
  count: number,
): readonly (readonly Send[])[] {
  const path = { company_id: company };
  return random
    .shuffled(reads)
    .slice(0, count)
    .map((operation) => {
      const call = { ...(operation.includes('{') ? { path } : {}), ...variedCall(operation, random, undefined) };
      return callers.map((api) => accepting(api, operation, call));
    });
}

/** Why nothing shows whether accounts are counted apart. */
export const noOther = new NotTested('there is no key of another account to try');
