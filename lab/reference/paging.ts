// Lists: keyset cursors by default, offsets where a sort is given or the list has no cursors (Limits, Pagination).
import type { Choices } from './choices.ts';
import type { Call, Result } from './operation.ts';
import { refuse } from './refusal.ts';
import type { Listed } from './store.ts';
import type { WireRecord } from './wire.ts';

export interface Listing<Item extends Listed> {
  /** Part of the cursor, so that one list's cursor is refused by another. */
  readonly name: string;
  /** In the order of creation. */
  readonly items: readonly Item[];
  render(item: Item): WireRecord;
  /** By the name of the sort; absent where the list cannot be sorted. */
  readonly sorts?: Readonly<Record<string, (one: Item, other: Item) => number>>;
  /** The identifier that `fields` keeps; absent where the list does not take `fields`. */
  readonly identifier?: string;
  /** Always by offset. */
  readonly offsetOnly?: boolean;
}

const newestFirst = (one: Listed, other: Listed) => other.createdAt - one.createdAt || other.id - one.id;
const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** The sorts by time that every list has; a leading minus is descending. */
export const timeSorts = {
  created_at: (one: Listed, other: Listed) => newestFirst(other, one),
  '-created_at': newestFirst,
};

/** The sorts of a list of named records: by time and by name. */
export function sortsBy<Item extends Listed>(name: (item: Item) => string): NonNullable<Listing<Item>['sorts']> {
  const byName = (one: Item, other: Item) => compareText(name(one), name(other)) || one.id - other.id;
  return { ...timeSorts, name: byName, '-name': (one, other) => byName(other, one) };
}

/** These characters give the cursor a + and a / (or - and _), so that clients must percent-encode it. */
const mark = '>>>???';

function encodeCursor(alphabet: Choices['cursorAlphabet'], list: string, after: number): string {
  const bytes = Buffer.from(JSON.stringify({ list, after, mark }));
  if (alphabet === 'base64url') return bytes.toString('base64url');
  const padded = bytes.toString('base64');
  return alphabet === 'base64' ? padded : padded.replace(/=+$/, '');
}

/** The identifier after which the page begins; refuses cursors of other lists with 400. */
function decodeCursor(alphabet: Choices['cursorAlphabet'], list: string, cursor: string): number {
  try {
    const { after } = JSON.parse(Buffer.from(cursor, 'base64').toString()) as { after: unknown };
    if (typeof after === 'number' && encodeCursor(alphabet, list, after) === cursor) return after;
  } catch {
    // Not JSON, so not a cursor of this list.
  }
  throw refuse(400, 'cursor is invalid; pass the next_cursor of this list unchanged');
}

interface Bounds {
  readonly fallback: number;
  readonly least: number;
  readonly most: number;
}
const limitBounds: Bounds = { fallback: 50, least: 1, most: 200 };
const offsetBounds: Bounds = { fallback: 0, least: 0, most: Number.MAX_SAFE_INTEGER };

function whole(call: Call, name: string, { fallback, least, most }: Bounds): number {
  const given = call.query.get(name);
  if (given === null) return fallback;
  const value = /^-?\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  if (call.service.choices.limitOutOfRange === 'refuse') throw refuse(400, `${name} must be an integer from ${least}`);
  return Number.isNaN(value) ? fallback : Math.min(most, Math.max(least, value));
}

/** How many of the items, given in the order of creation, lists already show. */
function visible(call: Call, items: readonly Listed[]): number {
  const newest = call.now - call.service.choices.listLagMs;
  let count = items.length;
  while (count > 0 && (items[count - 1]?.createdAt ?? 0) > newest) count -= 1;
  return count;
}

/** The first position whose identifier is at least `id`. */
function lowerBound(items: readonly Listed[], count: number, id: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle]?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Renders a record, with only the requested fields where the list takes `fields`. */
function renderer<Item extends Listed>(call: Call, listing: Listing<Item>): (item: Item) => WireRecord {
  const wanted = listing.identifier === undefined ? null : call.query.get('fields');
  if (wanted === null || wanted.trim() === '') return (item) => listing.render(item);
  const names = new Set(wanted.split(',').map((name) => name.trim()));
  names.add(listing.identifier ?? '');
  return (item) => Object.fromEntries(Object.entries(listing.render(item)).filter(([name]) => names.has(name)));
}

function cursorPage<Item extends Listed>(call: Call, listing: Listing<Item>, cursor: string | null): Result {
  const { items } = listing;
  const { listOrder, shortPages, cursorAlphabet, firstPageCursor, lastPageCursor } = call.service.choices;
  const limit = whole(call, 'limit', limitBounds);
  const total = visible(call, items);
  const after = cursor === null ? undefined : decodeCursor(cursorAlphabet, listing.name, cursor);
  const size = shortPages > 0 ? Math.min(limit, shortPages) : limit;
  let page: Item[];
  let has_more: boolean;
  if (listOrder === 'newest') {
    const end = after === undefined ? total : lowerBound(items, total, after);
    page = items.slice(Math.max(0, end - size), end).reverse();
    has_more = end > size;
  } else {
    const start = after === undefined ? 0 : lowerBound(items, total, after + 1);
    page = items.slice(start, Math.min(total, start + size));
    has_more = start + size < total;
  }
  const last = page.at(-1);
  const pagination: WireRecord = { total, limit };
  if (cursor !== null || firstPageCursor === 'null') pagination.cursor = cursor;
  pagination.has_more = has_more;
  if (has_more && last !== undefined) pagination.next_cursor = encodeCursor(cursorAlphabet, listing.name, last.id);
  else if (lastPageCursor === 'null') pagination.next_cursor = null;
  return { data: page.map(renderer(call, listing)), pagination };
}

function offsetPage<Item extends Listed>(call: Call, listing: Listing<Item>, sort: string | null): Result {
  const limit = whole(call, 'limit', limitBounds);
  const offset = whole(call, 'offset', offsetBounds);
  const total = visible(call, listing.items);
  const order = sort === null ? newestFirst : listing.sorts?.[sort];
  const sorted = listing.items.slice(0, total).sort(order);
  const data = sorted.slice(offset, offset + limit).map(renderer(call, listing));
  return { data, pagination: { total, limit, offset, has_more: offset + limit < total } };
}

/** The page of a list that its query requests. */
export function page<Item extends Listed>(call: Call, listing: Listing<Item>): Result {
  if (listing.offsetOnly === true) return offsetPage(call, listing, null);
  const cursor = call.query.get('cursor');
  const sort = call.query.get('sort');
  if (sort === null) return cursorPage(call, listing, cursor);
  if (cursor !== null) throw refuse(400, 'cursor cannot be combined with sort');
  if (!call.service.choices.sortSupported || !Object.hasOwn(listing.sorts ?? {}, sort)) {
    throw refuse(400, 'sort is not supported with this value');
  }
  return offsetPage(call, listing, sort);
}
