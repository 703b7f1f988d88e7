// Sorted lists at different times: what stood at a place before, and stands there again, stood there in between.
import { lagMsMax, type OperationId, type Reply, type Story, type Wrong } from '../../lib/index.ts';
import { wrongPage } from './found.ts';
import { type Page, pagesOf } from './pages.ts';
import { pathOf, sentBody } from './sent.ts';

const edit: OperationId = 'PATCH /companies/{company_id}';
const written: readonly OperationId[] = ['POST /companies', edit, 'POST /contacts'];

/** What a page shows at one place of the whole list. */
interface Spot {
  readonly page: Page;
  readonly id: string;
  /** What the list is sorted by. */
  readonly value: string;
}

const sortOf = ({ query }: Page): string => query.get('sort') ?? '';
const listOf = (page: Page): string => [page.viewer, page.path, sortOf(page)].join(' ');
const memberOf = (page: Page): string => sortOf(page).replace(/^-/, '');

/** Undefined where a record does not show what it is sorted by. */
function valuesOf(page: Page): readonly string[] | undefined {
  const values = page.items.flatMap((item) => {
    const value = item[memberOf(page)];
    return typeof value === 'string' ? [value] : [];
  });
  return values.length === page.items.length ? values : undefined;
}

/** As people sort texts: what they take for equal may stand in either order. */
const people = (one: string, other: string): number => one.localeCompare(other, 'en', { sensitivity: 'base' });

/** Up or down, as machines sort texts or as people do. */
function isInOrder(values: readonly string[]): boolean {
  const machine = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
  const rises = (compare: typeof machine, all: readonly string[]): boolean =>
    all.every((value, index) => index === 0 || compare(all[index - 1] ?? value, value) <= 0);
  return [machine, people].some((compare) => rises(compare, values) || rises(compare, values.toReversed()));
}

/** By the place in the whole list. */
function spotsOf(pages: readonly Page[]): ReadonlyMap<number, readonly Spot[]> {
  const spots = new Map<number, Spot[]>();
  for (const page of pages) {
    const values = valuesOf(page) ?? [];
    for (const [index, value] of values.entries()) {
      const id = page.ids?.[index];
      const place = (page.offset ?? 0) + index;
      if (id !== undefined) spots.set(place, [...(spots.get(place) ?? []), { page, id, value }]);
    }
  }
  return spots;
}

/** Edits that may have moved a record away and back again: of what was sent with more than one such value. */
function movingIn(replies: readonly Reply[], member: string): readonly Reply[] {
  const edits = replies.filter((reply) => reply.operation === edit && sentBody(reply)?.[member] !== undefined);
  const values = new Map<string, Set<unknown>>();
  for (const one of edits) values.set(pathOf(one), (values.get(pathOf(one)) ?? new Set()).add(sentBody(one)?.[member]));
  return edits.filter((one) => (values.get(pathOf(one))?.size ?? 0) > 1);
}

interface List {
  readonly pages: readonly Page[];
  readonly moving: readonly Reply[];
  /** What may have changed any such list. */
  readonly writes: readonly Reply[];
}

/** The same record before and after a spot, each so much longer ago or later; undefined where two differ. */
function aroundOf(spot: Spot, others: readonly Spot[], distanceMs: number): readonly [Spot, Spot] | undefined {
  const { reply, total } = spot.page;
  const isOther = (one: Spot): boolean =>
    one.page.total === total && one.id !== spot.id && people(one.value, spot.value) !== 0;
  const before = others.findLast((one) => isOther(one) && one.page.reply.receivedAt + distanceMs < reply.sentAt);
  const after = others.find((one) => isOther(one) && one.page.reply.sentAt > reply.receivedAt + distanceMs);
  const isSame = before !== undefined && after !== undefined && before.id === after.id && before.value === after.value;
  return isSame ? [before, after] : undefined;
}

/** Nothing was written from a little before the first until the last. */
const isCalm = ([{ page: first }, { page: last }]: readonly [Spot, Spot], { writes }: List): boolean =>
  !writes.some((one) => one.receivedAt >= first.reply.sentAt - lagMsMax && one.after < last.reply.id);

/** As many records all the time, and none that was moved away and back again. */
function isAtRest([{ page: first }, { page: last }]: readonly [Spot, Spot], { pages, moving }: List): boolean {
  const isBetween = (one: Reply): boolean => one.after >= first.reply.id && one.id <= last.reply.after;
  const isMove = (one: Reply): boolean => one.receivedAt + lagMsMax > first.reply.sentAt && one.id < last.reply.after;
  return !moving.some(isMove) && !pages.some(({ reply, total }) => isBetween(reply) && total !== first.total);
}

/** What the spot should show: what was seen there before and after, each longer ago than lists may lag, or with no write since. */
function shownAround(spot: Spot, others: readonly Spot[], list: List): readonly [Spot, Spot] | undefined {
  const near = aroundOf(spot, others, 0);
  if (near && isCalm(near, list) && isAtRest(near, list)) return near;
  const far = aroundOf(spot, others, lagMsMax);
  return far && isAtRest(far, list) ? far : undefined;
}

function ofList(pages: readonly [Page, ...Page[]], replies: readonly Reply[]): readonly Wrong[] {
  // An order that is not by what is asked for may be another one every time.
  if (!pages.every((page) => isInOrder(valuesOf(page) ?? []))) return [];
  const writes = replies.filter(({ operation }) => operation !== undefined && written.includes(operation));
  const list: List = { pages, writes, moving: movingIn(replies, memberOf(pages[0])) };
  return [...spotsOf(pages)].flatMap(([place, spots]) =>
    spots.flatMap((spot): readonly Wrong[] => {
      const around = shownAround(spot, spots, list);
      if (around === undefined) return [];
      return [
        wrongPage({
          id: 'pagination-sort-pages',
          page: spot.page,
          message: `a sorted list should show at place ${place} what it shows there before and after`,
          expected: around[0].id,
          actual: spot.id,
          replies: [around[0].page.reply, spot.page.reply, around[1].page.reply],
        }),
      ];
    }),
  );
}

export function judgeSlices({ replies }: Story): readonly Wrong[] {
  const lists = new Map<string, [Page, ...Page[]]>();
  for (const page of pagesOf(replies)) {
    if (!page.query.has('sort') || page.query.has('cursor') || page.offset === undefined) continue;
    const others = lists.get(listOf(page));
    if (others) others.push(page);
    else lists.set(listOf(page), [page]);
  }
  return [...lists.values()].flatMap((pages) => ofList(pages, replies));
}
