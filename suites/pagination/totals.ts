// Totals of lists: of notes by the run's own writes; of companies and contacts by earlier and later reads as well.
import {
  computedOnce,
  countOf,
  createdIn,
  grouped,
  isWholeList,
  type ListPage,
  lacksOwn,
  lagMsMax,
  type NoteLists,
  noteListsOf,
  type RecordKind,
  type Reply,
  type Rule,
  type World,
  writeOf,
} from '../../lib/index.ts';

export const totals: Rule = (world, { expect }) => {
  const notes = noteListsOf(world);
  for (const page of world.pages) {
    const range = page.isOwn && !notes.isUnexplained(page.path) ? totalsOf(world).rangeOf(page) : undefined;
    if (range === undefined) continue;
    const { chain = [], total, reply } = page;
    const { least, most } = range;
    const isConstant = chain.length > 1 && least === most && chain[0]?.total === least;
    const counted = isConstant ? 'pagination-total-constant' : 'pagination-total-exact';
    const id = most === 0 ? 'pagination-list-empty' : counted;
    if (total > most && mayHoldMore(page, most, notes)) continue;
    const found = { expected: least === most ? least : `${least} to ${most}`, actual: total };
    expect(id, reply, total >= least && total <= most, 'total should be the number of records', found);
  }
};

/** A repeated creation may have made another note: unless a whole list lacks it, that is judged at the repetition. */
function mayHoldMore(page: ListPage, most: number, notes: NoteLists): boolean {
  const repeats = notes.creationsIn(page.path).filter((one) => one.mayReplay && one.after < page.reply.id);
  const isWhole = isWholeList(page) && countOf(page.chain ?? []) <= most;
  return repeats.length > 0 && !(isWhole && repeats.every(({ receivedAt }) => receivedAt < settledAt(page)));
}

/** Bounds of a count; equal if it is known. */
interface Range {
  readonly least: number;
  readonly most: number;
}

/** A repeated creation, or one without a proper reply, may have made a record or not. */
const mayHaveMade = (reply: Reply): boolean =>
  writeOf(reply)?.does === 'create' && (reply.mayReplay || !(reply.status >= 400 && reply.status < 500));
const hasMade = (reply: Reply): boolean => createdIn(reply) !== undefined && !reply.mayReplay;

class Totals {
  private readonly world: World;
  /** By kind and view. */
  private readonly creations: ReadonlyMap<string, readonly Reply[]>;
  /** By view and path. */
  private readonly lists: ReadonlyMap<string, readonly ListPage[]>;
  /** Kinds whose lists lack records of their reader: their totals are not judged. */
  private readonly lacking: readonly RecordKind[];

  constructor(world: World) {
    this.world = world;
    this.lacking = (['company', 'contact'] as const).filter((kind) => lacksOwn(kind, world));
    this.lists = grouped(world.pages, nameOf);
    const madeBy = (reply: Reply): string => `${writeOf(reply)?.kind} ${world.callers.viewOf(reply)}`;
    this.creations = grouped(world.replies.filter(mayHaveMade), madeBy);
  }

  /** Pages of the same list, as the same user sees it. */
  pagesLike = (page: ListPage): readonly ListPage[] => this.lists.get(nameOf(page)) ?? [];

  /** Records seen before the traversal, longer ago than lists may lag, and after it: they were there all the time. */
  seenAround(page: ListPage): ReadonlySet<string> {
    const same = this.pagesLike(page);
    const before = same.filter(({ reply }) => reply.receivedAt < settledAt(page));
    const later = idsIn(same.filter(({ reply }) => reply.sentAt > page.reply.receivedAt));
    return new Set([...idsIn(before)].filter((id) => later.has(id)));
  }

  /** Lists of its kind lack no record of their reader. */
  isJudged = ({ kind }: ListPage): boolean => !this.lacking.includes(kind);

