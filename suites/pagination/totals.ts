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
    const range = page.isOwn && !notes.isPuzzling(page.path) ? totalsOf(world).rangeOf(page) : undefined;
    if (range === undefined) continue;
    const { chain, total, reply } = page;
    const { least, most } = range;
    const first = chain?.[0];
    const isConstant = first !== undefined && (chain?.length ?? 0) > 1 && least === most && first.total === least;
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
  const start = startOf(page) - lagMsMax;
  const isWhole = isWholeList(page) && countOf(page.chain ?? []) <= most;
  return repeats.length > 0 && !(isWhole && repeats.every(({ receivedAt }) => receivedAt < start));
}

/** Bounds of a count; equal if it is known. */
interface Range {
  readonly least: number;
  readonly most: number;
}

interface Creation {
  readonly reply: Reply;
  readonly view: string | undefined;
  /** It is known to have succeeded. */
  readonly sure: boolean;
}

export class Totals {
  private readonly creations = new Map<RecordKind, Creation[]>([
    ['company', []],
    ['contact', []],
  ]);
  /** By view and path. */
  private readonly lists: ReadonlyMap<string, readonly ListPage[]>;
  /** Lists from which somebody else removed records. */
  private readonly reduced: ReadonlySet<string>;

  /** When each record was first and last seen, by the list and its identifier. */
  private readonly moments = new Map<string, Map<string, { readonly first: number; readonly last: number }>>();
  private readonly notes: NoteLists;
  /** Kinds whose lists lack records of their reader: their totals are not judged. */
  private readonly lacking: ReadonlySet<string>;

  constructor(world: World) {
    const { pages, replies, callers } = world;
    this.notes = noteListsOf(world);
    this.lacking = new Set((['company', 'contact'] as const).filter((kind) => lacksOwn(kind, world)));
    this.lists = grouped(pages, nameOf);
    this.reduced = new Set([...this.lists].flatMap(([name, list]) => (isReduced(list.filter(isWhole)) ? [name] : [])));
    for (const page of pages) {
      const { ids = [], reply } = page;
      const known = this.moments.get(nameOf(page)) ?? new Map();
      this.moments.set(nameOf(page), known);
      for (const id of ids) known.set(id, { first: known.get(id)?.first ?? reply.receivedAt, last: reply.sentAt });
    }
    for (const reply of replies) {
      const write = writeOf(reply);
      // A repeated creation, or one without a proper reply, may have made a record or not.
      if (write?.does !== 'create' || (reply.status >= 400 && reply.status < 500 && !reply.mayReplay)) continue;
      const sure = createdIn(reply) !== undefined && !reply.mayReplay;
      this.creations.get(write.kind)?.push({ reply, view: callers.viewOf(reply), sure });
    }
  }

  /** Pages of the same list, as the same user sees it. */
  pagesLike = (page: ListPage): readonly ListPage[] => this.lists.get(nameOf(page)) ?? [];

  /** Records seen before the traversal, longer ago than lists may lag, and after it: they were there all the time. */
  seenAround(page: ListPage): ReadonlySet<string> {
    const [start, end] = [startOf(page) - lagMsMax, page.reply.receivedAt];
    const all = [...(this.moments.get(nameOf(page)) ?? [])];
    return new Set(all.filter(([, { first, last }]) => first < start && last > end).map(([id]) => id));
  }

  lacks = (kind: RecordKind): boolean => this.lacking.has(kind);

  /** How many records the list may have; undefined if that is not known. */
  rangeOf(page: ListPage): Range | undefined {
    const expected = this.notes.expected(page);
    if (expected) return { least: expected.must.length, most: expected.must.length + expected.may.length };
    return page.kind === 'note' || this.lacks(page.kind) ? undefined : this.at(page);
  }

  /** If the number is unknown, has_more true after as many records as the total contradicts itself. */
  rangeAt(page: ListPage, isBehindAll: boolean): Range | undefined {
    const contradicts = page.hasMore && isBehindAll && this.isSettled(page);
    return this.rangeOf(page) ?? (contradicts ? { least: page.total, most: page.total } : undefined);
  }

  /** A single page showed as many records as the total, both before and after. */
  isShownAround(page: ListPage): boolean {
    const { total, reply } = page;
    const isAll = (one: ListPage): boolean => one.total === total && !one.hasMore && one.items.length === total;
    const whole = this.pagesLike(page).filter(isAll);
    return whole.some((one) => one.reply.id <= reply.after) && whole.some((one) => one.reply.after >= reply.id);
  }

  /** A later page has the same total: this one did not lag behind records of others. */
  private isSettled(page: ListPage): boolean {
    const isLater = (one: ListPage): boolean => one.reply.sentAt > page.reply.receivedAt + lagMsMax;
    return this.pagesLike(page).some((one) => isLater(one) && one.total === page.total);
  }

  /** By pages of the same user, each longer ago than lists may lag; undefined if they contradict each other. */
  private at(page: ListPage): Range | undefined {
    const { reply } = page;
    if (isWhole(page) || this.reduced.has(nameOf(page))) return undefined;
    const same = this.pagesLike(page).filter((one) => one !== page);
    const before = this.nearest(same.filter((one) => one.reply.receivedAt < startOf(page) - lagMsMax).toReversed());
    const after = this.nearest(same.filter((one) => startOf(one) > reply.receivedAt + lagMsMax));
    if (before === undefined || after === undefined) return undefined;
    const made = this.made(page);
    // Records that others made meanwhile are counted by the later page only.
    return before.least <= after.most ? { least: before.least + made.least, most: after.most + made.most } : undefined;
  }

  /** How many of the run's own records the list must show, and may show. */
  private made(page: ListPage): Range {
    const own = (this.creations.get(page.kind) ?? []).filter(({ view }) => view === page.view);
    const start = startOf(page) - lagMsMax;
    return {
      least: own.filter(({ reply, sure }) => sure && reply.receivedAt < start).length,
      most: own.filter(({ reply }) => reply.after < page.reply.id).length,
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
}

export const totalsOf = computedOnce((world: World) => new Totals(world));

/** The last page of a traversal that delivered as many records as its total: it is right by itself. */
const isWhole = ({ chain, hasMore, total }: ListPage): boolean =>
  chain !== undefined && !hasMore && countOf(chain) === total;

export const nameOf = ({ view, path }: ListPage): string => `${view} ${path}`;
const idsIn = ({ chain = [] }: ListPage): ReadonlySet<string> => new Set(chain.flatMap(({ ids }) => ids ?? []));
/** When its traversal began. */
const startOf = ({ chain, reply }: ListPage): number => chain?.[0]?.reply.sentAt ?? reply.sentAt;

/** Whether somebody removed records: a client cannot, but others may have another way. */
function isReduced(wholes: readonly ListPage[]): boolean {
  const named = wholes.filter(({ chain }) => chain?.every(({ ids }) => ids)).map(idsIn);
  return named.some((ids, index) => [...(named[index - 1] ?? [])].some((id) => !ids.has(id)));
}
