// Rules over sorted lists of any caller: pages by offset with the records from there on; a cursor with sort is refused.
import {
  accountHeaderOf,
  at,
  bodyOf,
  callerOf,
  grouped,
  isByOffset,
  isObject,
  isSession,
  type Judge,
  type ListPage,
  lagMsMax,
  type OperationId,
  pathOf,
  queryOf,
  type Reply,
  type Rule,
  rangeAskedOf,
  wasAccepted,
  writeOf,
} from '../../lib/index.ts';
import { paginationOf } from './lists.ts';
import { totalsOf } from './totals.ts';

export const sorted: Rule = ({ replies }, judge) => {
  const lists = replies.filter(({ operation }) => operation === 'GET /companies' || operation === 'GET /contacts');
  // Callers whose plain list is refused may have no right or no account.
  const accepted = lists.filter(wasAccepted);
  const open = new Set(accepted.map(readerOf));
  const readers = new Set(accepted.map(({ credential }) => credential));
  // The account of a key is the same with any header that is accepted and without.
  const isOpen = (reply: Reply): boolean =>
    open.has(readerOf(reply)) ||
    (!isSession(reply.credential) && accountHeaderOf(reply) === undefined && readers.has(reply.credential));
  const issued = new Set(lists.map((reply) => at(pagination(reply), 'next_cursor')));
  const all = lists.flatMap((reply): Sorted[] => {
    const [sort, cursor, { operation }] = [queryOf(reply).get('sort'), queryOf(reply).get('cursor'), reply];
    if (sort === null || operation === undefined) return [];
    judgeNegative(reply, judge);
    return reply.undocumented || !isOpen(reply) ? [] : [{ reply, operation, sort, cursor }];
  });
  for (const one of all) {
    if (one.cursor === null) judgePage(one, all, judge);
    else if (issued.has(one.cursor)) judgeCursor(one, all, judge);
  }
};

interface Sorted {
  readonly reply: Reply;
  readonly operation: OperationId;
  readonly sort: string;
  readonly cursor: string | null;
}

/** The operation and its caller, with the header. */
const readerOf = (reply: Reply): string => `${reply.operation} ${callerOf(reply)}`;
const pagination = (reply: Reply): unknown => at(reply.json, 'pagination');
const has = (reply: Reply, name: string): boolean => at(pagination(reply), name) !== undefined;
const leadsToOffsets = ({ reply, cursor }: Sorted): boolean =>
  cursor === null && wasAccepted(reply) && has(reply, 'offset');
/** The member, without the direction. */
const fieldOf = (sort: string): string => sort.replace(/^-/, '');

/** A negative offset is refused or replaced. */
function judgeNegative(reply: Reply, { expect }: Judge): void {
  if (!wasAccepted(reply) || rangeAskedOf(reply).offset >= 0) return;
  const actual = at(pagination(reply), 'offset');
  const holds = Number(actual ?? 0) >= 0;
  const found = { expected: 'refused, or an offset of 0 or more', actual };
  expect('pagination-sort-members', reply, holds, 'a negative offset should never be in effect', found);
}

function judgeCursor({ reply, operation, sort }: Sorted, all: readonly Sorted[], { expect }: Judge): void {
  const { status } = reply;
  if ([401, 403, 429].includes(status) || status >= 500) return;
  const isKnown = all.some((one) => one.operation === operation && one.sort === sort && leadsToOffsets(one));
  const holds = isKnown ? status === 400 : status >= 400;
  const expected = isKnown ? 400 : '400, or another 4xx where the sort is not supported';
  const message = 'cursor and sort together should be refused';
  expect('pagination-cursor-with-sort', reply, holds, message, { expected, actual: status });
}

/** has_more is true, and neither an offset nor a cursor leads to the next page. */
function isDeadEnd(reply: Reply): boolean {
  const next = at(pagination(reply), 'next_cursor');
  const goesOn = has(reply, 'offset') || (typeof next === 'string' && next !== '');
  return at(pagination(reply), 'has_more') === true && !goesOn;
}

