// How many records a list has, as its total says: notes by what the run has made; companies and contacts by what was read before and after, and made in between.
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

export const totalIds = ['pagination-list-empty', 'pagination-total-constant', 'pagination-total-exact'] as const;

export const totals: Rule<(typeof totalIds)[number]> = (world, { expect }) => {
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

/** A repeated creation may have made another note, and lists may lag: unless the whole list shows none, that is judged where it is repeated. */
function mayHoldMore(page: ListPage, most: number, notes: NoteLists): boolean {
  const repeats = notes.creationsIn(page.path).filter((one) => one.mayReplay && one.after < page.reply.id);
  const start = startOf(page) - lagMsMax;
  const isWhole = isWholeList(page) && countOf(page.chain ?? []) <= most;
  return repeats.length > 0 && !(isWhole && repeats.every(({ receivedAt }) => receivedAt < start));
}

/** As many as there may be; the same twice where it is known. */
interface Range {
  readonly least: number;
  readonly most: number;
}

interface Creation {
  readonly reply: Reply;
  readonly view: string | undefined;
  /** It is known to have been carried out. */
  readonly sure: boolean;
}

export class Totals {
  private readonly creations = new Map<RecordKind, Creation[]>([
    ['company', []],
    ['contact', []],
  ]);
  /** By view and path. */
  private readonly lists: ReadonlyMap<string, readonly ListPage[]>;
  /** Lists from which somebody else has taken something. */
  private readonly reduced: ReadonlySet<string>;

  /** When each record was first and last seen, by the list and its identifier. */
  private readonly moments = new Map<string, Map<string, { readonly first: number; readonly last: number }>>();
  private readonly notes: NoteLists;
  /** Lists of these lack what their reader has made: what they count is not judged. */
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
      // A repetition makes another record or none, and so may what got no proper answer.
      if (write?.does !== 'create' || (reply.status >= 400 && reply.status < 500 && !reply.mayReplay)) continue;
      const sure = createdIn(reply) !== undefined && !reply.mayReplay;
      this.creations.get(write.kind)?.push({ reply, view: callers.viewOf(reply), sure });
    }
  }

  /** Of the same list, as the same user sees it. */
  pagesLike = (page: ListPage): readonly ListPage[] => this.lists.get(nameOf(page)) ?? [];

  /** Records that were seen longer before a traversal than lists may lag, and after it: they were there all the time. */
  seenAround(page: ListPage): ReadonlySet<string> {
    const [start, end] = [startOf(page) - lagMsMax, page.reply.receivedAt];
    const all = [...(this.moments.get(nameOf(page)) ?? [])];
    return new Set(all.filter(([, { first, last }]) => first < start && last > end).map(([id]) => id));
  }

  lacks = (kind: RecordKind): boolean => this.lacking.has(kind);

  /** Undefined where it is not known. */
  rangeOf(page: ListPage): Range | undefined {
    const expected = this.notes.expected(page);
    if (expected) return { least: expected.must.length, most: expected.must.length + expected.may.length };
    return page.kind === 'note' || this.lacks(page.kind) ? undefined : this.at(page);
  }

  /** Where nobody knows how many there are, a page that goes on behind as many as it counts contradicts itself. */
  rangeAt(page: ListPage, isBehindAll: boolean): Range | undefined {
    const contradicts = page.hasMore && isBehindAll && this.isSettled(page);
    return this.rangeOf(page) ?? (contradicts ? { least: page.total, most: page.total } : undefined);
  }

  /** As many as it counts were shown at once before it and after it. */
  isShownAround(page: ListPage): boolean {
    const { total, reply } = page;
    const isAll = (one: ListPage): boolean => one.total === total && !one.hasMore && one.items.length === total;
    const whole = this.pagesLike(page).filter(isAll);
    return whole.some((one) => one.reply.id <= reply.after) && whole.some((one) => one.reply.after >= reply.id);
  }

  /** What it counts is counted later as well: it does not trail behind what others have made. */
  private isSettled(page: ListPage): boolean {
    const isLater = (one: ListPage): boolean => one.reply.sentAt > page.reply.receivedAt + lagMsMax;
    return this.pagesLike(page).some((one) => isLater(one) && one.total === page.total);
  }

  /** From pages that the same user was shown, each longer ago than lists may lag; undefined where they cannot agree. */
  private at(page: ListPage): Range | undefined {
    const { reply } = page;
    if (isWhole(page) || this.reduced.has(nameOf(page))) return undefined;
    const same = this.pagesLike(page).filter((one) => one !== page);
    const before = this.nearest(same.filter((one) => one.reply.receivedAt < startOf(page) - lagMsMax).toReversed());
    const after = this.nearest(same.filter((one) => startOf(one) > reply.receivedAt + lagMsMax));
    if (before === undefined || after === undefined) return undefined;
    const made = this.made(page);
    // What others made in the meantime is counted behind it only.
    return before.least <= after.most ? { least: before.least + made.least, most: after.most + made.most } : undefined;
  }

  /** Of the run's own, those that the list must show, and those that it may. */
  private made(page: ListPage): Range {
    const own = (this.creations.get(page.kind) ?? []).filter(({ view }) => view === page.view);
    const start = startOf(page) - lagMsMax;
    return {
      least: own.filter(({ reply, sure }) => sure && reply.receivedAt < start).length,
      most: own.filter(({ reply }) => reply.after < page.reply.id).length,
    };
  }

  /** Of the nearest page that leaves no doubt, or else of the nearest: what was there without the run. */
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

/** The last page of a list that was shown to its end, with as many records as it says: such a page is right by itself. */
const isWhole = ({ chain, hasMore, total }: ListPage): boolean =>
  chain !== undefined && !hasMore && countOf(chain) === total;

export const nameOf = ({ view, path }: ListPage): string => `${view} ${path}`;
const idsIn = ({ chain = [] }: ListPage): ReadonlySet<string> => new Set(chain.flatMap(({ ids }) => ids ?? []));
/** When its traversal began. */
const startOf = ({ chain, reply }: ListPage): number => chain?.[0]?.reply.sentAt ?? reply.sentAt;

/** Whether somebody has taken records away: a client cannot, but whoever has another way in can. */
function isReduced(wholes: readonly ListPage[]): boolean {
  const named = wholes.filter(({ chain }) => chain?.every(({ ids }) => ids)).map(idsIn);
  return named.some((ids, index) => [...(named[index - 1] ?? [])].some((id) => !ids.has(id)));
}
