// Lists of notes of the run's own companies, where nobody else writes: what they must show, and what they show wrongly.
import { identifierOf, type JsonObject, type Reply } from '../client/reply.ts';
import { computedOnce, grouped } from '../runtime/grouped.ts';
import { countOf, type ListPage } from './pages.ts';
import { companyOfNotes, createNote, listOf, pathOf } from './request.ts';
import type { StoredRecord, World } from './world.ts';

/** The notes that a traversal must show, and those that it may show. */
interface Expected {
  readonly must: readonly StoredRecord[];
  readonly may: readonly StoredRecord[];
}

/** A listed note that was never created there (`note` is undefined), or that was deleted. */
interface UnexpectedNote {
  readonly item: JsonObject;
  readonly id: string;
  readonly note: StoredRecord | undefined;
}

/** A note that a complete list should show but does not. */
export interface MissingNote {
  readonly note: StoredRecord;
  readonly page: ListPage;
  /** The last earlier list page that showed it. */
  readonly last: ListPage | undefined;
  /** No later list shows it. */
  readonly isLost: boolean;
  /** A later list of one page lacks it, too. */
  readonly isConfirmed: boolean;
  readonly isUndisturbed: boolean;
}

export class NoteLists {
  readonly pages: readonly ListPage[];
  private readonly world: World;
  private readonly byPath: ReadonlyMap<string, readonly ListPage[]>;
  /** All creations by the path of their list, accepted or not. */
  private readonly creations: ReadonlyMap<string, readonly Reply[]>;

  constructor(world: World) {
    this.world = world;
    const isKnown = ({ kind, path, reply }: ListPage): boolean =>
      kind === 'note' &&
      world.sees(reply) &&
      world.at(companyOfNotes(path)) !== undefined &&
      world.isKnown(path, reply);
    this.pages = world.pages.filter(isKnown);
    this.byPath = grouped(world.pages, ({ path }) => path);
    this.creations = grouped(
      world.replies.filter(({ operation }) => operation === createNote),
      pathOf,
    );
  }

  /** Undefined where the contents of the list are unknown. */
  readonly expected = computedOnce((page: ListPage): Expected | undefined => {
    if (!this.pages.includes(page)) return undefined;
    const chain = page.chain ?? [page];
    const window = this.world.windowOver((chain[0] ?? page).reply, page.reply);
    const notes = this.world.notesIn(page.path);
    const must = notes.filter(({ exists }) => exists.certain(window)?.value === true);
    const mayBe = ({ exists }: StoredRecord): boolean => exists.possible(window).some(({ value }) => value);
    return { must, may: notes.filter((note) => !must.includes(note) && mayBe(note)) };
  });

  readonly unexpected = computedOnce((page: ListPage): readonly UnexpectedNote[] => {
    if (!this.pages.includes(page)) return [];
    return page.items.flatMap((item): UnexpectedNote[] => {
      const id = identifierOf('note', item);
      const note = this.world.records.get(`${page.path}/${id}`);
      const isGone =
        note?.exists.certain(this.world.windowOf(page.reply))?.value === false && !page.query.has('cursor');
      return !Number.isInteger(id) || (note && !isGone) ? [] : [{ item, id: String(id), note }];
    });
  });

  /** Missing notes of a list read to its end. Another rule judges a `total` above what is shown. */
  readonly missing = computedOnce((page: ListPage): readonly MissingNote[] => {
    const { chain, total } = page;
    const expected = this.expected(page);
    if (expected === undefined || chain === undefined || !isWholeList(page)) return [];
    const shown = new Set(chain.flatMap(({ ids }) => ids ?? []));
    const isUndisturbed = this.world.isUndisturbed(chain);
    const lacks = expected.must.filter(({ id }) => !shown.has(String(id)));
    const count = countOf(chain);
    return isUndisturbed && total > count && count > 0
      ? []
      : lacks.map((note) => this.missingNoteOf(note, page, isUndisturbed));
  });

  /** Whether the list has unexplained records or lacks created ones: then its `total` is not judged. */
  readonly isUnexplained = (path: string): boolean => unexplainedIn(this).has(path);

  /** Creations sent to a list, accepted or not. */
  creationsIn = (path: string): readonly Reply[] => this.creations.get(path) ?? [];

  /** The texts that lists showed for a note, up to a reply. */
  showingsOf({ path, id }: StoredRecord, until: Reply): readonly { readonly text: unknown; readonly by: Reply }[] {
    const isIt = (item: JsonObject): boolean => String(identifierOf('note', item)) === String(id);
    const pages = (this.byPath.get(listOf(path)) ?? []).filter(({ reply }) => reply.id <= until.id);
    return pages.flatMap(({ reply, items }) => items.filter(isIt).map(({ text }) => ({ text, by: reply })));
  }

  private missingNoteOf(note: StoredRecord, page: ListPage, isUndisturbed: boolean): MissingNote {
    const id = String(note.id);
    const same = this.byPath.get(page.path) ?? [];
    const showing = same.filter(({ ids }) => ids?.includes(id));
    const isLost = !showing.some(({ reply }) => reply.id > page.reply.id);
    const lacksIt = ({ chain, hasMore, reply }: ListPage): boolean =>
      reply.id > page.reply.id && !hasMore && chain?.length === 1 && chain[0]?.ids?.includes(id) === false;
    const last = showing.findLast(({ reply }) => reply.id < page.reply.id);
    return { note, page, isLost, isConfirmed: isLost && same.some(lacksIt), last, isUndisturbed };
  }
}

const unexplainedIn = computedOnce((lists: NoteLists): ReadonlySet<string> => {
  const isUnexplained = (page: ListPage): boolean =>
    lists.unexpected(page).length > 0 || lists.missing(page).some(({ isLost }) => isLost || page.items.length === 0);
  return new Set(lists.pages.filter(isUnexplained).map(({ path }) => path));
});

export const noteListsOf = computedOnce((world: World) => new NoteLists(world));
/** Whether all pages were read and every item has its identifier. */
export const isWholeList = ({ chain, hasMore }: ListPage): boolean =>
  !hasMore && chain?.every(({ ids }) => ids) === true;