/** A sorted page is in offset or in cursor mode. */
function judgePage({ reply, operation, sort }: Sorted, all: readonly Sorted[], { expect }: Judge): void {
  // Missing pagination violates another requirement.
  if (!wasAccepted(reply) || !isObject(pagination(reply))) return;
  const isLike = (one: Sorted): boolean => one.operation === operation && fieldOf(one.sort) === fieldOf(sort);
  const isBare = !['offset', 'cursor', 'next_cursor'].some((name) => has(reply, name));
  const { total, limit, offset, has_more } = paginationOf(reply);
  const isTyped = [total, limit, offset].every(Number.isInteger) && typeof has_more === 'boolean';
  const isWhole = isByOffset(reply) ? isTyped : !isDeadEnd(reply);
  const holds = isWhole && !(isBare && all.some((one) => isLike(one) && leadsToOffsets(one)));
  const found = { expected: 'integer total, limit and offset, and has_more', actual: pagination(reply) };
  expect('pagination-sort-members', reply, holds, 'a sorted list should report where it is', found);
}

/** A sort that gives offset mode does so every time, and a page has as many records as there are from its offset on. */
export const offsets: Rule = (world, { expect }) => {
  const sorted = world.pages.filter(({ query, kind }) => query.has('sort') && !query.has('cursor') && kind !== 'note');
  const byOffset = new Set(sorted.flatMap((one) => (one.offset === undefined ? [] : [orderOf(one)])));
  for (const page of sorted.filter((one) => byOffset.has(orderOf(one)))) {
    const { reply, total, hasMore, items } = page;
    const asked = rangeAskedOf(reply);
    const shown = { offset: at(pagination(reply), 'offset'), limit: at(pagination(reply), 'limit') };
    if (asked.offset < total) {
      const holds = shown.offset === asked.offset && shown.limit === asked.limit;
      const message = 'a sorted list should report its offset and limit';
      if (!expect('pagination-sort-members', reply, holds, message, { expected: asked, actual: shown })) continue;
    }
    const range = totalsOf(world).rangeAt(page, asked.offset + items.length >= total);
    const isSure =
      range === undefined ? totalsOf(world).isShownAround(page) : range.least === total && range.most === total;
    if (page.offset === undefined || !isSure || !world.isCalm([page])) continue;
    const remains = asked.offset + asked.limit < total;
    const expected = { has_more: remains, records: Math.max(0, Math.min(asked.limit, total - asked.offset)) };
    const actual = { has_more: hasMore, records: items.length };
    const holds = expected.has_more === actual.has_more && expected.records === actual.records;
    const message = 'a page of a sorted list should be the records from its offset on';
    expect('pagination-sort-pages', reply, holds, message, { expected, actual });
  }
};

const orderOf = ({ operation, query }: ListPage): string => `${operation} ${query.get('sort')}`;

/** Consecutive pages share no record, if nothing was written in between. */
export const following: Rule<'pagination-sort-pages'> = (world, { expect }) => {
  const sorted = world.pages.filter(({ query, kind }) => query.has('sort') && !query.has('cursor') && kind !== 'note');
  for (const list of grouped(sorted, listOf).values()) {
    if (!list.every(isSorted)) continue;
    for (const [index, page] of list.entries()) {
      const before = list[index - 1];
      if (before?.offset === undefined || page.offset !== before.offset + before.items.length) continue;
      if (page.total !== before.total || !world.isCalm([before, page])) continue;
      const twice = page.ids?.find((id) => before.ids?.includes(id));
      const found = { expected: 'records that the page before did not show', actual: twice, because: [before.reply] };
      const message = 'a page of a sorted list should go on where the page before ended';
      expect('pagination-sort-pages', page.reply, twice === undefined, message, found);
    }
  }
};

/** A record that is at a place before and after is there in between. */
export const slices: Rule<'pagination-sort-pages'> = ({ pages, replies }, { expect, count }) => {
  const sorted = pages.filter(({ query, offset }) => query.has('sort') && !query.has('cursor') && offset !== undefined);
  const writes = replies.filter((one) => ['company', 'contact'].includes(writeOf(one)?.kind ?? ''));
  for (const list of grouped(sorted, listOf).values()) {
    if (!list.every(isSorted)) continue;
    const about: List = { pages: list, writes, moves: movesIn(replies, list) };
    for (const [place, spots] of spotsOf(list)) {
      for (const [index, spot] of spots.entries()) {
        if (place === 0 && index === 1 && spots.length > 2) count('pagination-sort-pages', spot.page.reply);
        const around = shownAround(spot, spots, about);
        if (around === undefined) continue;
        const message = `a sorted list should show at place ${place} what it shows there before and after`;
        const found = { expected: around.id, actual: spot.id, because: around.because };
        expect('pagination-sort-pages', spot.page.reply, false, message, found);
      }
    }
  }
};

