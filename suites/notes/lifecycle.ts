// Cases that create, edit and delete notes and send refused writes, reading the list each time; and unknown notes.
import {
  type Context,
  conforms,
  createNote,
  dataOf,
  deleteNote,
  editNote,
  expectSuccess,
  identifierOf,
  isObject,
  judgedIds,
} from '../../lib/index.ts';
import { answerOf, failUnanswered, wasAccepted } from '../shared/answer.ts';
import { furtherFields, integerId } from '../shared/fields.ts';
import { type RefusedText, refusedTexts } from '../shared/invalid-texts.ts';
import { sponsorFor } from '../shared/other-account.ts';
import { twiceIfThorough } from '../shared/refusals.ts';
import { probeScopes } from '../shared/scopes.ts';
import { mistakenText } from '../shared/tricky-texts.ts';
import { tryUnknown, unknownIds } from '../shared/unknown.ts';
import { repeatAfterLag, repeatAtEnd } from '../shared/waits.ts';
import { type NoteList, noteList, readAtEnd } from './note-list.ts';

const judged = judgedIds.filter((id) => /^notes-(?!text-)/.test(id));

export const lifecycle = conforms(
  [...judged, 'notes-record-fields' as const],
  {
    needs: ['spare', 'spareCompany', 'spareSponsor'],
    wants: ['company'],
    writes: [25, 37, 52],
    reads: [16, 48, 59],
    leaves: { companies: 1 },
  },
  async (context) => {
    const { api: primary, spare, spareCompany, company, clock, random, make, effort, atEnd, observe } = context;
    const api = primary.as(spare);
    const notes = noteList(api, random, (await sponsorFor(context)).id);
    const otherNotes = noteList(api, random, spareCompany.id);
    // Two notes with the same text: only the identifier tells them apart.
    const text = make.noteText('note');
    const made = [await notes.create({ text }), await notes.create({ text })] as const;
    for (const reply of made) expectSuccess(reply);
    const record = dataOf(made[0]);
    if (isObject(record)) observe('notes-record-fields', furtherFields(record, ['text'], 'note'), made[0]);
    const ids = [integerId('note', made[0]), integerId('note', made[1])] as const;
    const [first, second] = ids;
    const otherId = await makeNoteWithOtherId(otherNotes, ids, context);
    const lists = () => otherNotes.list().then(notes.list);
    // A third note is deleted early, long before the end of the run.
    const early = await notes.create({ text: make.noteText('note') });
    expectSuccess(early);
    await notes.remove(integerId('note', early));
    await lists();
    for (const step of steps({ notes, otherNotes, ids, otherId, text }, context)) await step();
    await repeatAfterLag(clock, lists);
    if (effort !== 'quick') {
      const listed = await otherNotes.list();
      // Each company may number its notes itself.
      if (!ids.some((id) => listed.includes(id))) await misplace(otherNotes, first, context);
      await notes.list();
    }
    // First the note that was never edited.
    for (const id of [second, first]) {
      await notes.remove(id);
      await notes.list();
    }
    await notes.edit(first, { text: make.noteText('late edit') });
    await notes.remove(first);
    await tryAbsent({ notes, note: first, companies: [Number(notes.company), spareCompany.id], text }, context);
    repeatAtEnd(context, async () => {
      await notes.list();
      await notes.edit(integerId('note', early), { text: make.noteText('late edit') });
    });
    if (effort === 'quick') return;
    atEnd(() => readAtEnd(api, [notes.company, spareCompany.id]));
    if (company && company.id !== spareCompany.id) atEnd(() => readAtEnd(primary, [company.id]));
  },
);

type LifeContext = Context<never, 'spare' | 'spareCompany' | 'spareSponsor'>;

interface Start {
  readonly notes: NoteList;
  readonly otherNotes: NoteList;
  readonly ids: readonly [number, number];
  /** The identifier of a note of the other company. */
  readonly otherId: number;
  /** The text of both notes. */
  readonly text: string;
}

