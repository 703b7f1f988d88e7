// Scripts of note writes in orders that random draws rarely reach; the rules judge the replies and the lists.
import {
  at,
  type Call,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  identifierOf,
  lagMsMax,
  listNotes,
  type Random,
  type Reply,
  type Tools,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { refusedText } from '../shared/invalid-texts.ts';
import { similarKey } from '../shared/optional-headers.ts';
import { trickyTexts } from '../shared/tricky-texts.ts';
import type { Caller } from './reads.ts';
import { randomNoteText } from './record-generators.ts';

/** Resumed when lists have caught up, and once more to delete what it made. */
type Script = AsyncGenerator<void, void, void>;

const noteIn = (reply: Reply) => (wasAccepted(reply) ? identifierOf('note', dataOf(reply)) : undefined);

/** Creates a note, repeats that now or later and under another key, edits it and back, and repeats the first edit. */
async function* repetitions({ api, under }: Caller, company_id: number | string, random: Random): Script {
  const [text, later] = trickyTexts(random, 2);
  const [isLate, isEarly, isTwice] = [0, 0, 0].map(() => random.int(0, 1) === 1);
  const key = random.uuid();
  const creation: Call = { ...under, path: { company_id }, body: { text }, key };
  const made = noteIn(await api.send(createNote, creation));
  if (!isLate) await api.send(createNote, creation);
  const makeOther = async () => noteIn(await api.send(createNote, { ...creation, key: similarKey(key, random) }));
  const early = isEarly ? await makeOther() : undefined;
  if (made === undefined) return;
  const editing: Call = { ...under, path: { company_id, note_id: made }, body: { text: later }, key: random.uuid() };
  await api.send(editNote, editing);
  const other = isEarly ? early : await makeOther();
  if (isTwice) await api.send(editNote, editing);
  await api.send(editNote, { ...editing, body: { text }, key: random.uuid() });
  await api.send(editNote, editing);
  const remove = async (note_id: typeof made | undefined) =>
    note_id === undefined ? undefined : api.send(deleteNote, { ...under, path: { company_id, note_id } });
  yield;
  // Delete a note right after the replay.
  if (isLate) await api.send(createNote, creation);
  if (isLate && other !== made) await remove(other);
  yield;
  await remove(made);
  if (!isLate && other !== made) await remove(other);
}

/** Maximum number of pages of two notes. */
const pagesMax = 10;

/** Creates equal notes, one with a key; sends refused writes; deletes the last note while the list is being read. */
async function* refusals({ api, under }: Caller, company_id: number | string, random: Random): Script {
  const path = { company_id };
  const [text] = trickyTexts(random, 1);
  const made: Reply[] = [];
  for (const key of [random.uuid(), null, null])
    made.push(await api.send(createNote, { ...under, path, body: { text }, key }));
  const ids = made.flatMap((reply) => noteIn(reply) ?? []);
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return;
  const on = (note_id: number | string): Call => ({ ...under, path: { ...path, note_id } });
  // A read follows each refused write, which must not affect it.
  const reads = random.shuffled(['GET /companies', 'GET /contacts', 'GET /me'] as const);
  await api.send(createNote, { ...under, path, body: refusedText('create', random) });
  await api.send(reads[0] ?? 'GET /me', { ...under });
  await api.send(editNote, { ...on(first), body: refusedText('edit', random) });
  await api.send(reads[1] ?? 'GET /me', { ...under });
  yield;
  let cursor: unknown;
  for (let page = 0; page === 0 || (page < pagesMax && typeof cursor === 'string'); page += 1) {
    const query = { limit: 2, ...(typeof cursor === 'string' ? { cursor } : {}) };
    const { json } = await api.send(listNotes, { ...under, path, query });
    if (page === 0) {
      await api.send(deleteNote, on(last));
      if (random.int(1, 3) === 1) await api.send(deleteNote, on(last));
      else await api.send(editNote, { ...on(last), body: { text: randomNoteText(random) } });
    }
    cursor = at(json, 'pagination', 'has_more') === true ? at(json, 'pagination', 'next_cursor') : undefined;
  }
  yield;
  for (const id of new Set(ids.slice(0, -1))) {
    // Read the list each time before it gets shorter.
    await api.send(listNotes, { ...under, path });
    await api.send(deleteNote, on(id));
  }
}

/** Runs one script for each caller; reads the list after its lag, then lets the scripts delete their notes. */
export async function repeatNoteScripts(
  callers: readonly Caller[],
  company_id: number | string,
  { clock, random }: Pick<Tools, 'clock' | 'random'>,
): Promise<void> {
  const path = { company_id };
  const first = random.int(0, 1);
  const scripts: Script[] = [];
  for (const [place, caller] of callers.entries()) {
    const { api, under } = caller;
    // The name in the reply shows that this is the company that was made, whichever account is active.
    await api.send('GET /companies/{company_id}', { ...under, path });
    const isRepeated = under?.account !== undefined || (place + first) % 2 === 0;
    const script = (isRepeated ? repetitions : refusals)(caller, company_id, random);
    if (!(await script.next()).done) scripts.push(script);
  }
  if (scripts.length === 0) return;
  await clock.sleep(lagMsMax + 1);
  for (const script of scripts) await script.next();
  for (const [turn, { api, under }] of callers.slice(0, 2).entries()) {
    const query = (turn + first) % 2 === 0 ? {} : { limit: 200 };
    const total = at((await api.send(listNotes, { ...under, path, query })).json, 'pagination', 'total');
    // One page that holds exactly the whole list.
    if (typeof total === 'number' && total > 0 && total <= 200)
      await api.send(listNotes, { ...under, path, query: { limit: total } });
  }
  for (const script of scripts) await script.next();
}
