// Pages of lists: by cursor unless a sort is given, then by offset; and what a request says of their window and fields.
import type { Choices } from './choices.ts';
import { type Listed, placeAfter, type Source } from './collection.ts';
import type { Position } from './cursors.ts';
import { alphabetical } from './print.ts';
import type { Row } from './records.ts';
import type { Outcome } from './refusal.ts';
import { refuse } from './refusal.ts';
import { type Sortable, sortBy } from './sorting.ts';
import type { Nameable } from './views/deals.ts';
import type { Visit } from './visit.ts';

export interface Listing<T extends Listed> {
  /** What makes this list different from all others. */
  name: string;
  source: Source<T>;
  view: (record: T) => Row;
  nameable?: Nameable;
  sortable?: Sortable<T>;
}

export const LIST_QUERY = ['limit', 'cursor', 'fields', 'sort', 'offset'] as const;

/** A list of which no field can be sorted by. */
const UNSORTED: Sortable<Listed> = { few: [], many: [], value: () => undefined };

const LIVES = { forever: Number.POSITIVE_INFINITY, 'one-hour': 3_600_000, 'one-day': 86_400_000 };

export function listPage<T extends Listed>(visit: Visit, listing: Listing<T>): Outcome {
  const { query } = visit;
  const cursor = query.get('cursor');
  const sort = query.get('sort');
  if (cursor !== undefined && sort !== undefined) {
    refuse(400, 'cursor_with_sort', 'A cursor cannot be combined with sort.', 'cursor');
  }
  if (sort !== undefined) return sortedPage(visit, listing, listing.sortable ?? UNSORTED, sort);
  return cursorPage(visit, listing, cursor);
}

/** A page by limit and offset of records already in order. */
export function offsetPage<T>(
  visit: Visit,
  records: readonly T[],
  view: (record: T) => Row,
  limit: number,
  bad: Choices['offsetBad'] = visit.choices.offsetBad,
): Outcome {
  const { choices } = visit;
  const offset = readOffset(visit, bad);
  const total = records.length;
  const shown = choices.offsetReported === 'capped' ? Math.min(offset, total) : offset;
  return {
    status: 200,
    data: records.slice(offset, offset + limit).map(view),
    pagination: finish(visit, { total, limit, offset: shown, has_more: offset + limit < total }, 'offset'),
  };
}

function sortedPage<T extends Listed>(visit: Visit, listing: Listing<T>, sortable: Sortable<T>, sort: string): Outcome {
  const limit = readLimit(visit, visit.choices.limitOut) ?? 50;
  const picker = pickerOf(visit, listing, visit.query.get('fields'));
  const sorted = sortBy(visit, listing.source.visible(visit.now), sortable, sort);
  return offsetPage(visit, sorted, (record) => picker(listing.view(record)), limit);
}

function cursorPage<T extends Listed>(visit: Visit, listing: Listing<T>, cursor: string | undefined): Outcome {
  const { choices, query, now } = visit;
  refuseOffset(visit, cursor);
  const asked = readLimit(visit, choices.limitOut);
  const from = cursor === undefined ? undefined : readPosition(visit, listing, cursor);
  const limit = asked ?? (choices.cursorLimit === 'remembered' ? from?.limit : undefined) ?? 50;
  const fields =
    query.get('fields') ?? (choices.cursorFields === 'remembered' ? (from?.fields ?? undefined) : undefined);
  const picker = pickerOf(visit, listing, fields);
  const position: Position = {
    list: listing.name,
    after: from?.after ?? null,
    turn: from?.turn ?? 0,
    limit,
    fields: fields ?? null,
    issued: now,
  };
  if (from?.picture !== undefined) position.picture = from.picture;
  const cut =
    choices.cursorKind === 'snapshot' ? cutPicture(visit, listing, position) : cutLive(visit, listing, position);
  return {
    status: 200,
    data: cut.records.map((record) => picker(listing.view(record))),
    pagination: cursorPagination(visit, listing, limit, cursor, cut),
  };
}

interface Cut<T> {
  records: T[];
  more: boolean;
  next: Position;
}

function cutLive<T extends Listed>(visit: Visit, listing: Listing<T>, position: Position): Cut<T> {
  const items = listing.source.visible(visit.now);
  const start = position.after === null ? 0 : placeAfter(items, position.after);
  const end = start + takeOf(visit, position);
  const records = items.slice(start, end);
  const after = records.at(-1)?.rank ?? position.after;
  const more = end < items.length;
  return { records, more, next: { ...position, after, turn: position.turn + 1 } };
}

function cutPicture<T extends Listed>(visit: Visit, listing: Listing<T>, position: Position): Cut<T> {
  const items = (position.picture?.items as readonly T[] | undefined) ?? listing.source.frozen(visit.now);
  const start = position.picture?.index ?? 0;
  const end = start + takeOf(visit, position);
  const slice = items.slice(start, end);
  const more = end < items.length;
  const picture = { items, index: Math.min(end, items.length) };
  return {
    records: slice.filter((record) => !record.gone),
    more,
    next: { ...position, turn: position.turn + 1, picture },
  };
}

