// The notes of one company: how they are written and read, and how a list shows a note.
import {
  type Api,
  at,
  dataOf,
  expectEqual,
  expectThat,
  identifierOf,
  type JsonObject,
  NotTested,
  type Random,
  type Reply,
  traverse,
} from '../../lib/index.ts';

/** Between the bounds of `limit` and its default. */
const usualLimit = 150;
const pagesMax = 200;

export interface ShownNotes {
  readonly items: readonly JsonObject[];
  readonly replies: readonly Reply[];
}

export interface NoteList {
  readonly company: number | string;
  create(body: JsonObject): Promise<Reply>;
  edit(note: number, body: JsonObject): Promise<Reply>;
  remove(note: number): Promise<Reply>;
  /** The first page as it comes. */
  page(): Promise<Reply>;
  /** All of the list; rejects with NotTested where it is longer than the bound. */
  list(): Promise<ShownNotes>;
}

export function noteList(api: Api, random: Random, company: number | string): NoteList {
  // The key is recommended on writes: an edit without it is as good, and is the same edit when it is sent again.
  const keyed = () => ({ key: random.int(1, 3) === 1 ? null : random.uuid() });
  const onNote = (note_id: number) => ({ path: { company_id: company, note_id }, ...keyed() });
  const notes = { operation: 'GET /companies/{company_id}/notes', path: { company_id: company } } as const;
  let turn = random.derive('lists').int(0, 2);
  let count = 0;
  // As it comes, on a page that is larger than it, and on one that it fills unless it has changed.
  const nextLimit = (): number | undefined => {
    turn += 1;
    const filled = count > 0 && count <= 200 ? count : usualLimit;
    return [undefined, usualLimit, filled][turn % 3];
  };
  return {
    company,
    create: (body) =>
      api.send('POST /companies/{company_id}/notes', { path: { company_id: company }, body, ...keyed() }),
    edit: (note, body) => api.send('PATCH /companies/{company_id}/notes/{note_id}', { ...onNote(note), body }),
    remove: (note) => api.send('DELETE /companies/{company_id}/notes/{note_id}', onNote(note)),
    page: () => api.send(notes.operation, { path: notes.path }),
    list: async () => {
      const limit = nextLimit();
      const way = { ...notes, ...(limit === undefined ? {} : { limit }), mode: 'cursor', pagesMax } as const;
      const { items, replies, complete } = await traverse(api, way);
      count = items.length;
      if (!complete) throw new NotTested(`the list of notes has more than ${pagesMax} pages`);
      return { items, replies };
    },
  };
}

/** The texts of a list by identifier, each as often as it is listed. */
export const textsOf = ({ items }: ShownNotes, id: number): readonly unknown[] =>
  items.filter((item) => identifierOf('note', item) === id).map(({ text }) => text);

/** The note is in the list exactly once, with its text. */
export function expectShown(listing: ShownNotes, id: number, text: string, what: string): void {
  const texts = textsOf(listing, id);
  expectThat(texts.length === 1 && texts[0] === text, `${what} should be in the list once, with its text`, {
    expected: [text],
    actual: texts.length === 0 ? 'not in the list' : texts,
    replies: listing.replies,
  });
}

/** The note is not in the list. */
export function expectGone(listing: ShownNotes, id: number, what: string): void {
  const texts = textsOf(listing, id);
  expectThat(texts.length === 0, `${what} should not be in the list`, {
    expected: `no note ${id}`,
    actual: texts,
    replies: listing.replies,
  });
}

/** The identifier by which a check about something else addresses a note; NotTested where it is not an integer. */
export function addressOf(reply: Reply): number {
  const id = identifierOf('note', dataOf(reply));
  if (typeof id !== 'number') throw new NotTested('the new note has no identifier to find it by');
  return id;
}

/** The list holds no notes but these; for companies of a case's own, where nobody else writes notes. */
export function expectNoFurther({ items, replies }: ShownNotes, ids: readonly number[]): void {
  const further = items.filter((item) => !ids.some((id) => id === identifierOf('note', item)));
  expectThat(further.length === 0, 'the list should hold no further note', {
    expected: `the notes ${ids.join(', ')}`,
    actual: further,
    replies,
  });
}

/** The reply shows the note with this text. */
export function expectText(reply: Reply, text: string): void {
  expectEqual(at(dataOf(reply), 'text'), text, 'the text', reply);
}
