// Rules over sorted lists of any caller: pages by offset with the records from there on; a cursor with sort is refused.
import {
  accountHeaderOf,
  at,
  callerOf,
  grouped,
  isByOffset,
  isObject,
  isSession,
  type Judge,
  type ListPage,
  queryOf,
  type Reply,
  type Rule,
  rangeAskedOf,
  type World,
  wasAccepted,
} from '../../lib/index.ts';
import { nextCursorOf } from '../shared/cursor.ts';
import { collections } from '../shared/groups.ts';
import { paginationOf } from './lists.ts';
import { totalsOf } from './totals.ts';

export const sorted: Rule = ({ replies }, judge) => {
  const lists = replies.filter(({ operation }) => collections.some((one) => one === operation));
  // Callers whose plain list is refused may have no right or no account.
  const accepted = lists.filter(wasAccepted);
  const open = new Set(accepted.map(readerOf));
  const readers = new Set(accepted.map(({ credential }) => credential));
  // The account of a key is the same with any header that is accepted and without.
  const mayRead = (reply: Reply): boolean =>
    open.has(readerOf(reply)) ||
    (!isSession(reply.credential) && accountHeaderOf(reply) === undefined && readers.has(reply.credential));
  const issued = new Set(lists.map(nextCursorOf));
  const asked = lists.filter((reply) => queryOf(reply).has('sort'));
  for (const reply of asked) judgeNegative(reply, judge);
  const all = asked.filter((reply) => !reply.undocumented && mayRead(reply));
  for (const reply of all) {
    const cursor = queryOf(reply).get('cursor');
    if (cursor === null) judgePage(reply, all, judge);
    else if (issued.has(cursor)) judgeCursor(reply, all, judge);
  }
};

/** The operation and its caller, with the header. */
const readerOf = (reply: Reply): string => `${reply.operation} ${callerOf(reply)}`;
const sortOf = (reply: Reply): string => queryOf(reply).get('sort') ?? '';
/** The member, without the direction. */
const memberOf = (reply: Reply): string => sortOf(reply).replace(/^-/, '');
const leadsToOffsets = (reply: Reply): boolean =>
  !queryOf(reply).has('cursor') && wasAccepted(reply) && isByOffset(reply);

/** A negative offset is refused or replaced. */
function judgeNegative(reply: Reply, { expect }: Judge): void {
  if (!wasAccepted(reply) || rangeAskedOf(reply).offset >= 0) return;
  const { offset: actual } = paginationOf(reply);
  const found = { expected: 'refused, or an offset of 0 or more', actual };
  const message = 'a negative offset should never be in effect';
  expect('pagination-sort-members', reply, Number(actual ?? 0) >= 0, message, found);
}

function judgeCursor(reply: Reply, all: readonly Reply[], { expect }: Judge): void {
  const { status } = reply;
  if ([401, 403, 429].includes(status) || status >= 500) return;
  const isLike = (one: Reply): boolean => one.operation === reply.operation && sortOf(one) === sortOf(reply);
  const isKnown = all.some((one) => isLike(one) && leadsToOffsets(one));
  const holds = isKnown ? status === 400 : status >= 400;
  const expected = isKnown ? 400 : '400, or another 4xx where the sort is not supported';
  expect('pagination-cursor-with-sort', reply, holds, 'cursor and sort together should be refused', { expected });
}

/** A sorted page is in offset or in cursor mode. */
function judgePage(reply: Reply, all: readonly Reply[], { expect }: Judge): void {
  const actual = at(reply.json, 'pagination');
  // Missing pagination violates another requirement.
  if (!wasAccepted(reply) || !isObject(actual)) return;
  const { total, limit, offset, has_more } = actual;
  const isTyped = [total, limit, offset].every(Number.isInteger) && typeof has_more === 'boolean';
  const leadsOn = has_more !== true || offset !== undefined || nextCursorOf(reply) !== undefined;
  const isBare = ['offset', 'cursor', 'next_cursor'].every((name) => (actual[name] ?? undefined) === undefined);
  const isLike = (one: Reply): boolean => one.operation === reply.operation && memberOf(one) === memberOf(reply);
  const isOfOffsets = isBare && all.some((one) => isLike(one) && leadsToOffsets(one));
  const holds = (isByOffset(reply) ? isTyped : leadsOn) && !isOfOffsets;
  const found = { expected: 'integer total, limit and offset, and has_more', actual };
  expect('pagination-sort-members', reply, holds, 'a sorted list should report where it is', found);
}

const sortedIn = ({ pages }: World): readonly ListPage[] =>
  pages.filter(({ query, kind }) => query.has('sort') && !query.has('cursor') && kind !== 'note');

