// Every page of every list that a run has read: it shows what there is, once, and its total and has_more say so.
import {
  at,
  identifierNames,
  identifierOf,
  isObject,
  itemsOf,
  type JudgedId,
  lagMsMax,
  Mismatch,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { Families } from './families.ts';
import { creations } from './history.ts';
import { type Home, NoteModel, textOf } from './note-model.ts';
import { countOf, type Page, pagesOf } from './pages.ts';
import { Viewers } from './viewers.ts';

export const listDuties = [
  'notes-create-once',
  'notes-create-refused-effect',
  'notes-delete-effect',
  'pagination-fields-restrict',
  'pagination-fields-later-pages',
  'pagination-has-more-last',
  'pagination-has-more-remains',
  'pagination-sort-members',
  'pagination-sort-pages',
  'pagination-total-constant',
  'pagination-total-exact',
  'pagination-traversal-complete',
  'pagination-traversal-once',
] as const satisfies readonly JudgedId[];
type Duty = (typeof listDuties)[number];

interface Found {
  readonly id: Duty;
  readonly page: Page;
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly replies?: readonly Reply[];
}

const wrong = ({ id, page, message, expected, actual, replies }: Found): Wrong => ({
  id,
  operation: page.operation,
  mismatch: new Mismatch({ message, expected, actual: actual ?? 'absent', replies: replies ?? [page.reply] }),
});

/** What lists may lag behind, and who wrote anything in the meantime. */
export class Lists {
  private readonly writes: readonly Reply[];
  private readonly pages: readonly Page[];
  private readonly model: NoteModel;
  /** Records that a run cannot explain: what lists of their company count is not judged. */
  private readonly puzzling = new Set<string>();

  constructor(story: Story) {
    this.writes = story.replies.filter(
      ({ operation = '' }) => operation in creations || /^DELETE .companies/.test(operation),
    );
    const viewers = new Viewers(story.replies, new Families(story.replies));
    this.pages = pagesOf(story.replies, viewers);
    this.model = new NoteModel(story, viewers);
  }

  wrong(): readonly Wrong[] {
    const strays = this.pages.flatMap((page) => this.strays(page));
    const others = this.pages.flatMap((page) => [
      ...this.ofChain(page),
      ...this.ofTotal(page),
      ...this.ofOffset(page),
      ...this.ofFields(page),
    ]);
    return [...strays, ...others].map(wrong);
  }

  private homeOf(page: Page): Home | undefined {
    const home = this.model.homeOf(page);
    return home && page.reply.id <= home.unclearFrom ? home : undefined;
  }

  /** Notes that were never made here, or that were deleted. */
  private strays(page: Page): readonly Found[] {
    const home = this.homeOf(page);
    if (home === undefined) return [];
    return page.items.flatMap((item): Found[] => {
      const id = identifierOf('note', item);
      const note = home.notes.get(String(id));
      const { died } = note ?? {};
      const isLate =
        died !== undefined && died.receivedAt < page.reply.sentAt - lagMsMax && page.query.get('cursor') === null;
      if (id === undefined || (note !== undefined && !isLate)) return [];
      this.puzzling.add(page.path);
      const actual = item;
      if (died !== undefined)
        return home.creations.some((one) => one.mayReplay && one.id > died.id)
          ? []
          : [
              {
                id: 'notes-delete-effect',
                page,
                message: 'a deleted note should not be in the list',
                expected: 'gone',
                actual,
                replies: [died, page.reply],
              },
            ];
      const source = home.creations.findLast((one) => one.id < page.reply.id && textOf(one) === item.text);
      if (source === undefined || source.mayReplay || source.status === 429) return [];
      const duty = wasAccepted(source) ? 'notes-create-once' : 'notes-create-refused-effect';
      const message = 'the list should show the notes that were made, and no other';
      return [{ id: duty, page, message, expected: 'no such note', actual, replies: [source, page.reply] }];
    });
  }

  /** A traversal in cursor mode up to this page. */
  private ofChain(page: Page): readonly Found[] {
    const { chain, total, hasMore } = page;
    if (chain === undefined || this.puzzling.has(page.path)) return [];
    const ids = chain.every((one) => one.ids) ? chain.flatMap((one) => one.ids ?? []) : undefined;
    const replies = chain.map(({ reply }) => reply);
    const twice = ids?.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) {
      const message = 'a traversal should show no record twice';
      return [
        { id: 'pagination-traversal-once', page, message, expected: 'every record once', actual: twice, replies },
      ];
    }
    if (!this.isCalm(chain) || chain.some((one) => one.total !== total)) return [];
    const count = countOf(chain);
    const home = this.homeOf(page);
    if (hasMore && count === total && this.isSure(page, home)) {
      const message = 'has_more should be false when every record was delivered';
      return [{ id: 'pagination-has-more-last', page, message, expected: false, actual: true, replies }];
    }
    if (hasMore || count >= total || !this.isSure(page, home)) return [];
    const isFull = page.items.length >= Number(at(page.reply.json, 'pagination', 'limit'));
    const id = isFull ? 'pagination-has-more-remains' : 'pagination-traversal-complete';
    const message = 'a list that has no more should have delivered every record';
    return [{ id, page, message, expected: `${total} records`, actual: `${count} records`, replies }];
  }

  /** Whether the total of a page is right, by the notes that were made, or else by what was read before and after. */
  private isSure(page: Page, home: Home | undefined): boolean {
    if (home === undefined) return this.usualTotal(page) === page.total;
    const { must, may } = this.model.expected(home, [page]);
    return may.size === 0 && must.size === page.total;
  }

  private ofTotal(page: Page): readonly Found[] {
    if (this.puzzling.has(page.path)) return [];
    const id = page.query.has('cursor') ? 'pagination-total-constant' : 'pagination-total-exact';
    const message = 'total should be the number of records';
    const home = this.homeOf(page);
    if (home === undefined) {
      const usual = this.usualTotal(page);
      const same = usual === undefined || usual === page.total;
      return same ? [] : [{ id, page, message, expected: usual, actual: page.total }];
    }
    const { must, may } = this.model.expected(home, page.chain ?? [page]);
    const [least, most] = [must.size, must.size + may.size];
    if (page.total >= least && page.total <= most) return [];
    const expected = least === most ? least : `${least} to ${most}`;
    return [{ id, page, message, expected, actual: page.total }];
  }

  /** What the same user was reported before and after, each time longer ago than lists may lag; undefined where that differs. */
  private usualTotal(page: Page): number | undefined {
    const { reply, viewer, path } = page;
    const same = this.pages.filter((one) => one.viewer === viewer && one.path === path && one !== page);
    const before = same.findLast((one) => one.reply.receivedAt < reply.sentAt - lagMsMax);
    const after = same.find((one) => one.reply.sentAt > reply.receivedAt + lagMsMax);
    if (before === undefined || after === undefined || before.total !== after.total) return undefined;
    return this.isCalm([before, after]) ? before.total : undefined;
  }

  /** Nothing of the kind was made or deleted from a little before the first page until the last. */
  private isCalm(pages: readonly Page[]): boolean {
    const [first] = pages;
    const last = pages.at(-1);
    if (first === undefined || last === undefined) return false;
    const isMaking = ({ operation }: Reply): boolean =>
      operation !== undefined &&
      (creations[operation] === first.kind || (first.kind === 'note' && operation.startsWith('DELETE /companies')));
    const isNear = ({ receivedAt, after }: Reply): boolean =>
      receivedAt >= first.reply.sentAt - lagMsMax && after < last.reply.id;
    return !this.writes.some((reply) => isMaking(reply) && isNear(reply));
  }

  /** A sort that leads to offsets does so every time. */
  private ofOffset(page: Page): readonly Found[] {
    const { query, operation, reply, offset, total, hasMore, items } = page;
    const sort = query.get('sort');
    if (sort === null || operation === 'GET /companies/{company_id}/notes') return [];
    const isSame = (one: Page): boolean => one.operation === operation && one.query.get('sort') === sort;
    if (!this.pages.some((one) => isSame(one) && one.offset !== undefined)) return [];
    const pagination = at(reply.json, 'pagination');
    const asked = { offset: Number(query.get('offset') ?? 0), limit: Number(query.get('limit') ?? 50) };
    const shown = isObject(pagination) ? { offset: pagination.offset, limit: pagination.limit } : {};
    const message = 'a sorted list should report its offset and limit';
    if (asked.offset < total && (shown.offset !== asked.offset || shown.limit !== asked.limit))
      return [{ id: 'pagination-sort-members', page, message, expected: asked, actual: shown }];
    if (offset === undefined || !this.isCalm([page]) || this.usualTotal(page) !== total) return [];
    const remains = asked.offset + asked.limit < total;
    const expected = { has_more: remains, records: Math.max(0, Math.min(asked.limit, total - asked.offset)) };
    const actual = { has_more: hasMore, records: items.length };
    const same = expected.has_more === actual.has_more && expected.records === actual.records;
    const what = 'a page of a sorted list should be the records from its offset on';
    return same ? [] : [{ id: 'pagination-sort-pages', page, message: what, expected, actual }];
  }

  /** Names under which every record of a whole list carries its identifier: they may stay. */
  private carriers({ operation, kind }: Page): readonly string[] {
    const whole = this.pages.filter((one) => one.operation === operation && !one.query.has('fields'));
    const [first = [], ...more] = whole
      .flatMap(({ reply }) => itemsOf(reply))
      .map((item) => identifierNames(kind, item));
    return first.filter((name) => more.every((names) => names.includes(name)));
  }

  private ofFields(page: Page): readonly Found[] {
    const fields = page.query.get('fields')?.split(',');
    if (fields === undefined || page.kind === 'note') return [];
    const allowed = new Set([...fields, ...this.carriersOf(page)]);
    const isAllowed = (item: object, name: string): boolean =>
      allowed.has(name) || identifierNames(page.kind, item as never).includes(name);
    const further = page.items.flatMap((item) => Object.keys(item).filter((name) => !isAllowed(item, name)));
    if (further.length === 0) return [];
    const id = page.query.has('cursor') ? 'pagination-fields-later-pages' : 'pagination-fields-restrict';
    const message = 'a record should have only the fields that were asked for';
    return [{ id, page, message, expected: [...allowed], actual: `also ${[...new Set(further)].join(', ')}` }];
  }

  private readonly carrying = new Map<OperationId, readonly string[]>();

  private carriersOf(page: Page): readonly string[] {
    const known = this.carrying.get(page.operation) ?? this.carriers(page);
    this.carrying.set(page.operation, known);
    return known;
  }
}