/** The record that a page shows at one place of the whole list. */
interface Spot {
  readonly page: ListPage;
  readonly id: string;
  /** The value that the list is sorted by. */
  readonly value: string;
}

interface List {
  readonly pages: readonly ListPage[];
  /** Writes that may have changed any such list. */
  readonly writes: readonly Reply[];
  /** Edits that may have moved a record in this list and back. */
  readonly moves: readonly Reply[];
}

const sortOf = ({ query }: ListPage): string => query.get('sort') ?? '';
const listOf = (page: ListPage): string => [page.view, page.path, sortOf(page)].join(' ');
const memberOf = (page: ListPage): string => sortOf(page).replace(/^-/, '');

/** Undefined if a record lacks the member that the list is sorted by. */
function valuesOf(page: ListPage): readonly string[] | undefined {
  const values = page.items.flatMap((item) => {
    const value = item[memberOf(page)];
    return typeof value === 'string' ? [value] : [];
  });
  return values.length === page.items.length ? values : undefined;
}

/** Ignores case and accents: equal texts may be in either order. */
const people = (one: string, other: string): number => one.localeCompare(other, 'en', { sensitivity: 'base' });
const machine = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Ascending or descending, by code units or by locale. */
const isInOrder = (values: readonly string[]): boolean =>
  [machine, people].some((compare) =>
    [values, values.toReversed()].some((all) =>
      all.every((value, index) => index === 0 || compare(all[index - 1] ?? value, value) <= 0),
    ),
  );

/** A list that is not sorted by the member may be in another order every time. */
const isSorted = (page: ListPage): boolean => isInOrder(valuesOf(page) ?? []);

/** By the place in the whole list. */
function spotsOf(pages: readonly ListPage[]): ReadonlyMap<number, readonly Spot[]> {
  const spots = pages.flatMap((page) =>
    (valuesOf(page) ?? []).flatMap((value, index): (Spot & { readonly place: number })[] => {
      const id = page.ids?.[index];
      return id === undefined ? [] : [{ page, id, value, place: (page.offset ?? 0) + index }];
    }),
  );
  return grouped(spots, ({ place }) => place);
}

/** Edits of companies that were sent several values of the member. */
function movesIn(replies: readonly Reply[], [first]: readonly ListPage[]): readonly Reply[] {
  const member = first ? memberOf(first) : '';
  const edits = replies.filter(
    (reply) => reply.operation === 'PATCH /companies/{company_id}' && bodyOf(reply)?.[member] !== undefined,
  );
  const ofOne = [...grouped(edits, pathOf).values()];
  return ofOne.filter((some) => new Set(some.map((one) => bodyOf(one)?.[member])).size > 1).flat();
}

/** The record shown there before and after: longer ago than lists may lag, or with nothing written in between. */
function shownAround(spot: Spot, spots: readonly Spot[], { pages, writes, moves }: List) {
  const { reply, total } = spot.page;
  const others = spots.filter(
    (one) => one.page.total === total && one.id !== spot.id && people(one.value, spot.value) !== 0,
  );
  for (const distanceMs of [0, lagMsMax]) {
    const before = others.findLast(({ page }) => page.reply.receivedAt + distanceMs < reply.sentAt);
    const after = others.find(({ page }) => page.reply.sentAt > reply.receivedAt + distanceMs);
    if (before === undefined || before.id !== after?.id || before.value !== after.value) continue;
    const because = [before.page.reply, after.page.reply] as const;
    const [first, last] = because;
    const isIn = (one: Reply): boolean => one.receivedAt >= first.sentAt - lagMsMax && one.after < last.id;
    const isChange = (one: ListPage): boolean =>
      one.total !== total && one.reply.after >= first.id && one.reply.id <= last.after;
    const isCalm = distanceMs > 0 || !writes.some(isIn);
    if (isCalm && !moves.some(isIn) && !pages.some(isChange)) return { id: before.id, because };
  }
  return undefined;
}
