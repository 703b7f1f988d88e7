// How many companies or contacts a list has: by what was read before and after, and by what the run has made in between.
import {
  computedOnce,
  dataOf,
  identifierOf,
  lagMsMax,
  type OperationId,
  type RecordKind,
  type Reply,
  wasAccepted,
} from '../../lib/index.ts';
import { countOf, type Page } from './pages.ts';
import type { Viewers } from './viewers.ts';

/** As many as there may be; the same twice where it is known. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

const creations: Partial<Record<RecordKind, OperationId>> = { company: 'POST /companies', contact: 'POST /contacts' };

interface Birth {
  readonly reply: Reply;
  readonly viewer: string | undefined;
  /** It is known to have been carried out. */
  readonly sure: boolean;
}

/** A repetition makes another record or none, and so may what got no proper answer. */
function birthsOf(kind: RecordKind, replies: readonly Reply[], viewers: Viewers): readonly Birth[] {
  return replies.flatMap((reply): Birth[] => {
    if (reply.operation !== creations[kind] || (reply.status >= 400 && reply.status < 500 && !reply.mayReplay))
      return [];
    const sure = wasAccepted(reply) && !reply.mayReplay && identifierOf(kind, dataOf(reply)) !== undefined;
    return [{ reply, viewer: viewers.of(reply), sure }];
  });
}

/** The last page of a list that was shown to its end, with as many records as it says: such a page is right by itself. */
const isWhole = ({ chain, hasMore, total }: Page): boolean =>
  chain !== undefined && !hasMore && countOf(chain) === total;

const listOf = ({ viewer, path }: Page): string => `${viewer} ${path}`;

const idsIn = ({ chain = [] }: Page): ReadonlySet<string> => new Set(chain.flatMap(({ ids }) => ids ?? []));

/** Whether somebody has taken records away: a client cannot, but whoever has another way in can. */
function isReduced(wholes: readonly Page[]): boolean {
  const named = wholes.filter(({ chain }) => chain?.every(({ ids }) => ids)).map(idsIn);
  return named.some((ids, index) => [...(named[index - 1] ?? [])].some((id) => !ids.has(id)));
}

const startOf = ({ chain, reply }: Page): number => chain?.[0]?.reply.sentAt ?? reply.sentAt;

export class Totals {
  private readonly births: ReadonlyMap<RecordKind, readonly Birth[]>;
  /** By viewer and path. */
  private readonly lists = new Map<string, Page[]>();
  /** Lists, by their viewer and path, from which somebody else has taken something. */
  private readonly reduced: ReadonlySet<string>;

  constructor(replies: readonly Reply[], viewers: Viewers, pages: readonly Page[]) {
    for (const page of pages) {
      const list = this.lists.get(listOf(page));
      if (list) list.push(page);
      else this.lists.set(listOf(page), [page]);
    }
    const reduced = [...this.lists].filter(([, list]) => isReduced(list.filter(isWhole)));
    this.reduced = new Set(reduced.map(([name]) => name));
    this.births = new Map((['company', 'contact'] as const).map((kind) => [kind, birthsOf(kind, replies, viewers)]));
  }

  /** From pages that the same user was shown, each longer ago than lists may lag; undefined where they cannot agree. */
  at(page: Page): Range | undefined {
    const { reply } = page;
    if (isWhole(page) || this.reduced.has(listOf(page))) return undefined;
    const same = (this.lists.get(listOf(page)) ?? []).filter((one) => one !== page);
    const before = this.nearest(same.filter((one) => one.reply.receivedAt < startOf(page) - lagMsMax).toReversed());
    const after = this.nearest(same.filter((one) => startOf(one) > reply.receivedAt + lagMsMax));
    if (before === undefined || after === undefined) return undefined;
    const made = this.made(page);
    // What others made in the meantime is counted behind it only.
    return before.least <= after.most ? { least: before.least + made.least, most: after.most + made.most } : undefined;
  }

  /** Of the run's own, those that the list must show, and those that it may. */
  private made(page: Page): Range {
    const own = (this.births.get(page.kind) ?? []).filter(({ viewer }) => viewer === page.viewer);
    const start = startOf(page) - lagMsMax;
    return {
      least: own.filter(({ reply, sure }) => sure && reply.receivedAt < start).length,
      most: own.filter(({ reply }) => reply.after < page.reply.id).length,
    };
  }

  /** Of the nearest page that leaves no doubt, or else of the nearest: what was there without the run. */
  private nearest(pages: readonly Page[]): Range | undefined {
    const isExact = (page: Page): boolean => this.older(page).least === this.older(page).most;
    const page = pages.find(isExact) ?? pages[0];
    return page && this.older(page);
  }

  private readonly older = computedOnce((page: Page): Range => this.olderThan(page));

  private olderThan(page: Page): Range {
    const made = this.made(page);
    return { least: page.total - made.most, most: page.total - made.least };
  }
}
