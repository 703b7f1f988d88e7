// Cursor lists in another style, served from what the honest server lists.
import type { Wrap } from '../mutants/mutant.ts';
import { limitOf, whole } from '../mutants/wrappers/listing.ts';
import type { Json } from '../mutants/wrappers/mutator.ts';
import { instead, rewritten, type Seen } from '../mutants/wrappers/mutator.ts';
import type { Handler } from '../reference/index.ts';

export interface Style {
  /** The rank of a record; by default the order of the honest list. */
  readonly rank?: (record: Json) => number;
  /** Later pages show the list as it was when the first page was read. */
  readonly snapshot?: boolean;
  /** Makes a cursor of this many characters. */
  readonly cursorLength?: number;
  /** Forgets a cursor as soon as it has led to a page. */
  readonly usedOnce?: boolean;
  /** How many records a page has, at most the requested limit. */
  readonly pageLength?: (limit: number, page: number) => number;
  /** Records that the list shows besides. */
  readonly beside?: (path: string) => readonly Json[];
  /** What the list shows of the records that are there. */
  readonly asShown?: (path: string, records: readonly Json[]) => readonly Json[];
}

/** What a cursor stands for. */
interface Position {
  readonly list: string;
  readonly number: number;
  /** The last record delivered, and its rank. */
  readonly after: Json;
  readonly snapshot?: readonly Json[];
}

export const cursorLists = ['GET /companies', 'GET /companies/{company_id}/notes', 'GET /contacts'];
export const idOf = (record: Json): unknown => record.id ?? record.note_id ?? record.contact_id ?? record.company_id;
/** Identifiers of contacts may be texts. */
export const numberOf = (record: Json): number => Number(/\d+/.exec(String(idOf(record)))?.[0]);

class Lists {
  private readonly style: Style;
  private readonly positions = new Map<string, Position>();
  private issued = 0;

  constructor(style: Style) {
    this.style = style;
  }

  /** The reply; undefined leaves it to the honest server, for example where a cursor was never issued. */
  async serve(seen: Seen, honest: Handler): Promise<Response | undefined> {
    const { searchParams: query, pathname } = seen.url;
    // A cursor is valid for one list and one caller.
    const list = `${pathname} ${seen.request.headers.get('authorization')}`;
    const cursor = query.get('cursor');
    const limit = limitOf(seen);
    const position = cursor === null ? undefined : this.positions.get(cursor);
    if (limit === undefined || query.has('sort') || (cursor !== null && position?.list !== list)) return undefined;
    const { response, json, records } = await whole(seen, honest);
    if (!response.ok) return response;
    // Of two uses at the same time only the first finds it.
    if (this.style.usedOnce && cursor !== null && !this.positions.delete(cursor)) return undefined;
    const { asShown = (_: string, all: readonly Json[]) => all, beside = () => [] } = this.style;
    const page = this.page(list, position, limit, [...asShown(pathname, records), ...beside(pathname)]);
    const pagination = { ...(json.pagination as Json), ...page.pagination, limit, cursor };
    return rewritten(response, { ...json, data: page.data, pagination });
  }

  private page(list: string, position: Position | undefined, limit: number, records: Json[]) {
    const { rank, snapshot, pageLength = (asked: number) => asked } = this.style;
    const all = position?.snapshot ?? (rank ? records.sort((one, other) => rank(one) - rank(other)) : records);
    const start = position === undefined ? 0 : placeAfter(position.after, all, rank);
    const number = position === undefined ? 0 : position.number + 1;
    const data = all.slice(start, start + pageLength(limit, number));
    const last = data.at(-1) ?? position?.after;
    const more = last !== undefined && start + data.length < all.length;
    const next = { list, number, after: last ?? {}, ...(snapshot ? { snapshot: all } : {}) };
    return { data, pagination: { total: all.length, has_more: more, next_cursor: more ? this.issue(next) : null } };
  }

  private issue(position: Position): string {
    const length = ((this.style.cursorLength ?? 32) * 3) / 4;
    const cursor = Buffer.from(`${this.issued}:`.padEnd(length, '>?')).toString('base64');
    this.issued += 1;
    this.positions.set(cursor, position);
    return cursor;
  }
}

/** Serves the cursor lists in another style, from what the honest server lists. */
export const styled =
  (style: Style): Wrap =>
  (honest, clock) => {
    const lists = new Lists(style);
    return instead(cursorLists, (seen) => lists.serve(seen, honest))(honest, clock);
  };

/** The first position after a record, which may be gone by now. */
function placeAfter(after: Json, all: readonly Json[], rank: Style['rank']): number {
  const place = all.findIndex((one) => (rank ? rank(one) > rank(after) : idOf(one) === idOf(after)));
  if (rank) return place < 0 ? all.length : place;
  return place + 1;
}
