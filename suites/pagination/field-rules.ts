// Rules over lists with `fields`: records have these members and their identifier, with the same values as without.
import {
  computedOnce,
  fieldNames,
  identifierNames,
  itemsOf,
  type JsonObject,
  type ListPage,
  lagMsMax,
  type OperationId,
  type Reply,
  type Rule,
  usualIdentifiers,
  type World,
} from '../../lib/index.ts';
import { given, holdsNumbers, narrowed, sameMember } from '../shared/fields.ts';
import { nameOf } from './totals.ts';

export const restricted: Rule = ({ pages }, { expect }) => {
  const carrying = new Map<OperationId, readonly string[]>();
  const furtherIn = (page: ListPage, asked: readonly string[]): readonly string[] => {
    const known = carrying.get(page.operation) ?? carriers(page, pages);
    carrying.set(page.operation, known);
    return further(page, asked, known);
  };
  for (const page of pages) {
    const asked = askedOf(page);
    const isLater = page.query.has('cursor');
    const [first] = page.chain ?? [];
    if (asked === undefined || page.kind === 'note') continue;
    if (isLater && (!first || furtherIn(first, asked).length > 0)) continue;
    // What happens to unknown members in `fields` is open.
    if (!asked.every((name) => isKnown(page, name, pages))) continue;
    const more = furtherIn(page, asked);
    const id = isLater ? 'pagination-fields-later-pages' : 'pagination-fields-restrict';
    const found = { expected: asked, actual: `also ${[...new Set(more)].join(', ')}` };
    const message = 'a record should have only the fields that were asked for';
    if (page.items.length > 0) expect(id, page.reply, more.length === 0, message, found);
  }
};

const askedOf = ({ query }: ListPage): readonly string[] | undefined => query.get('fields')?.split(',');

const isKnown = ({ operation }: ListPage, name: string, pages: readonly ListPage[]): boolean =>
  fieldNames[operation]?.includes(name) ||
  pages.some(
    (one) =>
      one.operation === operation && !one.query.has('fields') && one.items.some((item) => Object.hasOwn(item, name)),
  );

/** Members that have the identifier in every record of lists without `fields`: they may stay. */
function carriers({ operation, kind }: ListPage, pages: readonly ListPage[]): readonly string[] {
  const [first = [], ...more] = pages
    .filter((one) => one.operation === operation && !one.query.has('fields'))
    .flatMap(({ reply }) => itemsOf(reply))
    .map((item) => identifierNames(kind, item));
  return first.filter((name) => more.every((names) => names.includes(name)));
}

/** Members that were not asked for and have no identifier. */
function further({ kind, items }: ListPage, asked: readonly string[], carrying: readonly string[]): readonly string[] {
  const allowed = new Set([...asked, ...carrying, ...usualIdentifiers(kind)]);
  return items.flatMap((item) => {
    const own = identifierNames(kind, item);
    const mayStay = (name: string): boolean =>
      allowed.has(name) || own.includes(name) || holdsNumbers(asked, item[name]);
    return Object.keys(item).filter((name) => !mayStay(name));
  });
}

/** A record as a list without `fields` shows it. */
interface Look {
  readonly reply: Reply;
  readonly item: JsonObject;
}

interface Difference {
  readonly page: ListPage;
  readonly id: string;
  readonly name: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly because: readonly Reply[];
}

/** A member that is the same without `fields` before and after has that value with `fields` in between. */
export const kept: Rule<'pagination-fields-kept'> = (world, { expect, count }) => {
  const differences = world.pages.flatMap((page) => {
    const names = askedOf(page)?.filter((name) => fieldNames[page.operation]?.includes(name)) ?? [];
    const found = names.length > 0 ? differencesIn(page, names, world) : undefined;
    if (found?.isSame) count('pagination-fields-kept', page.reply);
    return found?.differences ?? [];
  });
  for (const one of differences.filter((difference) => isSure(difference, differences, world))) {
    const { page, name, expected, actual, because } = one;
    const message = `a list with fields should show ${name} as it is without`;
    expect('pagination-fields-kept', page.reply, false, message, { expected, actual, because });
  }
};

/** `isSame`: some member is the same. */
function differencesIn(page: ListPage, names: readonly string[], world: World) {
  const differences: Difference[] = [];
  let isSame = false;
  for (const [place, item] of page.items.entries()) {
    const id = page.ids?.[place] ?? '';
    const looks = looksIn(world).get(`${nameOf(page)} ${id}`) ?? [];
    const around = aroundOf(page.reply, looks);
    if (around === undefined || isEdited(page, id, around, world)) continue;
    const [before, after] = around;
    for (const name of names.filter((one) => sameMember(before.item, after.item, one))) {
      const [actual, expected] = [item[name], before.item[name]];
      const because = [before.reply, after.reply];
      if (areLike(actual, expected)) isSame = true;
      // Another node may show an older value, and somebody may have changed it and back.
      else if (!looks.some((look) => areLike(actual, look.item[name])))
        differences.push({ page, id, name, expected, actual, because });
    }
  }
  return { differences, isSame };
}

/** By list and identifier, in the order of the replies. */
const looksIn = computedOnce(({ pages }: World): ReadonlyMap<string, readonly Look[]> => {
  const looks = new Map<string, Look[]>();
  for (const page of pages)
    for (const [place, id] of page.query.has('fields') ? [] : (page.ids ?? []).entries()) {
      const name = `${nameOf(page)} ${id}`;
      const look = { reply: page.reply, item: page.items[place] ?? {} };
      const known = looks.get(name);
      if (known) known.push(look);
      else looks.set(name, [look]);
    }
  return looks;
});

function aroundOf({ after, id }: Reply, looks: readonly Look[]): readonly [Look, Look] | undefined {
  const before = looks.findLast(({ reply }) => reply.id <= after);
  const later = looks.find(({ reply }) => reply.after >= id);
  return before && later ? [before, later] : undefined;
}

/** The run itself may have edited the record in between. */
function isEdited({ path }: ListPage, id: string, [before, after]: readonly [Look, Look], world: World): boolean {
  const start = before.reply.sentAt - lagMsMax;
  return world.replies.some(
    ({ operation, request, receivedAt, after: sent }) =>
      operation === 'PATCH /companies/{company_id}' &&
      new URL(request.url).pathname === `${path}/${id}` &&
      receivedAt >= start &&
      sent < after.reply.id,
  );
}

/** Equal in everything that both show; one may show more within the member. */
function areLike(one: unknown, other: unknown): boolean {
  const [left, right] = [given(one), given(other)];
  return JSON.stringify(narrowed(left, right)) === JSON.stringify(narrowed(right, left));
}

/** A record of the run's own, or two records: others may change a single one and back meanwhile. */
const isSure = ({ page, id, name }: Difference, all: readonly Difference[], world: World): boolean =>
  page.items.some(
    (item, place) => page.ids?.[place] === id && world.shown(page.kind, page.reply, item) !== undefined,
  ) || all.some((one) => one.page === page && one.name === name && one.id !== id);
