// Notes made, changed and deleted by callers in turn: what is answered and what lists show meanwhile the rules judge.
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
  type Tools,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { similarKeys } from '../shared/optional-headers.ts';
import { trickyTexts } from '../shared/tricky-texts.ts';
import type { Caller } from './caller.ts';
import { type NoteScript, refusedScript } from './refused-script.ts';

/** What one script costs at most. */
export const writesOfScript = 9;

const similar = (key: string, random: Random): string => {
  const all = similarKeys(key, random);
  return all[random.int(0, all.length - 1)] ?? key;
};

/** Made, made again now or later, made under another key, edited there and back, and the first edit repeated. */
async function repeatedScript(
  { api, under }: Caller,
  company: number | string,
  random: Random,
): Promise<NoteScript | undefined> {
  const [text, later] = trickyTexts(random, 2);
  const path = { company_id: company };
  const key = random.uuid();
  const creation: Call = { ...under, path, body: { text }, key };
  const made = await api.send(createNote, creation);
  const isLate = random.int(0, 1) === 1;
  if (!isLate) await api.send(createNote, creation);
  const makeOther = () => api.send(createNote, { ...creation, key: similar(key, random) });
  const early = random.int(0, 1) === 1 ? await makeOther() : undefined;
  const note = identifierOf('note', dataOf(made));
  if (note === undefined || !wasAccepted(made)) return undefined;
  const editing: Call = { ...under, path: { ...path, note_id: note }, body: { text: later }, key: random.uuid() };
  await api.send(editNote, editing);
  const other = early ?? (await makeOther());
  const ids = [made, other].filter(wasAccepted).map((reply) => identifierOf('note', dataOf(reply)));
  if (random.int(0, 1) === 1) await api.send(editNote, editing);
  await api.send(editNote, { ...editing, body: { text }, key: random.uuid() });
  await api.send(editNote, editing);
  const removeAll = async (all: typeof ids) => {
    for (const id of new Set(all))
      if (id !== undefined) await api.send(deleteNote, { ...under, path: { ...path, note_id: id } });
  };
  return {
    // Right after it was repeated something is deleted.
    late: async () => {
      if (!isLate) return;
      await api.send(createNote, creation);
      await removeAll(ids.slice(1));
    },
    end: () => removeAll(isLate ? ids.slice(0, 1) : ids),
  };
}

/** The list as it comes, on one page that it fills, and on the largest. */
async function look({ api, under }: Caller, company: number | string, turn: number): Promise<void> {
  const call: Call = { ...under, path: { company_id: company } };
  const plain = await api.send(listNotes, turn % 2 === 0 ? call : { ...call, query: { limit: 200 } });
  const total = at(plain.json, 'pagination', 'total');
  if (typeof total === 'number' && total > 0 && total <= 200)
    await api.send(listNotes, { ...call, query: { limit: total } });
}

/** One script for each of the callers; the list is read when it has had its time, and then all is deleted. */
export async function repeatNoteScripts(
  callers: readonly Caller[],
  company: number | string,
  { clock, random }: Pick<Tools, 'clock' | 'random'>,
): Promise<void> {
  const scripts: NoteScript[] = [];
  const first = random.int(0, 1);
  for (const [place, caller] of callers.entries()) {
    // By its name it shows itself as the one that was made, whichever way an account is chosen.
    await caller.api.send('GET /companies/{company_id}', { ...caller.under, path: { company_id: company } });
    const isRepeated = caller.under?.account !== undefined || (place + first) % 2 === 0;
    const script = isRepeated ? repeatedScript : refusedScript;
    scripts.push(...[await script(caller, company, random)].filter((one) => one !== undefined));
  }
  if (scripts.length === 0) return;
  await clock.sleep(lagMsMax + 1);
  for (const { late } of scripts) await late();
  for (const [turn, caller] of callers.slice(0, 2).entries()) await look(caller, company, turn + first);
  for (const { end } of scripts) await end();
}
