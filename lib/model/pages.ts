// The list pages that a run read; in cursor mode each with the pages before it.
import type { OperationId } from '../catalogue/operations.ts';
import {
  at,
  dataOf,
  identifierOf,
  isObject,
  itemsOf,
  type JsonObject,
  type RecordKind,
  type Reply,
} from '../client/reply.ts';
import type { Callers } from './callers.ts';
import { fieldsOf, isShown, listNotes, pathOf, queryOf, rangeAskedOf } from './request.ts';

const listed: { readonly [Id in OperationId]?: RecordKind } = {
  'GET /companies': 'company',
  [listNotes]: 'note',
  'GET /contacts': 'contact',
};

export interface ListPage {
  readonly reply: Reply;
  readonly operation: OperationId;
  readonly kind: RecordKind;
  readonly view: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly items: readonly JsonObject[];
  /** Undefined where a record lacks its identifier. */
  readonly ids: readonly string[] | undefined;
  readonly total: number;
  readonly hasMore: boolean;
  /** Undefined in cursor mode. */
  readonly offset: number | undefined;
  /** In cursor mode the pages from the first to this one; undefined where they are unknown. */
  readonly chain: readonly ListPage[] | undefined;
  /** The cursor, if any, was given to the same view. The `total` under a foreign cursor is not defined. */
  readonly isOwn: boolean;
}

type Names = ReadonlyMap<RecordKind, readonly string[]>;

/** The members that hold the identifier in a whole record. With `fields`, only one of them may be left. */
function namesIn(replies: readonly Reply[]): Names {
  const names = new Map<RecordKind, readonly string[]>();
  for (const reply of replies) {
    const kind = reply.operation && listed[reply.operation];
    const [item] = kind === undefined || names.has(kind) || fieldsOf(reply) ? [] : itemsOf(reply);
    const id = kind && identifierOf(kind, item);
    if (kind === undefined || item === undefined || id === undefined) continue;
    const holding = Object.keys(item).filter((name) => item[name] === id);
    if (holding.length > 0) names.set(kind, holding);
  }
  return names;
}

/** The identifier of a listed record, read from the same members as in a whole record. */
function idIn(kind: RecordKind, item: JsonObject, reply: Reply, names: Names): number | string | undefined {
  const known = fieldsOf(reply) && names.get(kind);
  if (known === undefined) return identifierOf(kind, item);
  const holding = known.find((name) => Object.hasOwn(item, name));
  return holding === undefined ? undefined : identifierOf(kind, { [holding]: item[holding] });
}

/** Other defects of a page are judged elsewhere. */
function pageOf(reply: Reply, view: string | undefined, names: Names): ListPage | undefined {
  const { operation } = reply;
  const kind = operation && listed[operation];
  if (operation === undefined || kind === undefined || !isShown(reply)) return undefined;
  const pagination = at(reply.json, 'pagination');
  if (view === undefined || !isObject(pagination) || !Array.isArray(dataOf(reply))) return undefined;
  const { total, has_more } = pagination;
  if (!Number.isInteger(total) || typeof has_more !== 'boolean') return undefined;
  const query = queryOf(reply);
  const items = itemsOf(reply);
  const ids = items.flatMap((item) => idIn(kind, item, reply, names) ?? []).map(String);
  return {
    ...{ reply, operation, kind, view, items, total: Number(total), hasMore: has_more },
    ...{ path: pathOf(reply), query, chain: undefined, isOwn: true },
    ids: ids.length === items.length ? ids : undefined,
    offset: isByOffset(reply) ? rangeAskedOf(reply).offset : undefined,
  };
}

export const countOf = (pages: readonly ListPage[]): number => pages.reduce((sum, { items }) => sum + items.length, 0);

/** Whether a page is in offset mode. Without sort or offset in the request: it has an offset and no next cursor. */
export function isByOffset({ operation, request, json }: Reply): boolean {
  const pagination = at(json, 'pagination');
  if (!isObject(pagination) || !Object.hasOwn(pagination, 'offset')) return false;
  const query = queryOf({ request });
  const { offset, has_more, next_cursor } = pagination;
  const leadsOn = typeof next_cursor === 'string' && next_cursor !== '';
  // One form of pagination may serve both modes, with null where a member does not apply.
  const isOfBoth = 'cursor' in pagination || 'next_cursor' in pagination;
  if (operation === 'GET /api-keys') return true;
  if (query.has('sort') || query.has('offset')) return !(isOfBoth && (offset === null || leadsOn));
  if (offset === null || query.has('cursor')) return false;
  return !leadsOn && !(has_more === false && isOfBoth);
}

/** All pages of companies, contacts and notes in the order of the replies. */
export function pagesOf(replies: readonly Reply[], callers: Callers): readonly ListPage[] {
  /** The pages that gave each cursor. The last of them counts: a client sends nothing but the cursor. */
  const givers = new Map<string, ListPage[]>();
  const given = new Set<string>();
  const names = namesIn(replies);
  return replies.flatMap((reply) => {
    const bare = pageOf(reply, callers.viewOf(reply), names);
    if (bare === undefined) return [];
    const { view, path, query } = bare;
    // A cursor belongs to the parameters of the request that returned it.
    const place = (cursor: string): string => [view, path, query.get('limit'), query.get('fields'), cursor].join(' ');
    const cursor = query.get('cursor');
    const giver = givers.get(place(cursor ?? ''))?.findLast((one) => one.reply.id <= reply.after);
    const former = cursor === null ? [] : giver?.chain;
    const isByCursor = !query.has('sort') && !query.has('offset') && !isByOffset(reply);
    const isOwn = cursor === null || given.has(`${view} ${path} ${cursor}`);
    const page: ListPage = {
      ...bare,
      isOwn,
      chain: isByCursor && former !== undefined ? [...former, bare] : undefined,
    };
    const next = at(reply.json, 'pagination', 'next_cursor');
    if (typeof next === 'string') given.add(`${view} ${path} ${next}`);
    if (typeof next === 'string') givers.set(place(next), [...(givers.get(place(next)) ?? []), page]);
    return [page];
  });
}
