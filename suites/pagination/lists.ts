// The lists that paginate: how each is asked, page by page or whole, and how its records are recognised.
import {
  type Api,
  at,
  type Call,
  eventuallySeen,
  expectSuccess,
  type Fixtures,
  identifierOf,
  isObject,
  itemsOf,
  type JsonObject,
  NotTested,
  namesOf,
  type Random,
  type Reply,
  type Tools,
  type Traversal,
  traverse,
  type Way,
  wasAccepted,
} from '../../lib/index.ts';
import { orNothing } from '../shared/attempt.ts';

export const notes = 'GET /companies/{company_id}/notes';
/** The lists whose rows name the parameter limit. */
export const limited = ['GET /api-keys', 'GET /companies', notes, 'GET /contacts'] as const;
export const listIds = ['GET /account/team', ...limited] as const;

/** One list of one account. */
export interface List {
  readonly operation: (typeof listIds)[number];
  readonly api: Api;
  readonly path?: Readonly<Record<string, number>>;
  /** The X-Active-Account beside it. */
  readonly account?: string;
}

export const ask = ({ api, operation, ...list }: List, query: Call['query'] = {}, more: Partial<Call> = {}) =>
  api.send(operation, { ...list, ...more, query });

/** From page to page as the target says; undefined where a page is refused, or is none. */
export const follow = ({ api, ...list }: List, way: Omit<Way, 'operation' | 'mode'>): Promise<Traversal | undefined> =>
  orNothing(traverse(api, { mode: way.query?.sort === undefined ? 'cursor' : 'offset', ...list, ...way }));

/** Longer collections are not traversed; the notes carry the requirements there. */
const longest = 400;

/** All of it, unless it reports that it is too long; a list of so few records has no forty pages. */
export async function readWhole(list: List): Promise<Traversal | undefined> {
  const whole = await follow(list, { limit: 200, pagesMax: 40 });
  return whole && Number(paginationOf(whole.replies[0]).total) <= longest ? whole : undefined;
}

/** Small enough for several pages of several records, large enough for few requests; pages may be shorter. */
export const pagesFor = (count: number, random: Random): Pick<Way, 'limit' | 'pagesMax'> => ({
  limit: Math.max(count > 2 ? 2 : 1, Math.ceil(count / random.int(3, 5))),
  pagesMax: 2 * count + 10,
});

/** Page by page between two readings of the whole; `reader`: another credential of the same user and account. */
export async function readCollection(list: List, random: Random, reader: Api = list.api): Promise<void> {
  const whole = await readWhole(list);
  if (!whole?.complete) return;
  await follow({ ...list, api: reader }, pagesFor(whole.items.length, random));
  await readWhole(list);
}

export const paginationOf = (reply: Reply): JsonObject => {
  const pagination = at(reply.json, 'pagination');
  return isObject(pagination) ? pagination : {};
};

export const nextCursorOf = (reply: Reply): string | undefined => {
  const cursor = paginationOf(reply).next_cursor;
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
};

export const kinds = { 'GET /companies': 'company', [notes]: 'note', 'GET /contacts': 'contact' } as const;

/** What recognises each of its records: the identifier, or all of it. */
export const identitiesOf = (operation: keyof typeof kinds, items: readonly JsonObject[]): string[] =>
  items.map((item) => String(identifierOf(kinds[operation], item) ?? JSON.stringify(item)));
export const shownBy = (operation: keyof typeof kinds, reply: Reply): string[] =>
  identitiesOf(operation, itemsOf(reply));

/** A cursor that the list issued for pages of one record; where it has one page only, another record is made. */
export async function cursorOf(list: List, another: () => Promise<unknown>, clock: Tools['clock']): Promise<string> {
  for (let records = 0; records <= 2; records += 1) {
    if (records > 0) await another();
    const changedAt = records > 0 ? clock.now() : -Infinity;
    const look = () => ask(list, { limit: 1 });
    const first = await eventuallySeen(clock, changedAt, look, (reply) => nextCursorOf(reply) !== undefined);
    expectSuccess(first);
    const cursor = nextCursorOf(first);
    if (cursor !== undefined) return cursor;
  }
  throw new NotTested(`${list.operation} issues no cursor`);
}

/** Whoever asks for its own lists. */
export type Reader = Pick<List, 'api' | 'account'>;

type Opened = Pick<Tools, 'api' | 'random'> & Partial<Pick<Fixtures, 'session' | 'memberships'>>;

/** The session on its own account, and on one that is not stored: there the header says something on every page. */
export async function sessionReaders({ api, session, memberships, random }: Opened): Promise<Reader[]> {
  if (session === undefined) return [];
  const others = memberships?.all.filter(({ slug }) => slug !== memberships.active?.slug) ?? [];
  const [other = memberships && random.pick(memberships.all)] = random.shuffled(others);
  const readers: Reader[] = [];
  // In which form the header names an account is open, and there may be no stored one: the first that opens its lists.
  for (const accounts of [[undefined], other ? [...namesOf(other).values()] : []])
    for (const account of accounts) {
      const reader = { api: api.as(session), ...(account === undefined ? {} : { account }) };
      if (!wasAccepted(await ask({ operation: 'GET /companies', ...reader }, { limit: 1 }))) continue;
      readers.push(reader);
      break;
    }
  return readers;
}
