// Notes and companies that do not exist.
import type { Api, Context } from '../../lib/index.ts';
import { expectNowhere, expectUnknown, unknownIds } from '../shared/unknown.ts';
import { type NoteList, noteList } from './note-list.ts';

export const absenceIds = ['notes-unknown-company', 'notes-unknown-note'] as const;
type AbsenceContext = Context<(typeof absenceIds)[number], never>;

const items = '/companies/{company_id}/notes';

/** Each operation on a company that does not exist, and on a note that does not, beside one that does. */
export async function judgeAbsence(
  { api: primary, random, effort, make, check }: AbsenceContext,
  api: Api,
  notes: NoteList,
  note: number,
  companiesSeen: readonly number[],
): Promise<void> {
  const body = { text: make.noteText('edited note') };
  const companies = unknownIds(random, companiesSeen);
  // What does not exist does so for nobody.
  const anyone = effort === 'quick' ? [] : random.shuffled([api, primary, api]);
  const at = (company: number | string, turn = 0) => noteList(anyone[turn] ?? api, random, company);
  await check('notes-unknown-company', () => expectUnknown(companies, (id) => at(id, 0).create(body)), `POST ${items}`);
  await check(
    'notes-unknown-company',
    () => expectNowhere(companies, { api: primary, effort }, (id) => at(id, random.int(0, 2)).page()),
    `GET ${items}`,
  );
  await check(
    'notes-unknown-company',
    () => expectUnknown(companies, (id) => at(id, 1).edit(note, body)),
    `PATCH ${items}/{note_id}`,
  );
  await check(
    'notes-unknown-company',
    () => expectUnknown(companies, (id) => at(id, 2).remove(note)),
    `DELETE ${items}/{note_id}`,
  );
  const unknown = unknownIds(random, [note]);
  await check(
    'notes-unknown-note',
    () => expectUnknown(unknown, (id) => notes.edit(id, body)),
    `PATCH ${items}/{note_id}`,
  );
  await check(
    'notes-unknown-note',
    () => expectUnknown(unknown, (id) => notes.remove(id)),
    `DELETE ${items}/{note_id}`,
  );
}
