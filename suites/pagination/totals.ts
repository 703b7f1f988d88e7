// How many companies or contacts a list has: by what was read before and after, and by what the run has made in between.
import {
  computedOnce,
  countOf,
  createdIn,
  grouped,
  type ListPage,
  lagMsMax,
  type RecordKind,
  type Reply,
  type World,
  writeOf,
} from '../../lib/index.ts';

/** As many as there may be; the same twice where it is known. */
export interface Range {
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

  constructor({ pages, replies, callers }: World) {
    this.lists = grouped(pages, nameOf);
    this.reduced = new Set([...this.lists].flatMap(([name, list]) => (isReduced(list.filter(isWhole)) ? [name] : [])));
    for (const reply of replies) {
      const write = writeOf(reply);
      // A repetition makes another record or none, and so may what got no proper answer.
      if (write?.does !== 'create' || (reply.status >= 400 && reply.status < 500 && !reply.mayReplay)) continue;
      const sure = createdIn(reply) !== undefined && !reply.mayReplay;
      this.creations.get(write.kind)?.push({ reply, view: callers.viewOf(reply), sure });
    }
  }

  /** From pages that the same user was shown, each longer ago than lists may lag; undefined where they cannot agree. */
  at(page: ListPage): Range | undefined {
    const { reply } = page;
    if (isWhole(page) || this.reduced.has(nameOf(page))) return undefined;
    const same = (this.lists.get(nameOf(page)) ?? []).filter((one) => one !== page);
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

/** The last page of a list that was shown to its end, with as many records as it says: such a page is right by itself. */
const isWhole = ({ chain, hasMore, total }: ListPage): boolean =>
  chain !== undefined && !hasMore && countOf(chain) === total;

export const nameOf = ({ view, path }: ListPage): string => `${view} ${path}`;
const idsIn = ({ chain = [] }: ListPage): ReadonlySet<string> => new Set(chain.flatMap(({ ids }) => ids ?? []));
/** When its traversal began. */
export const startOf = ({ chain, reply }: ListPage): number => chain?.[0]?.reply.sentAt ?? reply.sentAt;

/** Whether somebody has taken records away: a client cannot, but whoever has another way in can. */
function isReduced(wholes: readonly ListPage[]): boolean {
  const named = wholes.filter(({ chain }) => chain?.every(({ ids }) => ids)).map(idsIn);
  return named.some((ids, index) => [...(named[index - 1] ?? [])].some((id) => !ids.has(id)));
}
