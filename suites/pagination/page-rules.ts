// Rules over traversals: each shows every record once, whatever is written meanwhile, and ends with has_more false.
import {
  at,
  countOf,
  isWholeList,
  type Judge,
  type JudgedId,
  type ListPage,
  listNotes,
  noteListsOf,
  operations,
  pathOf,
  queryOf,
  type Reply,
  type Rule,
  refusals,
  type World,
  wasAccepted,
  wasThere,
  writeOf,
} from '../../lib/index.ts';
import { nextCursorOf } from '../shared/cursor.ts';
import { isWhole, totalsOf } from './totals.ts';

type Chain = readonly ListPage[];

export const pages: Rule = (world, judge) => {
  const lists = new Lists(world, judge);
  const notes = noteListsOf(world);
  for (const page of world.pages) if (page.chain && !notes.isUnexplained(page.path)) lists.judge(page, page.chain);
  lists.judgeRefusals();
  lists.judgeDisturbed();
};

const stability = {
  create: 'pagination-stable-inserts',
  edit: 'pagination-stable-edits',
  delete: 'pagination-stable-deletes',
} as const;

/** In milliseconds: the document names no lifetime of cursors, but an older one may have expired. */
const freshMsMax = 15_000;

/** The pages of a traversal up to one of them. */
interface Part {
  readonly page: ListPage;
  readonly chain: Chain;
  /** Undefined if a record lacks its identifier. */
  readonly ids: readonly string[] | undefined;
  /** Records that were in the list all the time. */
  readonly lasting: ReadonlySet<string>;
  /** Nobody wrote meanwhile. */
  readonly isUndisturbed: boolean;
}

interface Fault {
  /** The requirement that is violated if nothing was written meanwhile. */
  readonly id: JudgedId;
  readonly reply: Reply;
  readonly chain: Chain;
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

class Lists {
  private readonly world: World;
  private readonly verdict: Judge;
  private readonly totals: ReturnType<typeof totalsOf>;
  /** Operations whose traversals were right, and wrong, while nobody wrote. */
  private readonly sound = new Set<string>();
  private readonly unsound = new Set<string>();
  private readonly disturbed: Fault[] = [];

  constructor(world: World, judge: Judge) {
    this.world = world;
    this.verdict = judge;
    this.totals = totalsOf(world);
  }

  judge(page: ListPage, chain: Chain): void {
    const { reply, hasMore, total } = page;
    const ids = chain.every((one) => one.ids) ? chain.flatMap((one) => one.ids ?? []) : undefined;
    const part: Part = {
      page,
      chain,
      ids,
      lasting: this.lasting(page, chain),
      isUndisturbed: this.world.isUndisturbed(chain),
    };
    this.judgeEnds(part);
    const duplicates = ids?.filter((id, index) => ids.indexOf(id) !== index) ?? [];
    if (duplicates.length === 0) {
      if (chain.length > 1) this.verdict.count('pagination-traversal-once', reply);
      this.judgeCount(part);
      return;
    }
    const actual = part.isUndisturbed ? duplicates[0] : duplicates.find((id) => part.lasting.has(id));
    // A list that starts over after its last record is judged by has_more of the page with that record.
    if (actual === undefined || (hasMore && new Set(ids).size >= total)) return;
    const message = 'a traversal should show no record twice';
    this.fault({ id: 'pagination-traversal-once', reply, chain, message, expected: 'every record once', actual });
  }

  /** If a list is traversed correctly without writes, a fault during a write is due to that. */
  judgeDisturbed(): void {
    for (const fault of this.disturbed) {
      const { operation = '' } = fault.reply;
      const stable = this.sound.has(operation) ? this.stableIn(fault.chain) : undefined;
      if (stable === undefined || !this.unsound.has(operation)) this.fail(fault, stable ?? fault.id);
    }
  }

