// A traversal shows every record once, and total and has_more say so.
import {
  at,
  countOf,
  grouped,
  isObject,
  isWholeList,
  type Judge,
  type ListPage,
  lacksOwn,
  lagMsMax,
  type NoteLists,
  noteListsOf,
  type Rule,
  rangeAskedOf,
  type World,
} from '../../lib/index.ts';
import { nameOf, type Range, startOf, Totals } from './totals.ts';

export const pageIds = [
  'pagination-has-more-last',
  'pagination-has-more-remains',
  'pagination-list-empty',
  'pagination-sort-members',
  'pagination-sort-pages',
  'pagination-total-constant',
  'pagination-total-exact',
  'pagination-traversal-complete',
  'pagination-traversal-once',
] as const;
type Id = (typeof pageIds)[number];

export const pages: Rule<Id> = (world, judge) => {
  const lists = new Lists(world, judge);
  for (const page of world.pages) lists.judge(page);
};

type Chain = NonNullable<ListPage['chain']>;

class Lists {
  private readonly world: World;
  private readonly verdict: Judge<Id>;
  private readonly notes: NoteLists;
  private readonly totals: Totals;
  /** Lists of these lack what their reader has made: what they count is not judged. */
  private readonly lacking: ReadonlySet<string>;
  /** By view and path. */
  private readonly lists: ReadonlyMap<string, readonly ListPage[]>;

  constructor(world: World, judge: Judge<Id>) {
    this.world = world;
    this.verdict = judge;
    this.notes = noteListsOf(world);
    this.totals = new Totals(world);
    this.lacking = new Set((['company', 'contact'] as const).filter((kind) => lacksOwn(kind, world)));
    this.lists = grouped(world.pages, nameOf);
  }

  judge(page: ListPage): void {
    const { chain } = page;
    const isPuzzling = this.notes.isPuzzling(page.path);
    if (chain && !isPuzzling) this.judgeChain(page, chain);
    if (page.isOwn && !isPuzzling) this.judgeTotal(page);
    this.judgeOffset(page);
  }

  /** A traversal in cursor mode up to this page, where it ends. */
  private judgeChain(page: ListPage, chain: Chain): void {
    const { total, hasMore } = page;
    const ids = chain.every((one) => one.ids) ? chain.flatMap((one) => one.ids ?? []) : undefined;
    const twice = ids?.find((id, index) => ids.indexOf(id) !== index);
    if (twice === undefined) {
      if (chain.length > 1) this.verdict.count('pagination-traversal-once');
      this.judgeCount(page, chain, ids);
      return;
    }
    if (!this.world.isCalm(chain) && !this.isLasting(page, twice)) return;
    // What begins again after the last record is judged by has_more, where the last one stood.
    if (hasMore && new Set(ids).size >= total) return;
    const message = 'a traversal should show no record twice';
    this.fail('pagination-traversal-once', page, message, 'every record once', twice, chain);
  }

  /** A traversal without a record twice: it goes on as long as there are more, and has all at its end. */
  private judgeCount(page: ListPage, chain: Chain, ids: readonly string[] | undefined): void {
    const { total, hasMore } = page;
    const count = countOf(chain);
    const range = this.rangeAt(page, count === total);
    const isSure =
      this.world.isCalm(chain) &&
      range?.least === total &&
      range.most === total &&
      chain.every((one) => one.total === total);
    if (isSure && count === total) {
      const id = total === 0 ? 'pagination-list-empty' : 'pagination-has-more-last';
      const because = chain.map(({ reply }) => reply);
      const found = { expected: false, actual: hasMore, because };
      this.verdict.expect(id, page.reply, !hasMore, 'has_more should be false when every record was delivered', found);
    }
    const known = page.kind === 'note' ? 0 : Math.min(total, range?.least ?? 0);
    if (!hasMore) this.judgeEnd(page, chain, isSure ? total : known, ids);
  }

  /** The end of a traversal that should have delivered so many records at least. */
  private judgeEnd(page: ListPage, chain: Chain, least: number, ids: readonly string[] | undefined): void {
    const count = countOf(chain);
    if (count >= least) {
      if (least > 0)
        this.verdict.count(chain.length > 1 ? 'pagination-traversal-complete' : 'pagination-has-more-remains');
      return;
    }
    const id = this.isCutOff(page, ids) ? 'pagination-has-more-remains' : 'pagination-traversal-complete';
    const message = 'a list that has no more should have delivered every record';
    this.fail(id, page, message, `${least} records`, `${count} records`, chain);
  }

