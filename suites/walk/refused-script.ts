// Equal notes without a key, writes between them that are refused, and a list that is read while one of them is deleted.
import {
  at,
  type Call,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  identifierOf,
  listNotes,
  type Random,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { refusedText } from '../shared/invalid-texts.ts';
import { trickyTexts } from '../shared/tricky-texts.ts';
import type { Caller } from './caller.ts';
import { remarkable } from './write-actions.ts';

/** What is left to do when the notes were made and changed. */
export interface NoteScript {
  /** When lists have caught up. */
  readonly late: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

/** Pages of two: of a list of the run's own. */
const pagesMax = 10;

/** Reads the list in pages, and does something when the first was read. */
async function readAround({ api, under }: Caller, path: NonNullable<Call['path']>, act: () => Promise<unknown>) {
  let cursor: unknown;
  for (let page = 0; page < pagesMax; page += 1) {
    const query = { limit: 2, ...(typeof cursor === 'string' ? { cursor } : {}) };
    const reply: Reply = await api.send(listNotes, { ...under, path, query });
    if (page === 0) await act();
    cursor = at(reply.json, 'pagination', 'next_cursor');
    if (at(reply.json, 'pagination', 'has_more') !== true || typeof cursor !== 'string') return;
  }
}

/** One with a key, two without; the last is deleted, and addressed once more. */
export async function refusedScript(
  caller: Caller,
  company: number | string,
  random: Random,
): Promise<NoteScript | undefined> {
  const { api, under } = caller;
  const path = { company_id: company };
  const [text] = trickyTexts(random, 1);
  const made: Reply[] = [];
  for (const key of [random.uuid(), null, null])
    made.push(await api.send(createNote, { ...under, path, body: { text }, key }));
  const ids = made.filter(wasAccepted).map((reply) => identifierOf('note', dataOf(reply)) ?? '');
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const on = (note_id: number | string): Call => ({ ...under, path: { ...path, note_id } });
  // Each refusal is followed by a read: it leaves no reader worse off.
  const reads = random.shuffled(['GET /companies', 'GET /contacts', 'GET /me'] as const);
  const refuse = async (operation: typeof createNote | typeof editNote, call: Call) => {
    await api.send(operation, call);
    const read = reads.pop() ?? 'GET /companies';
    await api.send(read, { ...under, ...(read === 'GET /me' ? {} : { query: { limit: 2 } }) });
  };
  await refuse(createNote, { ...under, path, body: refusedText('create', random) });
  await refuse(editNote, { ...on(first), body: refusedText('edit', random) });
  return {
    late: () =>
      readAround(caller, path, async () => {
        await api.send(deleteNote, on(last));
        const again: typeof editNote | typeof deleteNote = random.pick([editNote, editNote, deleteNote]);
        await api.send(again, { ...on(last), ...(again === editNote ? { body: { text: remarkable(random) } } : {}) });
      }),
    end: async () => {
      for (const id of new Set(ids.slice(0, -1))) {
        // Shorter and shorter.
        await api.send(listNotes, { ...under, path });
        await api.send(deleteNote, on(id));
      }
    },
  };
}
