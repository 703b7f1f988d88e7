// What is made first is a record like any other: a note, edited in every way before anything else is made.
import { type Api, type Call, editNote, listNotes, type Tools } from '../../lib/index.ts';
import { ifPossible, orPassedOver } from '../shared/attempt.ts';
import { remarkable } from './write-actions.ts';

/** Carried out, refused for each of the reasons, and seen; what it is answered the rules judge. */
export async function editFirstNote(
  api: Api,
  company_id: number,
  tools: Pick<Tools, 'make' | 'random'>,
): Promise<void> {
  const { make, random } = tools;
  const note = await ifPossible(make.note(api, company_id));
  if (note === undefined) return;
  const path = { company_id, note_id: note.id };
  const bodies: readonly Call[] = [
    ...[remarkable(random), '', '  ', remarkable(random)].map((text) => ({ body: { text } })),
    { body: {} },
    ...['{"text": "cut', '[]'].map((text): Call => ({ text, undocumented: true })),
  ];
  for (const call of random.shuffled(bodies)) await orPassedOver(api.send(editNote, { ...call, path }));
  await orPassedOver(api.send(listNotes, { path: { company_id } }));
}