/** How many records this page looks at; some servers give short or empty pages on the way. */
function takeOf(visit: Visit, position: Position): number {
  const { limit, turn } = position;
  const { pageFill } = visit.choices;
  if (pageFill === 'short' && turn % 2 === 0) return Math.max(1, Math.floor(limit * 0.7));
  return pageFill === 'gaps' && turn % 3 === 1 ? 0 : limit;
}

function cursorPagination<T extends Listed>(
  visit: Visit,
  listing: Listing<T>,
  limit: number,
  cursor: string | undefined,
  cut: Cut<T>,
): Row {
  const { choices, world, now } = visit;
  const total = listing.source.visible(now).length;
  const row: Row = { total, limit, cursor: cursor ?? null, has_more: cut.more };
  if (cut.more || choices.nextAtEnd === 'kept') row.next_cursor = world.cursors.write(cut.next);
  else if (choices.nextAtEnd === 'null') row.next_cursor = null;
  return finish(visit, row, 'cursor');
}

function finish(visit: Visit, row: Row, mode: 'cursor' | 'offset'): Row {
  const { paginationExtra, paginationOrder } = visit.choices;
  if (paginationExtra === 'mode') row.mode = mode;
  if (paginationExtra === 'count') row.max_limit = 200;
  return paginationOrder === 'alphabetical' ? alphabetical(row) : row;
}

function pickerOf<T extends Listed>(visit: Visit, listing: Listing<T>, fields: string | undefined): Picker {
  return listing.nameable === undefined ? everything : pickerFor(visit, fields, listing.nameable);
}

function readPosition<T extends Listed>(visit: Visit, listing: Listing<T>, cursor: string): Position {
  const { choices, world, now } = visit;
  const position = world.cursors.read(cursor);
  const isForeign = position !== undefined && position.list !== listing.name;
  const refused = isForeign && (choices.cursorForeign === 'refused' || position.picture !== undefined);
  if (position === undefined || refused || now - position.issued > LIVES[choices.cursorLife]) {
    return refuse(choices.cursorBad, 'bad_cursor', 'The cursor is not valid for this list.', 'cursor');
  }
  return position;
}

function refuseOffset(visit: Visit, cursor: string | undefined): void {
  const { choices, query } = visit;
  if (query.get('offset') === undefined) return;
  const rule = cursor === undefined ? choices.offsetAlone : choices.offsetWithCursor;
  if (rule === '400') refuse(400, 'bad_parameter', 'An offset needs a sort.', 'offset');
}

const MAXIMUM = 200;

/** The limit asked for, undefined when none was (or none that counts). */
export function readLimit(visit: Visit, out: 'clamp' | '400' | '422'): number | undefined {
  const { choices } = visit;
  const text = visit.query.get('limit');
  if (text === undefined) return undefined;
  const value = readWhole(text, choices.limitLoose === 'loose');
  if (value === undefined) {
    if (choices.limitNotNumber === 'default') return undefined;
    return refuse(choices.limitNotNumber, 'bad_parameter', 'limit must be an integer.', 'limit');
  }
  if (value >= 1 && value <= MAXIMUM) return value;
  if (out === 'clamp') return Math.min(MAXIMUM, Math.max(1, value));
  return refuse(out, 'bad_parameter', 'limit must be from 1 to 200.', 'limit');
}

function readOffset(visit: Visit, bad: 'zero' | '400' | '422'): number {
  const text = visit.query.get('offset');
  if (text === undefined) return 0;
  const value = readWhole(text, visit.choices.limitLoose === 'loose');
  if (value !== undefined && value >= 0) return value;
  return bad === 'zero' ? 0 : refuse(bad, 'bad_parameter', 'offset must be an integer from 0.', 'offset');
}

function readWhole(text: string, loose: boolean): number | undefined {
  if (/^-?\d+$/.test(text)) return Number(text);
  return loose && /^\s*[+-]?\d+(\.0+)?\s*$/.test(text) ? Number(text) : undefined;
}

type Picker = (row: Row) => Row;

const everything: Picker = (row) => row;

export function pickerFor(visit: Visit, text: string | undefined, nameable: Nameable): Picker {
  if (text === undefined) return everything;
  const { choices } = visit;
  const parts = text.split(',');
  const names = choices.fieldsBlanks === 'trimmed' ? parts.map((part) => part.trim()) : parts;
  const wanted = names.filter((name) => name !== '');
  if (choices.fieldsUnknown !== 'ignored') {
    const unknown = wanted.find((name) => !nameable.all.has(name));
    if (unknown !== undefined) {
      refuse(choices.fieldsUnknown, 'bad_parameter', `fields names ${unknown}, which is not known.`, 'fields');
    }
  }
  const kept = choices.fieldsId === 'kept' ? [...nameable.ids, ...wanted] : wanted;
  return choices.fieldsOrder === 'of-request' ? inRequestOrder(kept) : inRecordOrder(new Set(kept));
}

function inRequestOrder(names: readonly string[]): Picker {
  return (row) => {
    const picked: Row = {};
    for (const name of names) if (row[name] !== undefined) picked[name] = row[name];
    return picked;
  };
}

function inRecordOrder(names: ReadonlySet<string>): Picker {
  return (row) => {
    const picked: Row = {};
    for (const name of Object.keys(row)) if (names.has(name)) picked[name] = row[name];
    return picked;
  };
}