  private judgeTotal(page: ListPage): void {
    const { chain, total } = page;
    const range = this.rangeOf(page);
    if (range === undefined) return;
    const { least, most } = range;
    const first = chain?.[0];
    const isConstant = first !== undefined && (chain?.length ?? 0) > 1 && least === most && first.total === least;
    const counted = isConstant ? 'pagination-total-constant' : 'pagination-total-exact';
    const id = most === 0 ? 'pagination-list-empty' : counted;
    const holds = total >= least && total <= most;
    if (total > most && this.mayHoldMore(page, most)) return;
    const found = { expected: least === most ? least : `${least} to ${most}`, actual: total };
    this.verdict.expect(id, page.reply, holds, 'total should be the number of records', found);
  }

  /** A sort that leads to offsets does so every time. */
  private judgeOffset(page: ListPage): void {
    const { query, operation, reply, offset, total, hasMore, items } = page;
    const sort = query.get('sort');
    if (sort === null || query.has('cursor') || page.kind === 'note') return;
    const isSame = (one: ListPage): boolean => one.operation === operation && one.query.get('sort') === sort;
    if (!this.world.pages.some((one) => isSame(one) && one.offset !== undefined)) return;
    const pagination = at(reply.json, 'pagination');
    const asked = rangeAskedOf(reply);
    const shown = isObject(pagination) ? { offset: pagination.offset, limit: pagination.limit } : {};
    if (asked.offset < total) {
      const holds = shown.offset === asked.offset && shown.limit === asked.limit;
      const message = 'a sorted list should report its offset and limit';
      if (!this.verdict.expect('pagination-sort-members', reply, holds, message, { expected: asked, actual: shown }))
        return;
    }
    const range = this.rangeAt(page, asked.offset + items.length >= total);
    if (offset === undefined || !this.world.isCalm([page]) || range?.least !== total || range.most !== total) return;
    const remains = asked.offset + asked.limit < total;
    const expected = { has_more: remains, records: Math.max(0, Math.min(asked.limit, total - asked.offset)) };
    const actual = { has_more: hasMore, records: items.length };
    const holds = expected.has_more === actual.has_more && expected.records === actual.records;
    const message = 'a page of a sorted list should be the records from its offset on';
    this.verdict.expect('pagination-sort-pages', reply, holds, message, { expected, actual });
  }

  private fail(id: Id, page: ListPage, message: string, expected: unknown, actual: unknown, chain: Chain = []): void {
    this.verdict.expect(id, page.reply, false, message, { expected, actual, because: chain.map(({ reply }) => reply) });
  }

  /** What it counts is counted later as well: it does not trail behind what others have made. */
  private isSettled(page: ListPage): boolean {
    const isLater = (one: ListPage): boolean => one.reply.sentAt > page.reply.receivedAt + lagMsMax;
    return (this.lists.get(nameOf(page)) ?? []).some((one) => isLater(one) && one.total === page.total);
  }

  /** A note that was there all the time, whatever was written meanwhile. */
  private isLasting = (page: ListPage, id: string): boolean =>
    this.notes.expected(page)?.must.some((note) => String(note.id) === id) === true;

  /** What is missing follows the last record that was delivered, in the order of a traversal that showed all. */
  private isCutOff(page: ListPage, ids: readonly string[] | undefined): boolean {
    const isWhole = ({ hasMore, chain = [] }: ListPage): boolean =>
      !hasMore && countOf(chain) === page.total && chain.every((one) => one.ids);
    const whole = (this.lists.get(nameOf(page)) ?? []).find(isWhole);
    if (whole === undefined || ids === undefined)
      return page.items.length >= Number(at(page.reply.json, 'pagination', 'limit'));
    const order = (whole.chain ?? []).flatMap((one) => one.ids ?? []);
    return order.slice(ids.length).every((id) => !ids.includes(id));
  }

  /** How many records there may be, by the notes that were made, or else by what was read before and after. */
  private rangeOf(page: ListPage): Range | undefined {
    const expected = this.notes.expected(page);
    if (expected) return { least: expected.must.length, most: expected.must.length + expected.may.length };
    return page.kind === 'note' || this.lacking.has(page.kind) ? undefined : this.totals.at(page);
  }

  /** Where nobody knows how many there are, a page that goes on behind as many as it counts contradicts itself. */
  private rangeAt(page: ListPage, isBehindAll: boolean): Range | undefined {
    const contradicts = page.hasMore && isBehindAll && this.isSettled(page);
    return this.rangeOf(page) ?? (contradicts ? { least: page.total, most: page.total } : undefined);
  }

  /** A repeated creation may have made another note, and lists may lag: unless the whole list shows none, that is judged where it is repeated. */
  private mayHoldMore(page: ListPage, most: number): boolean {
    const repeats = this.notes.creationsIn(page.path).filter((one) => one.mayReplay && one.after < page.reply.id);
    const start = startOf(page) - lagMsMax;
    const isWhole = isWholeList(page) && countOf(page.chain ?? []) <= most;
    return repeats.length > 0 && !(isWhole && repeats.every(({ receivedAt }) => receivedAt < start));
  }
}
