// Lists that were asked for with some members only: records have these, and what carries their identifier.
import { identifierNames, itemsOf, type OperationId, usualIdentifiers } from '../../lib/index.ts';
import { holdsNumbers } from '../shared/fields.ts';
import type { Found } from './found.ts';
import type { Page } from './pages.ts';

export class Fields {
  private readonly pages: readonly Page[];
  private readonly carrying = new Map<OperationId, readonly string[]>();

  constructor(pages: readonly Page[]) {
    this.pages = pages;
  }

  /** Names under which every record of a whole list carries its identifier: they may stay. */
  private carriers({ operation, kind }: Page): readonly string[] {
    const whole = this.pages.filter((one) => one.operation === operation && !one.query.has('fields'));
    const [first = [], ...more] = whole
      .flatMap(({ reply }) => itemsOf(reply))
      .map((item) => identifierNames(kind, item));
    return first.filter((name) => more.every((names) => names.includes(name)));
  }

  wrong(page: Page): readonly Found[] {
    const fields = page.query.get('fields')?.split(',');
    const isLater = page.query.has('cursor');
    const [first] = page.chain ?? [];
    if (fields === undefined || page.kind === 'note' || (isLater && (!first || this.further(first, fields).length > 0)))
      return [];
    const further = this.further(page, fields);
    if (further.length === 0) return [];
    const id = isLater ? 'pagination-fields-later-pages' : 'pagination-fields-restrict';
    const message = 'a record should have only the fields that were asked for';
    return [{ id, page, message, expected: fields, actual: `also ${[...new Set(further)].join(', ')}` }];
  }

  /** Members that were not asked for, and carry no identifier. */
  private further(page: Page, fields: readonly string[]): readonly string[] {
    const { kind } = page;
    const allowed = new Set([...fields, ...this.carriersOf(page), ...usualIdentifiers(kind)]);
    return page.items.flatMap((item) => {
      const carrying = identifierNames(kind, item);
      const mayStay = (name: string) =>
        allowed.has(name) || carrying.includes(name) || holdsNumbers(fields, item[name]);
      return Object.keys(item).filter((name) => !mayStay(name));
    });
  }

  private carriersOf(page: Page): readonly string[] {
    const known = this.carrying.get(page.operation) ?? this.carriers(page);
    this.carrying.set(page.operation, known);
    return known;
  }
}
