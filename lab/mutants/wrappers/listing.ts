// Wrong ways to page: lists served by the wrapper from what the honest server has, and replies with other pagination.

import type { Handler } from '../../reference/index.ts';
import type { Wrap } from '../mutant.ts';
import type { Json } from './mutator.ts';
import { altered, instead, onSuccess, refusal, rewritten, type Seen } from './mutator.ts';

export const queried = ({ url }: Seen, name: string): string | null => url.searchParams.get(name);
/** Requests of these operations whose query fits. */
export const pageOf =
  (operation: string | readonly string[], fits: (query: URLSearchParams) => boolean = () => true) =>
  (seen: Seen): boolean =>
    [operation].flat().includes(seen.operation) && fits(seen.url.searchParams);

export const isFirst = (query: URLSearchParams): boolean => !query.has('cursor') && !query.has('sort');
export const isLater = (query: URLSearchParams): boolean => query.has('cursor');
export const isSorted = (query: URLSearchParams): boolean => query.has('sort') && !query.has('cursor');

/** Changes pagination; a member set to undefined is left out. */
export const onPagination = (
  when: (seen: Seen) => boolean,
  change: (pagination: Json, seen: Seen, data: Json[]) => Json,
): Wrap =>
  onSuccess(when, (json, seen) => {
    const pagination = json.pagination as Json;
    return { ...json, pagination: { ...pagination, ...change(pagination, seen, json.data as Json[]) } };
  });

/** Passes the request on with another query; null leaves a parameter out. */
export const withQuery = (
  when: (seen: Seen) => boolean,
  change: (seen: Seen) => Readonly<Record<string, string | null>>,
): Wrap => instead(when, async (seen, honest) => honest(await requery(seen, change(seen))));

export function requery(seen: Seen, change: Readonly<Record<string, string | null>>): Promise<Request> {
  const url = new URL(seen.url);
  for (const [name, value] of Object.entries(change)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return altered(seen, { url: url.href });
}

/** Where a page ended: how many records came before, and the last of them. */
export interface Mark {
  readonly offset: number;
  readonly limit: number;
  readonly last: Json;
}

export interface Paging {
  /** The order of the list; by default that of the honest list. */
  readonly order?: (one: Json, other: Json) => number;
  /** Where the page after the mark begins; undefined refuses the cursor. */
  readonly start: (all: readonly Json[], mark: Mark) => number | undefined;
  /** Reports has_more on every page. */
  readonly endless?: true;
}

interface Whole {
  readonly response: Response;
  readonly json: Json;
  readonly records: Json[];
}

/** The whole honest list, read in pages of 200; without records where the honest server refuses. */
export async function whole(seen: Seen, honest: Handler): Promise<Whole> {
  const records: Json[] = [];
  let cursor: string | null = null;
  for (;;) {
    const response: Response = await honest(await requery(seen, { limit: '200', cursor }));
    const json = (await response.clone().json()) as Json;
    if (!response.ok) return { response, json, records: [] };
    records.push(...(json.data as Json[]));
    const { has_more, next_cursor } = json.pagination as Json;
    if (has_more !== true) return { response, json, records };
    cursor = String(next_cursor);
  }
}

const encode = (mark: Mark): string => Buffer.from(JSON.stringify(mark)).toString('base64');

/** Undefined for a cursor of the honest server, which it may be given where only some requests are its own. */
function decode(cursor: string): Mark | undefined {
  try {
    const mark = JSON.parse(Buffer.from(cursor, 'base64').toString()) as Partial<Mark>;
    return mark.last === undefined ? undefined : (mark as Mark);
  } catch {
    return undefined;
  }
}

/** The requested limit, 50 by default; undefined where it is not valid. */
export function limitOf(seen: Seen): number | undefined {
  const limit = Number(queried(seen, 'limit') ?? 50);
  return Number.isInteger(limit) && limit >= 1 && limit <= 200 ? limit : undefined;
}

/** Serves the list in the wrapper's own pages. */
export const paged = (operation: string, { order, start, endless }: Paging): Wrap =>
  instead(
    pageOf(operation, (query) => !query.has('sort')),
    async (seen, honest) => {
      const cursor = queried(seen, 'cursor');
      const limit = limitOf(seen);
      if (limit === undefined) return undefined;
      const found = await whole(seen, honest);
      if (!found.response.ok) return found.response;
      const all = order ? found.records.sort(order) : found.records;
      const mark = decode(cursor ?? '');
      const from = mark ? start(all, mark) : 0;
      if (from === undefined || (cursor !== null && !mark)) return refusal(400, 'BAD_REQUEST', 'cursor is invalid');
      const data = all.slice(from, from + limit);
      const has_more = from + limit < all.length || (endless === true && all.length > 0);
      const next_cursor = has_more ? encode({ offset: from + limit, limit, last: data.at(-1) ?? {} }) : null;
      const pagination = { total: all.length, limit, cursor, has_more, next_cursor };
      return rewritten(Response.json({}), { ...found.json, data, pagination });
    },
  );

/** Sorts a list by one more member, ascending and with a leading minus descending; `from` is where the page at an offset begins. */
export const sortedBy = (
  operation: string,
  member: string,
  from: (offset: number, limit: number) => number = (offset) => offset,
): Wrap =>
  instead(
    pageOf(operation, (query) => isSorted(query) && [member, `-${member}`].includes(query.get('sort') ?? '')),
    async (seen, honest) => {
      const limit = limitOf(seen);
      const offset = Number(queried(seen, 'offset') ?? 0);
      if (limit === undefined || !Number.isSafeInteger(offset) || offset < 0) return undefined;
      const plain = await requery(seen, { sort: null, offset: null, fields: null });
      const { response, json, records } = await whole({ ...seen, request: plain, url: new URL(plain.url) }, honest);
      if (!response.ok) return response;
      const orderOf = (one: Json): string => `${one[member]} ${String(one.id).padStart(16, '0')}`;
      const sign = queried(seen, 'sort') === member ? 1 : -1;
      const all = records.sort((one, other) => (orderOf(one) < orderOf(other) ? -sign : sign));
      const start = from(offset, limit);
      const names = (queried(seen, 'fields') ?? '').split(',').map((name) => name.trim());
      const chosen = (one: Json): Json =>
        names.join('') === ''
          ? one
          : Object.fromEntries(Object.entries(one).filter(([name]) => name === 'id' || names.includes(name)));
      const pagination = { total: all.length, limit, offset, has_more: offset + limit < all.length };
      return rewritten(response, { ...json, data: all.slice(start, start + limit).map(chosen), pagination });
    },
  );

/** The position after the last record, in descending order of identifiers. */
export const below = (all: readonly Json[], { last }: Mark): number => {
  const place = all.findIndex(({ id }) => Number(id) < Number(last.id));
  return place < 0 ? all.length : place;
};

/** The position after the last record of the previous page; undefined where that record is gone. */
export const behind = (all: readonly Json[], { last }: Mark): number | undefined => {
  const place = all.findIndex(({ id }) => id === last.id);
  return place < 0 ? undefined : place + 1;
};