  /** A caller gets the page of its cursor if it changes nothing else in the request; and an empty list is served. */
  judgeRefusals(): void {
    const { callers, replies } = this.world;
    const { expect, count } = this.verdict;
    const pageOf = new Map(this.world.pages.map((page) => [page.reply, page]));
    /** By cursor, caller, list and query. */
    const issued = new Map<string, Reply>();
    const isSpent = isSpentIn(replies);
    for (const reply of replies.filter(isOfList)) {
      const { status: actual } = reply;
      const query = queryOf(reply);
      const way = wayOf(reply, callers.viewOf(reply));
      const next = nextCursorOf(reply);
      if (wasAccepted(reply) && next !== undefined && !query.has('sort')) issued.set(`${next} ${way}`, reply);
      const isRefused = refusals.includes(actual) && actual !== 406;
      if (isRefused && this.isEmpty(reply)) {
        const message = 'a list without records should be served';
        expect('pagination-list-empty', reply, false, message, { expected: 200, actual });
      }
      const issuer = issued.get(`${query.get('cursor')} ${way}`);
      const isFresh = issuer !== undefined && reply.sentAt - issuer.receivedAt <= freshMsMax;
      if (!isFresh || callers.mayBeOnOtherAccount(reply) || (isRefused && isSpent(reply))) continue;
      const id = 'pagination-traversal-complete';
      const page = pageOf.get(issuer);
      const chain = page ? [page, { ...page, reply }] : [];
      const [message, expected] = ['a list should take the cursor that it gave', 'the page behind it'];
      if (isRefused) this.fault({ id, reply, chain, message, expected, actual });
      else count(id, reply);
      if (query.has('fields'))
        expect('pagination-fields-later-pages', reply, !isRefused, message, { expected, actual });
    }
  }

  /**
   * Without writes it does not lead back after all records, and never has more than twice as many pages plus ten. Pages
   * may be empty where records are filtered: as long as some remain, has_more is right.
   */
  private judgeEnds({ page: { reply, hasMore, total }, chain, ids, isUndisturbed }: Part): void {
    const isFollowed = chain.some(({ query }) => query.get('cursor') === nextCursorOf(reply));
    const isBack = isFollowed && new Set(ids).size >= total && isUndisturbed;
    const most = Math.max(...chain.map((one) => one.total));
    const neverEnds = hasMore && (isBack || (chain.length >= 2 * most + 10 && countOf(chain) >= most));
    if (!neverEnds && (hasMore || chain.length < 2)) return;
    this.verdict.expect('pagination-traversal-ends', reply, !neverEnds, 'a traversal should reach its end', {
      ...{ expected: 'has_more false', actual: `has_more true on page ${chain.length} of ${total} records` },
      because: chain.slice(-3).map((one) => one.reply),
    });
  }

  /** A traversal without duplicates: has_more is true while records remain, and all are shown at its end. */
  private judgeCount(part: Part): void {
    const { page, chain, isUndisturbed } = part;
    const { total, hasMore, kind, reply } = page;
    const count = countOf(chain);
    const { least = 0, most } = this.totals.rangeAt(page, count === total) ?? {};
    const isSure = isUndisturbed && least === total && most === total && chain.every((one) => one.total === total);
    if (isSure && count === total) {
      const id = total === 0 ? 'pagination-list-empty' : 'pagination-has-more-last';
      const found = { expected: false, actual: hasMore, because: chain.map((one) => one.reply) };
      this.verdict.expect(id, reply, !hasMore, 'has_more should be false when every record was delivered', found);
    }
    const known = kind === 'note' ? 0 : Math.min(total, least);
    if (!hasMore) this.judgeEnd(part, isSure ? total : known);
  }

  /** The end of a traversal that should have delivered at least `least` records, and all of `lasting`. */
  private judgeEnd({ page, chain, ids, lasting, isUndisturbed }: Part, least: number): void {
    const { reply, operation } = page;
    const count = countOf(chain);
    const due = ids && this.totals.isJudged(page) ? [...lasting] : [];
    const missing = due.filter((id) => !ids?.includes(id));
    if (count < least || missing.length > 0) {
      const id = this.isCutOff(page, ids) ? 'pagination-has-more-remains' : 'pagination-traversal-complete';
      const message = 'a list that has no more should have delivered every record';
      const [expected, actual] =
        count < least
          ? [`${least} records`, `${count} records`]
          : [`${due.length} records that were there all the time`, `missing: ${missing.join(', ')}`];
      this.fault({ id, reply, chain, message, expected, actual });
      return;
    }
    const isLater = chain.length > 1;
    if (least > 0 && isLater) this.verdict.count('pagination-traversal-complete', reply);
    // If an earlier page had wrongly said has_more false, the traversal would have ended there.
    if (least > 0 || isLater) this.verdict.count('pagination-has-more-remains', reply);
    if (isLater && isUndisturbed) this.sound.add(operation);
    const stable = due.length > 0 ? this.stableIn(chain) : undefined;
    if (stable) this.verdict.count(stable, reply);
  }

