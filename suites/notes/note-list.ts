// Writes and reads the notes of one company.
import {
  type Api,
  type Call,
  createNote,
  deleteNote,
  editNote,
  identifierOf,
  itemsOf,
  type JsonObject,
  listNotes,
  type Random,
  traverse,
} from '../../lib/index.ts';

/** Neither a bound of `limit` nor its default. */
const usualLimit = 150;
const pagesMax = 200;

export type NoteList = ReturnType<typeof noteList>;

export function noteList(api: Api, random: Random, company: number | string) {
  const path = { company_id: company };
  // The document recommends Idempotency-Key on writes: a write without it is valid, too.
  const keyed = () => ({ key: random.int(1, 3) === 1 ? null : random.uuid() });
  const onNote = (note_id: number) => ({ path: { ...path, note_id }, ...keyed() });
  let turn = random.derive('lists').int(0, 2);
  let count = 0;
  return {
    company,
    /** `more`: over what the list would send. */
    create: (body: JsonObject, more?: Call) => api.send(createNote, { path, body, ...keyed(), ...more }),
    edit: (note: number, body: JsonObject, more?: Call) => api.send(editNote, { ...onNote(note), body, ...more }),
    remove: (note: number) => api.send(deleteNote, onNote(note)),
    /** The first page with default parameters. */
    page: () => api.send(listNotes, { path }),
    /** Reads the list to its end and resolves to the identifiers. */
    list: async () => {
      turn += 1;
      // With the default limit, with more than the list has, and with exactly as many as it had.
      const limit = [undefined, usualLimit, count > 1 && count <= 200 ? count : usualLimit][turn % 3];
      const way = { operation: listNotes, path, ...(limit === undefined ? {} : { limit }), mode: 'cursor' } as const;
      const { items } = await traverse(api, { ...way, pagesMax });
      count = items.length;
      return items.map((item) => Number(identifierOf('note', item)));
    },
  };
}

/** Further pages of a list are not read. */
const pagesMaxAtEnd = 10;
/** Companies of others whose notes are read. */
const othersMax = 3;

/** Reads each company's notes in default pages and pages of two, and notes of companies whose ids are prefixes. */
export async function readAtEnd(api: Api, companies: readonly (number | string)[]): Promise<void> {
  for (const company_id of companies) {
    const path = { company_id };
    await api.send(listNotes, { path, exactly: true });
    await traverse(api, { operation: listNotes, path, limit: 2, mode: 'cursor', pagesMax: pagesMaxAtEnd });
  }
  const listed = itemsOf(await api.send('GET /companies', { query: { limit: 200 } }));
  const ids = listed.map((record) => String(identifierOf('company', record) ?? ''));
  const isBeginning = (id: string) => companies.some((own) => String(own) !== id && String(own).startsWith(id));
  for (const company_id of ids.filter((id) => id !== '' && isBeginning(id)).slice(0, othersMax))
    await api.send(listNotes, { path: { company_id } });
}