/** A sort that gives offset mode does so every time, and a page has as many records as there are from its offset on. */
export const offsets: Rule = (world, { expect }) => {
  const sorted = sortedIn(world);
  const orderOf = ({ operation, reply }: ListPage): string => `${operation} ${sortOf(reply)}`;
  const byOffset = new Set(sorted.flatMap((one) => (one.offset === undefined ? [] : [orderOf(one)])));
  for (const page of sorted.filter((one) => byOffset.has(orderOf(one)))) {
    const { reply, total, hasMore, items } = page;
    const asked = rangeAskedOf(reply);
    if (asked.offset < total) {
      const { offset, limit } = paginationOf(reply);
      const found = { expected: asked, actual: { offset, limit } };
      const holds = offset === asked.offset && limit === asked.limit;
      const message = 'a sorted list should report its offset and limit';
      if (!expect('pagination-sort-members', reply, holds, message, found)) continue;
    }
    const range = totalsOf(world).rangeAt(page, asked.offset + items.length >= total);
    const isSure =
      range === undefined ? totalsOf(world).isShownAround(page) : range.least === total && range.most === total;
    if (page.offset === undefined || !isSure || !world.isUndisturbed([page])) continue;
    const remains = asked.offset + asked.limit < total;
    const expected = { has_more: remains, records: Math.max(0, Math.min(asked.limit, total - asked.offset)) };
    const actual = { has_more: hasMore, records: items.length };
    const holds = expected.has_more === actual.has_more && expected.records === actual.records;
    const message = 'a page of a sorted list should be the records from its offset on';
    expect('pagination-sort-pages', reply, holds, message, { expected, actual });
  }
};

/** Lists by offset that are in the order of the member: others may be in another order every time. */
export const slices: Rule<'pagination-sort-pages'> = (world, judge) => {
  const sorted = sortedIn(world).filter(({ offset }) => offset !== undefined);
  for (const list of grouped(sorted, ({ view, path, reply }) => [view, path, sortOf(reply)].join(' ')).values())
    if (list.every((page) => isInOrder(valuesOf(page) ?? []))) {
      judgeFollowing(list, world, judge);
      judgePlaces(list, world, judge);
    }
};

/** Consecutive pages share no record, if nothing was written in between. By last edit, one of others may move a record. */
function judgeFollowing(list: readonly ListPage[], world: World, { expect }: Judge<'pagination-sort-pages'>): void {
  for (const [index, page] of list.entries()) {
    const before = list[index - 1];
    if (before?.offset === undefined || page.offset !== before.offset + before.items.length) continue;
    if (page.total !== before.total || !world.isUndisturbed([before, page])) continue;
    if (memberOf(page.reply) === 'updated_at') continue;
    const twice = page.ids?.find((id) => before.ids?.includes(id));
    const found = { expected: 'records that the page before did not show', actual: twice, because: [before.reply] };
    const message = 'a page of a sorted list should go on where the page before ended';
    expect('pagination-sort-pages', page.reply, twice === undefined, message, found);
  }
}

/** Between two equal whole lists, none of whose records was edited meanwhile, a page shows what stands at its places. */
function judgePlaces(list: readonly ListPage[], world: World, { expect }: Judge<'pagination-sort-pages'>): void {
  const whole = list.filter((one) => one.offset === 0 && !one.hasMore && one.items.length === one.total);
  for (const page of list) {
    const { reply, path, total, offset = 0, ids: actual = [] } = page;
    const before = whole.findLast((one) => one.total === total && one.reply.id <= reply.after);
    const after = whole.find((one) => one.total === total && one.reply.after >= reply.id);
    const paths = before?.ids?.map((id) => `${path}/${id}`) ?? [];
    if (before === undefined || after === undefined || world.isEdited(paths, before.reply, after.reply)) continue;
    const [all, again, values] = [before, after, page].map(valuesOf);
    const isEqual = before.ids?.join() === after.ids?.join() && all?.join() === again?.join();
    if (all === undefined || values === undefined || !isEqual || actual.length === 0) continue;
    const expected = before.ids?.slice(offset, offset + actual.length) ?? [];
    const isWrong = (id: string, index: number): boolean =>
      id !== expected[index] && people(values[index] ?? '', all[offset + index] ?? '') !== 0;
    const message = 'a page of a sorted list should show the records at its places of the whole list';
    const because = [before.reply, after.reply];
    expect('pagination-sort-pages', reply, !actual.some(isWrong), message, { expected, actual, because });
  }
}

/** Undefined if a record lacks the member that the list is sorted by. */
function valuesOf({ items, reply }: ListPage): readonly string[] | undefined {
  const values = items.map((item) => item[memberOf(reply)]);
  return values.every((value) => typeof value === 'string') ? values : undefined;
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