  private fault(fault: Fault): void {
    if (fault.chain.length === 0 || this.world.isUndisturbed(fault.chain)) {
      this.unsound.add(fault.reply.operation ?? '');
      this.fail(fault, fault.id);
    } else this.disturbed.push(fault);
  }

  private fail({ reply, message, expected, actual, chain }: Fault, id: JudgedId): void {
    this.verdict.expect(id, reply, false, message, { expected, actual, because: chain.map((one) => one.reply) });
  }

  /** The requirement of stability; undefined if the list was changed in several ways. */
  private stableIn(chain: Chain): (typeof stability)[keyof typeof stability] | undefined {
    const [first] = chain;
    const writes = this.world.writesTo(chain).filter((one) => wasAccepted(one) || one.status >= 500);
    const amid = writes.filter(({ id }) => id > (first?.reply.after ?? 0));
    const own = amid.filter((one) => this.world.callers.viewOf(one) === first?.view);
    const [some = []] = [own, amid, writes].filter(({ length }) => length > 0);
    const [kind, ...others] = new Set(some.map((one) => writeOf(one)?.does));
    return kind === undefined || others.length > 0 ? undefined : stability[kind];
  }

  /** Records in the list during the whole traversal; if others write as well, only under writes of one kind. */
  private lasting(page: ListPage, chain: Chain): ReadonlySet<string> {
    if (chain.length < 2) return new Set();
    const expected = noteListsOf(this.world).expected(page);
    if (page.kind === 'note') return new Set(expected?.must.map(({ id }) => String(id)));
    const isClear = this.world.isUndisturbed(chain) || this.stableIn(chain) !== undefined;
    return isClear ? this.totals.seenAround(page) : new Set();
  }

  /** The company is one of the run's own, and nobody had made a note of it by then. */
  private isEmpty(reply: Reply): boolean {
    const path = pathOf(reply);
    if (reply.operation !== listNotes || queryOf(reply).size > 0 || !wasThere(reply, this.world)) return false;
    const creations = noteListsOf(this.world).creationsIn(path);
    return this.world.isKnown(path, reply) && creations.every(({ after }) => after >= reply.id);
  }

  /** The missing records follow the last one delivered, in the order of a whole traversal. */
  private isCutOff(page: ListPage, ids: readonly string[] | undefined): boolean {
    const isLike = (one: ListPage): boolean => one.total === page.total && isWhole(one) && isWholeList(one);
    const whole = this.totals.pagesLike(page).find(isLike);
    if (whole === undefined || ids === undefined)
      return page.items.length >= Number(at(page.reply.json, 'pagination', 'limit'));
    const order = (whole.chain ?? []).flatMap((one) => one.ids ?? []);
    return order.slice(ids.length).every((id) => !ids.includes(id));
  }
}

/** The caller, the list and the query without the cursor. */
function wayOf(reply: Reply, view: string | undefined): string {
  const query = [...queryOf(reply)].filter(([name]) => name !== 'cursor').sort();
  return JSON.stringify([reply.credential, view ?? reply.id, pathOf(reply), query]);
}

const isOfList = ({ operation, undocumented, request }: Reply): boolean =>
  operation !== undefined &&
  operations[operation].list === 'cursor' &&
  undocumented === undefined &&
  request.headers['x-origin-app'] !== undefined;

/** A cursor may be good for one request: whether one before, or at the same time, was served. */
function isSpentIn(replies: readonly Reply[]): (reply: Reply) => boolean {
  const cursorOf = (reply: Reply) => queryOf(reply).get('cursor');
  const served = replies.filter((one) => isOfList(one) && wasAccepted(one) && cursorOf(one) !== null);
  const first = new Map(served.toReversed().map((one) => [cursorOf(one), one]));
  return (reply) => (first.get(cursorOf(reply))?.after ?? Number.POSITIVE_INFINITY) < reply.id;
}
