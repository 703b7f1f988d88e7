// Sorted lists at different times: what stood at a place before, and stands there again, stood there in between.
import { bodyOf, grouped, type ListPage, lagMsMax, pathOf, type Reply, type Rule, writeOf } from '../../lib/index.ts';

export const slices: Rule<'pagination-sort-pages'> = ({ pages, replies }, { expect }) => {
  const sorted = pages.filter(({ query, offset }) => query.has('sort') && !query.has('cursor') && offset !== undefined);
  const writes = replies.filter((one) => ['company', 'contact'].includes(writeOf(one)?.kind ?? ''));
  for (const list of grouped(sorted, listOf).values()) {
    // An order that is not by what is asked for may be another one every time.
    if (!list.every((page) => isInOrder(valuesOf(page) ?? []))) continue;
    const about: List = { pages: list, writes, moving: movingIn(replies, list) };
    for (const [place, spots] of spotsOf(list))
      for (const spot of spots) {
        const around = shownAround(spot, spots, about);
        if (around === undefined) continue;
        const message = `a sorted list should show at place ${place} what it shows there before and after`;
        const [before, after] = around.map((one) => one.page.reply) as [Reply, Reply];
        const found = { expected: around[0].id, actual: spot.id, because: [before, after] };
        expect('pagination-sort-pages', spot.page.reply, false, message, found);
      }
  }
};

/** What a page shows at one place of the whole list. */
interface Spot {
  readonly page: ListPage;
  readonly id: string;
  /** What the list is sorted by. */
  readonly value: string;
}

interface List {
  readonly pages: readonly ListPage[];
  readonly moving: readonly Reply[];
  /** What may have changed any such list. */
  readonly writes: readonly Reply[];
}

const sortOf = ({ query }: ListPage): string => query.get('sort') ?? '';
const listOf = (page: ListPage): string => [page.view, page.path, sortOf(page)].join(' ');
const memberOf = (page: ListPage): string => sortOf(page).replace(/^-/, '');

/** Undefined where a record does not show what it is sorted by. */
function valuesOf(page: ListPage): readonly string[] | undefined {
  const values = page.items.flatMap((item) => {
    const value = item[memberOf(page)];
    return typeof value === 'string' ? [value] : [];
  });
  return values.length === page.items.length ? values : undefined;
}

/** As people sort texts: what they take for equal may stand in either order. */
const people = (one: string, other: string): number => one.localeCompare(other, 'en', { sensitivity: 'base' });
const machine = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Up or down, as machines sort texts or as people do. */
const isInOrder = (values: readonly string[]): boolean =>
  [machine, people].some((compare) =>
    [values, values.toReversed()].some((all) =>
      all.every((value, index) => index === 0 || compare(all[index - 1] ?? value, value) <= 0),
    ),
  );

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

/** Edits that may have moved a record away and back again: of what was sent with more than one such value. */
function movingIn(replies: readonly Reply[], [first]: readonly ListPage[]): readonly Reply[] {
  const member = first ? memberOf(first) : '';
  const edits = replies.filter(
    (reply) => reply.operation === 'PATCH /companies/{company_id}' && bodyOf(reply)?.[member] !== undefined,
  );
  const values = new Map<string, Set<unknown>>();
  for (const one of edits) values.set(pathOf(one), (values.get(pathOf(one)) ?? new Set()).add(bodyOf(one)?.[member]));
  return edits.filter((one) => (values.get(pathOf(one))?.size ?? 0) > 1);
}

type Around = readonly [Spot, Spot];

/** The same record before and after a spot, each so much longer ago or later; undefined where two differ. */
function aroundOf(spot: Spot, others: readonly Spot[], distanceMs: number): Around | undefined {
  const { reply, total } = spot.page;
  const isOther = (one: Spot): boolean =>
    one.page.total === total && one.id !== spot.id && people(one.value, spot.value) !== 0;
  const before = others.findLast((one) => isOther(one) && one.page.reply.receivedAt + distanceMs < reply.sentAt);
  const after = others.find((one) => isOther(one) && one.page.reply.sentAt > reply.receivedAt + distanceMs);
  const isSame = before !== undefined && after !== undefined && before.id === after.id && before.value === after.value;
  return isSame ? [before, after] : undefined;
}

/** Nothing was written from a little before the first until the last. */
const isCalm = ([{ page: first }, { page: last }]: Around, { writes }: List): boolean =>
  !writes.some((one) => one.receivedAt >= first.reply.sentAt - lagMsMax && one.after < last.reply.id);

/** As many records all the time, and none that was moved away and back again. */
function isAtRest([{ page: first }, { page: last }]: Around, { pages, moving }: List): boolean {
  const isBetween = (one: Reply): boolean => one.after >= first.reply.id && one.id <= last.reply.after;
  const isMove = (one: Reply): boolean => one.receivedAt + lagMsMax > first.reply.sentAt && one.id < last.reply.after;
  return !moving.some(isMove) && !pages.some(({ reply, total }) => isBetween(reply) && total !== first.total);
}

/** What the spot should show: what was seen there before and after, each longer ago than lists may lag, or with no write since. */
function shownAround(spot: Spot, others: readonly Spot[], list: List): Around | undefined {
  const near = aroundOf(spot, others, 0);
  if (near && isCalm(near, list) && isAtRest(near, list)) return near;
  const far = aroundOf(spot, others, lagMsMax);
  return far && isAtRest(far, list) ? far : undefined;
}