/** Edits and refused writes in random order, a third of them in the other company. */
function steps(
  { notes, otherNotes, ids, otherId, text: same }: Start,
  context: LifeContext,
): readonly (() => Promise<unknown>)[] {
  const { random, make, effort } = context;
  const rows = random.shuffled(twiceIfThorough(refusedTexts(random), { effort, random }));
  const send = (notes: NoteList, note: number, row: RefusedText) => {
    const { id, on, body } = row;
    // With an Idempotency-Key a 409 may have another cause.
    const more = rows.find((one) => one.id === id) === row ? { key: null } : {};
    return on === 'create'
      ? failUnanswered(context, id, createNote, notes.create(body, more))
      : failUnanswered(context, id, editNote, notes.edit(note, body, more));
  };
  const text = random.int(1, 2) === 1 ? make.noteText('edited note') : mistakenText(random);
  // A new text, and one that differs only in letter case.
  const texts = effort === 'quick' ? [text] : [text, recased(text)];
  let shown: readonly number[] = ids;
  const present = () => random.shuffled(ids).find((id) => shown.includes(id)) ?? ids[0];
  const thenList = (write: () => Promise<unknown>) => async () => {
    await write();
    shown = await notes.list();
  };
  return random.shuffled([
    ...rows.map((row, place) =>
      effort !== 'quick' && place % 3 === 2
        ? () => send(otherNotes, otherId, row)
        : thenList(() => send(notes, present(), row)),
    ),
    ...texts.map((one) => thenList(() => notes.edit(ids[0], { text: one }))),
    // An edit that changes nothing.
    ...(effort === 'quick' ? [] : [thenList(() => notes.edit(ids[1], { text: same }))]),
    thenList(() =>
      ids.includes(otherId) ? Promise.resolve() : misplace(notes, otherId, context).then(otherNotes.list),
    ),
  ]);
}

const recased = (text: string): string =>
  text.replace(/[A-Za-z]/g, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

/** Creates a note with an identifier that none of these has: companies may number their notes separately. */
async function makeNoteWithOtherId(
  otherNotes: NoteList,
  ids: readonly number[],
  { make }: LifeContext,
): Promise<number> {
  for (let tries = ids.length; ; tries -= 1) {
    const reply = await otherNotes.create({ text: make.noteText('note elsewhere') });
    expectSuccess(reply);
    const id = integerId('note', reply);
    if (tries === 0 || !ids.includes(id)) return id;
  }
}

/** Edits and deletes a note in the path of a company that does not have it. */
async function misplace(notes: NoteList, id: number, { make }: LifeContext): Promise<void> {
  await notes.edit(id, { text: make.noteText('misplaced edit') });
  await notes.remove(id);
}

interface Absent {
  readonly notes: NoteList;
  readonly note: number;
  /** Existing companies. */
  readonly companies: readonly number[];
  /** The text of an earlier note. */
  readonly text: string;
}

/** Each operation on an unknown company, with various callers, and on an unknown note. */
async function tryAbsent(
  { notes, note, companies, text }: Absent,
  { api: primary, spare, random, effort }: LifeContext,
): Promise<void> {
  const body = { text };
  const api = primary.as(spare);
  const callers = effort === 'quick' ? [api, api, api] : random.shuffled([api, primary, api]);
  const at = (place: number, id: number | string) => noteList(callers[place] ?? api, random, id);
  const unknown = unknownIds(random, companies);
  await tryUnknown(unknown, (id) => at(0, id).create(body));
  await tryUnknown(unknown, (id) => at(random.int(0, 2), id).page());
  for (const id of effort === 'quick' ? [unknown[3]] : unknown.slice(3)) await at(random.int(0, 2), id).page();
  await tryUnknown(unknown, (id) => at(1, id).edit(note, body));
  await tryUnknown(unknown, (id) => at(2, id).remove(note));
  const [nothing] = unknownIds(random, [note]);
  await notes.edit(nothing, body);
  await notes.remove(nothing);
}

/** A user who may not create companies, and whose note another user deletes. */
export const restricted = conforms(
  ['notes-create-restricted', 'notes-delete-effect'],
  { needs: ['restricted', 'company'], writes: 2, beyondQuick: true, perhaps: ['notes-delete-effect'] },
  async ({ api, restricted: restrictedKey, company, random, make, observe }) => {
    const user = api.as(restrictedKey);
    const reply = await noteList(user, random, company.id).create({ text: make.noteText('note') });
    observe('notes-create-restricted', answerOf(reply), reply);
    // A missing scope stays missing right after a creation and after a deletion.
    await probeScopes(user);
    const note_id = identifierOf('note', dataOf(reply));
    if (!wasAccepted(reply) || note_id === undefined) return;
    const notes = noteList(api, random, company.id);
    const removal = await notes.remove(Number(note_id));
    // The document does not say whether others may delete it.
    if (!wasAccepted(removal)) await user.send(deleteNote, { path: { company_id: company.id, note_id } });
    await notes.list();
    await probeScopes(user);
  },
);