  /** How many records the list may have; undefined if that is not known. */
  rangeOf(page: ListPage): Range | undefined {
    const expected = noteListsOf(this.world).expected(page);
    if (expected) return { least: expected.must.length, most: expected.must.length + expected.may.length };
    return page.kind !== 'note' && this.isJudged(page) ? this.at(page) : undefined;
  }

  /** If the number is unknown, has_more true after as many records as the total contradicts itself. */
  rangeAt(page: ListPage, isBehindAll: boolean): Range | undefined {
    const { total, reply, hasMore } = page;
    // Unless it lagged behind records of others: then no later page has the same total.
    const isLater = (one: ListPage): boolean => one.total === total && one.reply.sentAt > reply.receivedAt + lagMsMax;
    const contradicts = hasMore && isBehindAll && this.pagesLike(page).some(isLater);
    return this.rangeOf(page) ?? (contradicts ? { least: total, most: total } : undefined);
  }

  /** A single page showed as many records as the total, both before and after. */
  isShownAround(page: ListPage): boolean {
    const { total, reply } = page;
    const isAll = (one: ListPage): boolean => one.total === total && !one.hasMore && one.items.length === total;
    const whole = this.pagesLike(page).filter(isAll);
    return whole.some((one) => one.reply.id <= reply.after) && whole.some((one) => one.reply.after >= reply.id);
  }

  /** By pages of the same user, each longer ago than lists may lag; undefined if they contradict each other. */
  private at(page: ListPage): Range | undefined {
    if (isWhole(page) || this.isReduced(this.pagesLike(page))) return undefined;
    const same = this.pagesLike(page).filter((one) => one !== page);
    const before = this.nearest(same.filter((one) => one.reply.receivedAt < settledAt(page)).toReversed());
    const after = this.nearest(same.filter((one) => settledAt(one) > page.reply.receivedAt));
    if (before === undefined || after === undefined) return undefined;
    const made = this.made(page);
    // Records that others made meanwhile are counted by the later page only.
    return before.least <= after.most ? { least: before.least + made.least, most: after.most + made.most } : undefined;
  }

  /** How many of the run's own records the list must show, and may show. */
  private made(page: ListPage): Range {
    const own = this.creations.get(`${page.kind} ${page.view}`) ?? [];
    return {
      least: own.filter((reply) => hasMade(reply) && reply.receivedAt < settledAt(page)).length,
      most: own.filter(({ after }) => after < page.reply.id).length,
    };
  }

  /** The number without the run's own records, by the nearest page that gives it exactly, or else by the nearest. */
  private nearest(pages: readonly ListPage[]): Range | undefined {
    const isExact = (page: ListPage): boolean => this.older(page).least === this.older(page).most;
    const page = pages.find(isExact) ?? pages[0];
    return page && this.older(page);
  }

  private readonly older = computedOnce((page: ListPage): Range => {
    const made = this.made(page);
    return { least: page.total - made.most, most: page.total - made.least };
  });

  /** Whether somebody removed records of the list: a client cannot, but others may have another way. */
  private readonly isReduced = computedOnce((list: readonly ListPage[]): boolean => {
    const whole = list.filter((one) => isWhole(one) && isWholeList(one)).map(({ chain = [] }) => idsIn(chain));
    return whole.some((ids, index) => [...(whole[index - 1] ?? [])].some((id) => !ids.has(id)));
  });
}

export const totalsOf = computedOnce((world: World) => new Totals(world));

/** The last page of a traversal that delivered as many records as its total: it is right by itself. */
export const isWhole = ({ chain, hasMore, total }: ListPage): boolean =>
  chain !== undefined && !hasMore && countOf(chain) === total;

export const nameOf = ({ view, path }: ListPage): string => `${view} ${path}`;
const idsIn = (pages: readonly ListPage[]): ReadonlySet<string> => new Set(pages.flatMap(({ ids = [] }) => ids));
/** What was written before this moment, the page shows: lists may lag when its traversal begins. */
const settledAt = ({ chain, reply }: ListPage): number => (chain?.[0]?.reply ?? reply).sentAt - lagMsMax;
