// The lists that paginate: how each is requested, page by page or whole, and how its records are recognised.
import {
  type Api,
  at,
  type Call,
  identifierOf,
  isObject,
  itemsOf,
  type JsonObject,
  type Random,
  type Reply,
  type Traversal,
  traverse,
  type Way,
} from '../../lib/index.ts';
import { unlessMismatch } from '../shared/unless.ts';

export const notes = 'GET /companies/{company_id}/notes';
/** The lists whose rows name the parameter limit. */
export const limited = ['GET /api-keys', 'GET /companies', notes, 'GET /contacts'] as const;
export const listIds = ['GET /account/team', ...limited] as const;

/** What a traversal of an unchanged list shows. */
export const traversalIds = [
  'pagination-traversal-complete',
  'pagination-traversal-once',
  'pagination-traversal-ends',
  'pagination-total-exact',
  'pagination-total-constant',
  'pagination-has-more-remains',
  'pagination-has-more-last',
] as const;

/** One list of one account. */
export interface List {
  readonly operation: (typeof listIds)[number];
  readonly api: Api;
  readonly path?: Readonly<Record<string, number>>;
  /** The value of X-Active-Account. */
  readonly account?: string;
}

export const ask = ({ api, operation, ...list }: List, query: Call['query'] = {}, more: Partial<Call> = {}) =>
  api.send(operation, { ...list, ...more, query });

/** Follows the pages as the target says; undefined if one is refused or malformed. */
export const follow = ({ api, ...list }: List, way: Omit<Way, 'operation' | 'mode'>): Promise<Traversal | undefined> =>
  unlessMismatch(traverse(api, { mode: way.query?.sort === undefined ? 'cursor' : 'offset', ...list, ...way }));

/** Longer lists are not traversed; there the requirements are judged on notes. */
const longest = 400;

/** The whole list, unless its total is too high; so few records never have forty pages. */
export async function readWhole(list: List): Promise<Traversal | undefined> {
  const whole = await follow(list, { limit: 200, pagesMax: 40 });
  return whole && Number(paginationOf(whole.replies[0]).total) <= longest ? whole : undefined;
}

/** A limit that gives several pages of several records with few requests; pages may be shorter. */
export const pagesFor = (count: number, random: Random): Pick<Way, 'limit' | 'pagesMax'> => ({
  limit: Math.max(count > 2 ? 2 : 1, Math.ceil(count / random.int(3, 5))),
  pagesMax: 2 * count + 10,
});

/** Reads page by page between two whole reads; `reader`: another credential of the same user and account. */
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

export const kinds = { 'GET /companies': 'company', [notes]: 'note', 'GET /contacts': 'contact' } as const;

/** The identifier of each record, or else all of it. */
export const identitiesOf = (operation: keyof typeof kinds, items: readonly JsonObject[]): string[] =>
  items.map((item) => String(identifierOf(kinds[operation], item) ?? JSON.stringify(item)));
export const shownBy = (operation: keyof typeof kinds, reply: Reply): string[] =>
  identitiesOf(operation, itemsOf(reply));
