// Rules over lists with `fields`: records have these members and their identifier, with the same values as without.
import {
  fieldNames,
  fieldsOf,
  grouped,
  identifierNames,
  type JsonObject,
  type ListPage,
  type Rule,
  usualIdentifiers,
  type World,
} from '../../lib/index.ts';
import { holdsNumbers, narrowed, normalized, sameMember } from '../shared/fields.ts';
import { nameOf } from './totals.ts';

const isPlain = ({ query }: ListPage): boolean => !query.has('fields');

export const restricted: Rule = ({ pages }, { expect }) => {
  const plain = grouped(pages.filter(isPlain), ({ operation }) => operation);
  const carrying = new Map([...plain].map(([operation, some]) => [operation, carriersIn(some)]));
  const isKnown = (operation: ListPage['operation'], name: string): boolean =>
    fieldNames[operation]?.includes(name) === true ||
    plain.get(operation)?.some(({ items }) => items.some((item) => Object.hasOwn(item, name))) === true;
  for (const page of pages) {
    const { reply, operation, kind, items, query, chain } = page;
    const asked = fieldsOf(reply);
    // What happens to unknown members in `fields` is open.
    if (kind === 'note' || !asked?.every((name) => isKnown(operation, name))) continue;
    const moreIn = (one: ListPage): readonly string[] => further(one, asked, carrying.get(operation) ?? []);
    const isLater = query.has('cursor');
    const [first] = chain ?? [];
    if (items.length === 0 || (isLater && (!first || moreIn(first).length > 0))) continue;
    const id = isLater ? 'pagination-fields-later-pages' : 'pagination-fields-restrict';
    const more = moreIn(page);
    const found = { expected: asked, actual: `also ${[...new Set(more)].join(', ')}` };
    expect(id, reply, more.length === 0, 'a record should have only the fields that were asked for', found);
  }
};

/** Members that have the identifier in every record of these pages: they may stay. */
function carriersIn(pages: readonly ListPage[]): readonly string[] {
  const [first = [], ...more] = pages.flatMap(({ items, kind }) => items.map((item) => identifierNames(kind, item)));
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

/** A record on a page. */
interface Shown {
  readonly page: ListPage;
  readonly id: string;
  readonly item: JsonObject;
}

const shownOn = (page: ListPage): readonly Shown[] =>
  (page.ids ?? []).map((id, place) => ({ page, id, item: page.items[place] ?? {} }));
const placeOf = ({ page, id }: Shown): string => `${nameOf(page)} ${id}`;

/** A member that is the same without `fields` before and after has that value with `fields` in between. */
export const kept: Rule<'pagination-fields-kept'> = (world, { expect, count }) => {
  const plain = grouped(world.pages.filter(isPlain).flatMap(shownOn), placeOf);
  const differences = world.pages.flatMap((page) => {
    const names = fieldsOf(page.reply)?.filter((name) => fieldNames[page.operation]?.includes(name)) ?? [];
    if (names.length === 0) return [];
    const all = shownOn(page).flatMap((one) => comparisonsOf(one, names, plain.get(placeOf(one)) ?? [], world));
    if (all.some(({ isSame }) => isSame)) count('pagination-fields-kept', page.reply);
    return all.filter(({ isOther }) => isOther);
  });
  for (const { page, id, name, item, before, after } of differences) {
    // Others may change a single record of theirs and back meanwhile.
    const isOwn = world.shown(page.kind, page.reply, item) !== undefined;
    if (!isOwn && !differences.some((one) => one.page === page && one.name === name && one.id !== id)) continue;
    const message = `a list with fields should show ${name} as it is without`;
    const because = [before.page.reply, after.page.reply];
    const found = { expected: before.item[name], actual: item[name], because };
    expect('pagination-fields-kept', page.reply, false, message, found);
  }
};

/** The members that are the same before and after, unless the run may have edited the record in between. */
function comparisonsOf(shown: Shown, names: readonly string[], plain: readonly Shown[], world: World) {
  const { page, id, item } = shown;
  const before = plain.findLast((one) => one.page.reply.id <= page.reply.after);
  const after = plain.find((one) => one.page.reply.after >= page.reply.id);
  if (before === undefined || after === undefined) return [];
  if (world.isEdited([`${page.path}/${id}`], before.page.reply, after.page.reply)) return [];
  const same = names.filter((name) => sameMember(before.item, after.item, name));
  return same.map((name) => {
    const isLike = (one: Shown): boolean => areLike(item[name], one.item[name]);
    // Another node may show an older value, and somebody may have changed it and back.
    return { ...shown, name, before, after, isSame: isLike(before), isOther: !plain.some(isLike) };
  });
}

/** Equal in everything that both show; one may show more within the member. */
function areLike(one: unknown, other: unknown): boolean {
  const [left, right] = [normalized(one), normalized(other)];
  return JSON.stringify(narrowed(left, right)) === JSON.stringify(narrowed(right, left));
}
