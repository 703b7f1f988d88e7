// Every page of every list that a run has read: it shows what there is, once, and its total and has_more say so.
import {
  at,
  identifierOf,
  isObject,
  type JsonObject,
  lagMsMax,
  type OperationId,
  operations,
  type RecordKind,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { lackingKinds } from './belonging.ts';
import { Fields } from './fields.ts';
import { type Found, wrongPage } from './found.ts';
import { type Lack, lacking, lackOf } from './lacking.ts';
import { type Home, NoteModel, refusedFor, textOf } from './note-model.ts';
import { countOf, type Page, pagesOf } from './pages.ts';
import { pathOf, sentBody } from './sent.ts';
import { type Range, Totals } from './totals.ts';
import { viewersOf } from './viewers.ts';

/** What changes lists of a kind. */
const writesOf: Partial<Record<RecordKind, readonly OperationId[]>> = {
  company: ['POST /companies', 'PATCH /companies/{company_id}'],
  contact: ['POST /contacts'],
  note: [
    'POST /companies/{company_id}/notes',
    'PATCH /companies/{company_id}/notes/{note_id}',
    'DELETE /companies/{company_id}/notes/{note_id}',
  ],
};

const companyIn = (path: string): string | undefined => /\/companies\/(\d+)\/notes/.exec(path)?.[1];

/** Whether a write may change what the list of a page shows: a note of a company is in no list of another one. */
function mayChange(write: Reply, { kind, path }: Page): boolean {
  if (write.operation === undefined || !writesOf[kind]?.includes(write.operation)) return false;
  const [here, there] = [companyIn(path), companyIn(pathOf(write))];
  return here === undefined || there === undefined || here === there;
}

/** Lists have had their time to show a deletion; later pages may show what was there when the first was read. */
const isOverAt = ({ reply, query }: Page, died: Reply | undefined): boolean =>
  died !== undefined && died.receivedAt < reply.sentAt - lagMsMax && !query.has('cursor');

/** What is shown for the first time so long after it was deleted was gone in between, in milliseconds. */
const lateMsMin = 4 * lagMsMax;

/** Where lists go on showing what was deleted, a note that none was read for soon after is one of these. */
const agreed = (strays: readonly Found[]): readonly Found[] =>
  strays.some(({ id }) => id === 'notes-delete-effect')
    ? strays.map((one) => (one.id === 'notes-delete-lasting' ? { ...one, id: 'notes-delete-effect' } : one))
    : strays;

/** What lists may lag behind, and who wrote anything in the meantime. */
export class Lists {
  private readonly writes: readonly Reply[];
  private readonly pages: readonly Page[];
  private readonly model: NoteModel;
  private readonly totals: Totals;
  private readonly fields: Fields;
  /** Lists of these lack what their reader has made: what they count is not judged. */
  private readonly lacking: ReadonlySet<RecordKind>;
  /** Records that a run cannot explain: what lists of their company count is not judged. */
  private readonly puzzling = new Set<string>();

  constructor(story: Story) {
    this.writes = story.replies.filter(({ operation = 'GET /me' }) => operations[operation].rate === 'write');
    const viewers = viewersOf(story.replies);
    this.pages = pagesOf(story.replies);
    this.model = new NoteModel(story);
    this.totals = new Totals(story.replies, viewers, this.pages);
    this.fields = new Fields(this.pages);
    this.lacking = lackingKinds(story);
  }

  wrong(): readonly Wrong[] {
    const strays = this.pages.flatMap((page) => this.strays(page));
    const missing = this.pages.flatMap((page) => this.missing(page));
    const others = this.pages.flatMap((page) => [
      ...this.ofChain(page),
      ...this.ofTotal(page),
      ...this.ofOffset(page),
      ...this.fields.wrong(page),
    ]);
    // What lists never show says nothing of pages and of other notes.
    const never = missing.filter(({ id }) => id === 'notes-list-contains');
    return [...agreed(strays), ...(never.length > 0 ? never : missing), ...others].map(wrongPage);
  }

  private homeOf(page: Page): Home | undefined {
    const home = this.model.homeOf(page);
    return home && page.reply.id <= home.unclearFrom ? home : undefined;
  }

  /** Notes that were never made here, or that were deleted. */
  private strays(page: Page): readonly Found[] {
    const home = this.homeOf(page);
    return home === undefined ? [] : page.items.flatMap((item) => this.stray(page, home, item));
  }

  private stray(page: Page, home: Home, item: JsonObject): readonly Found[] {
    const id = identifierOf('note', item);
    const note = home.notes.get(String(id));
    const found = { page, actual: item } as const;
    if (!Number.isInteger(id) || (note && !isOverAt(page, note.died))) return [];
    this.puzzling.add(page.path);
    if (note?.died !== undefined) {
      const { born, died } = note;
      // What brings it back when its creation is repeated is judged by that.
      const isRepeat = (one: Reply): boolean =>
        one.mayReplay === true && one.id > died.id && textOf(one) === textOf(born);
      if (home.creations.some(isRepeat)) return [];
      const isBetween = ({ reply }: Page) => reply.after >= died.id && reply.id < page.reply.id;
      const former = this.pages.filter((one) => this.homeOf(one) === home && isBetween(one));
      const isWhole = ({ chain, hasMore }: Page) => !hasMore && chain?.every(({ ids }) => ids) === true;
      const wasGone = former.some((one) => isWhole(one) && !one.chain?.some(({ ids }) => ids?.includes(String(id))));
      const message = 'a deleted note should not be in the list';
      const isFirst = !former.some(({ ids }) => ids?.includes(String(id)));
      const isLate = isFirst && page.reply.sentAt > died.receivedAt + lateMsMin;
      const duty = wasGone || isLate ? 'notes-delete-lasting' : 'notes-delete-effect';
      return [{ ...found, id: duty, message, expected: 'gone', replies: [died, page.reply] }];
    }
    const sources = home.creations.filter((one) => one.id < page.reply.id && textOf(one) === item.text);
    const stranger = sources.length === 0 ? this.model.elsewhere(home, String(id), item.text) : undefined;
    if (stranger !== undefined) {
      const message = 'the list should show no note of another company';
      const replies = [stranger, page.reply];
      return [{ ...found, id: 'notes-list-own-company', message, expected: 'no such note', replies }];
    }
    const source = sources.at(-1) ?? refusedFor(home, page, item);
    if (source === undefined || sources.some((one) => one.mayReplay || one.status === 429)) return [];
    const refusal = sentBody(source) === undefined ? 'errors-malformed-json-effect' : 'notes-create-refused-effect';
    const duty = wasAccepted(source) ? 'notes-create-once' : refusal;
    const message = 'the list should show the notes that were made, and no other';
    return [{ ...found, id: duty, message, expected: 'no such note', replies: [source, page.reply] }];
  }

  /** Notes that a whole list should show and does not; what lists count of the others is not judged where one was lost. */
  private missing(page: Page): readonly Found[] {
    const home = this.homeOf(page);
    const { chain } = page;
    if (home === undefined || chain === undefined || page.hasMore || !chain.every(({ ids }) => ids)) return [];
    const shown = new Set(chain.flatMap(({ ids }) => ids ?? []));
    const same = this.pages.filter((one) => one.path === page.path);
    const { must } = this.model.expected(home, chain);
    const lacks = [...must].filter((id) => !shown.has(id)).map((id): Lack => lackOf(id, page, same));
    if (lacks.some(({ isLost }) => isLost)) this.puzzling.add(page.path);
    const isCalm = this.isCalm(chain, true);
    // What counts more than it shows is judged by that.
    return isCalm && page.total > countOf(chain) ? [] : lacks.flatMap((lack) => lacking(lack, page, home, isCalm));
  }

  /** A traversal in cursor mode up to this page, where it ends. */
  private ofChain(page: Page): readonly Found[] {
    const { chain, total, hasMore } = page;
    if (chain === undefined || this.puzzling.has(page.path)) return [];
    if (hasMore && this.pages.some((one) => one.chain?.length === chain.length + 1 && one.chain.includes(page)))
      return [];
    const isCalm = this.isCalm(chain, true);
    const ids = chain.every((one) => one.ids) ? chain.flatMap((one) => one.ids ?? []) : undefined;
    const replies = chain.map(({ reply }) => reply);
    const twice = ids?.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined) {
      if (!isCalm && !this.isLasting(page, twice)) return [];
      // What begins again after the last record is judged by has_more, where the last one stood.
      const full = hasMore && chain.find((one) => countOf(one.chain ?? []) === total);
      if (full) return this.ofCount(full, full.chain ?? [full], undefined);
      if (hasMore && new Set(ids).size >= total) return [];
      const message = 'a traversal should show no record twice';
      return [
        { id: 'pagination-traversal-once', page, message, expected: 'every record once', actual: twice, replies },
      ];
    }
    return this.ofCount(page, chain, ids);
  }

  /** A traversal without a record twice: it goes on as long as there are more, and has all at its end. */
  private ofCount(page: Page, chain: NonNullable<Page['chain']>, ids: readonly string[] | undefined): readonly Found[] {
    const { total, hasMore } = page;
    const replies = chain.map(({ reply }) => reply);
    const isCalm = this.isCalm(chain, true);
    const count = countOf(chain);
    // Where nobody knows how many there are, a page that goes on behind as many as it counts contradicts itself.
    const contradicts = hasMore && count === total && this.isSettled(page);
    const range = this.range(page) ?? (contradicts ? { least: total, most: total } : undefined);
    const isSure =
      isCalm && range?.least === total && range.most === total && chain.every((one) => one.total === total);
    if (isSure && hasMore && count === total) {
      const message = 'has_more should be false when every record was delivered';
      const id = total === 0 ? 'pagination-list-empty' : 'pagination-has-more-last';
      return [{ id, page, message, expected: false, actual: true, replies }];
    }
    const least = isSure ? total : page.kind === 'note' ? 0 : Math.min(total, range?.least ?? 0);
    if (hasMore || count >= least) return [];
    const id = this.isCutOff(page, ids) ? 'pagination-has-more-remains' : 'pagination-traversal-complete';
    const message = 'a list that has no more should have delivered every record';
    return [{ id, page, message, expected: `${least} records`, actual: `${count} records`, replies }];
  }

  /** What it counts is counted later as well: it does not trail behind what others have made. */
  private isSettled({ viewer, path, total, reply }: Page): boolean {
    const isLater = (one: Page): boolean => one.reply.sentAt > reply.receivedAt + lagMsMax;
    return this.pages.some((one) => one.viewer === viewer && one.path === path && isLater(one) && one.total === total);
  }

  /** A note that was there all the time, whatever was written meanwhile. */
  private isLasting(page: Page, id: string): boolean {
    const home = this.homeOf(page);
    return home !== undefined && this.model.expected(home, page.chain ?? []).must.has(id);
  }

  /** What is missing follows the last record that was delivered, in the order of a traversal that showed all. */
  private isCutOff({ viewer, path, total, items, reply }: Page, ids: readonly string[] | undefined): boolean {
    const isWhole = (one: Page): boolean =>
      one.viewer === viewer && one.path === path && !one.hasMore && countOf(one.chain ?? []) === total;
    const whole = this.pages.find((one) => isWhole(one) && one.chain?.every((each) => each.ids));
    if (whole === undefined || ids === undefined) return items.length >= Number(at(reply.json, 'pagination', 'limit'));
    const order = (whole.chain ?? []).flatMap((one) => one.ids ?? []);
    return order.slice(ids.length).every((id) => !ids.includes(id));
  }

  /** How many records there may be, by the notes that were made, or else by what was read before and after. */
  private range(page: Page): Range | undefined {
    const home = this.homeOf(page);
    if (home === undefined)
      return page.kind === 'note' || this.lacking.has(page.kind) ? undefined : this.totals.at(page);
    const { must, may } = this.model.expected(home, page.chain ?? [page]);
    return { least: must.size, most: must.size + may.size };
  }

  private ofTotal(page: Page): readonly Found[] {
    const { least, most } = this.range(page) ?? { least: page.total, most: page.total };
    if (!page.isOwn || this.puzzling.has(page.path) || (page.total >= least && page.total <= most)) return [];
    if (page.total > most && this.mayHoldMore(page, most)) return [];
    const isRight =
      page.chain?.[0] !== undefined && page.chain.length > 1 && least === most && page.chain[0].total === least;
    const counted = isRight ? 'pagination-total-constant' : 'pagination-total-exact';
    const id = most === 0 ? 'pagination-list-empty' : counted;
    const expected = least === most ? least : `${least} to ${most}`;
    return [{ id, page, message: 'total should be the number of records', expected, actual: page.total }];
  }

  /** A repeated creation may have made another note, and lists may lag: unless the whole list shows none, that is judged where it is repeated. */
  private mayHoldMore(page: Page, most: number): boolean {
    const { reply, chain, hasMore } = page;
    const repeats = (this.homeOf(page)?.creations ?? []).filter((one) => one.mayReplay && one.after < reply.id);
    const start = (chain?.[0]?.reply.sentAt ?? reply.sentAt) - lagMsMax;
    const isWhole = chain?.every(({ ids }) => ids) === true && !hasMore && countOf(chain) <= most;
    return repeats.length > 0 && !(isWhole && repeats.every(({ receivedAt }) => receivedAt < start));
  }

  /** Nothing of the kind was made or deleted, or edited, from a little before the first page until the last. */
  private isCalm(pages: readonly Page[], unedited = false): boolean {
    const [first] = pages;
    const last = pages.at(-1);
    if (first === undefined || last === undefined) return false;
    return !this.writes.some(
      (write) =>
        write.receivedAt >= first.reply.sentAt - lagMsMax &&
        write.after < last.reply.id &&
        (unedited || write.request.method !== 'PATCH') &&
        mayChange(write, first),
    );
  }

  /** A sort that leads to offsets does so every time. */
  private ofOffset(page: Page): readonly Found[] {
    const { query, operation, reply, offset, total, hasMore, items } = page;
    const sort = query.get('sort');
    if (sort === null || query.has('cursor') || page.kind === 'note') return [];
    const isSame = (one: Page): boolean => one.operation === operation && one.query.get('sort') === sort;
    if (!this.pages.some((one) => isSame(one) && one.offset !== undefined)) return [];
    const pagination = at(reply.json, 'pagination');
    const asked = { offset: Number(query.get('offset') ?? 0), limit: Number(query.get('limit') ?? 50) };
    const shown = isObject(pagination) ? { offset: pagination.offset, limit: pagination.limit } : {};
    const message = 'a sorted list should report its offset and limit';
    if (asked.offset < total && (shown.offset !== asked.offset || shown.limit !== asked.limit))
      return [{ id: 'pagination-sort-members', page, message, expected: asked, actual: shown }];
    const contradicts = hasMore && asked.offset + items.length >= total && this.isSettled(page);
    const range = this.range(page) ?? (contradicts ? { least: total, most: total } : undefined);
    if (offset === undefined || !this.isCalm([page]) || range?.least !== total || range.most !== total) return [];
    const remains = asked.offset + asked.limit < total;
    const expected = { has_more: remains, records: Math.max(0, Math.min(asked.limit, total - asked.offset)) };
    const actual = { has_more: hasMore, records: items.length };
    const same = expected.has_more === actual.has_more && expected.records === actual.records;
    const what = 'a page of a sorted list should be the records from its offset on';
    return same ? [] : [{ id: 'pagination-sort-pages', page, message: what, expected, actual }];
  }
}
