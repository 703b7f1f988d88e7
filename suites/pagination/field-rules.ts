// Lists that were asked for with some members only: records have these, and what carries their identifier.
import {
  fieldNames,
  identifierNames,
  itemsOf,
  type ListPage,
  type OperationId,
  type Rule,
  usualIdentifiers,
} from '../../lib/index.ts';
import { holdsNumbers } from '../shared/fields.ts';

export const fieldIds = ['pagination-fields-restrict', 'pagination-fields-later-pages'] as const;

export const fields: Rule<(typeof fieldIds)[number]> = ({ pages }, { expect }) => {
  const carrying = new Map<OperationId, readonly string[]>();
  const furtherIn = (page: ListPage, asked: readonly string[]): readonly string[] => {
    const known = carrying.get(page.operation) ?? carriers(page, pages);
    carrying.set(page.operation, known);
    return further(page, asked, known);
  };
  for (const page of pages) {
    const asked = page.query.get('fields')?.split(',');
    const isLater = page.query.has('cursor');
    const [first] = page.chain ?? [];
    if (asked === undefined || page.kind === 'note') continue;
    if (isLater && (!first || furtherIn(first, asked).length > 0)) continue;
    // What becomes of a list that is asked for a member that its records may not have is open.
    if (!asked.every((name) => isKnown(page, name, pages))) continue;
    const more = furtherIn(page, asked);
    const id = isLater ? 'pagination-fields-later-pages' : 'pagination-fields-restrict';
    const found = { expected: asked, actual: `also ${[...new Set(more)].join(', ')}` };
    const message = 'a record should have only the fields that were asked for';
    if (page.items.length > 0) expect(id, page.reply, more.length === 0, message, found);
  }
};

const isKnown = ({ operation }: ListPage, name: string, pages: readonly ListPage[]): boolean =>
  fieldNames[operation]?.includes(name) ||
  pages.some(
    (one) =>
      one.operation === operation && !one.query.has('fields') && one.items.some((item) => Object.hasOwn(item, name)),
  );

/** Names under which every record of a whole list carries its identifier: they may stay. */
function carriers({ operation, kind }: ListPage, pages: readonly ListPage[]): readonly string[] {
  const [first = [], ...more] = pages
    .filter((one) => one.operation === operation && !one.query.has('fields'))
    .flatMap(({ reply }) => itemsOf(reply))
    .map((item) => identifierNames(kind, item));
  return first.filter((name) => more.every((names) => names.includes(name)));
}

/** Members that were not asked for, and carry no identifier. */
function further({ kind, items }: ListPage, asked: readonly string[], carrying: readonly string[]): readonly string[] {
  const allowed = new Set([...asked, ...carrying, ...usualIdentifiers(kind)]);
  return items.flatMap((item) => {
    const own = identifierNames(kind, item);
    const mayStay = (name: string): boolean =>
      allowed.has(name) || own.includes(name) || holdsNumbers(asked, item[name]);
    return Object.keys(item).filter((name) => !mayStay(name));
  });
}
