// Notes and companies that do not exist.
import { conforms, expectSuccess } from '../../lib/index.ts';
import { expectUnknown, unknownIds } from '../shared/unknown.ts';
import { noteList } from './note-list.ts';

const items = '/companies/{company_id}/notes';

export const absence = conforms(
  ['notes-unknown-company', 'notes-unknown-note'],
  { needs: ['spare', 'spareCompany'], writes: true },
  async ({ api, spare, spareCompany, random, make, effort, check }) => {
    const notes = noteList(api.as(spare), random, spareCompany.id);
    const note = await make.note(api.as(spare), spareCompany.id);
    const text = make.name('edited note');
    // The controls: the same requests on what exists; the deletion comes last.
    expectSuccess(await notes.edit(note.id, { text }));
    const companies = unknownIds(random, [spareCompany.id]);
    const at = (company: number) => noteList(api.as(spare), random, company);

    const body = { text };
    await check(
      'notes-unknown-company',
      () => expectUnknown(companies, effort, (id) => at(id).create(body)),
      `POST ${items}`,
    );
    await check('notes-unknown-company', () => expectUnknown(companies, effort, (id) => at(id).page()), `GET ${items}`);
    await check(
      'notes-unknown-company',
      () => expectUnknown(companies, effort, (id) => at(id).edit(note.id, body)),
      `PATCH ${items}/{note_id}`,
    );
    await check(
      'notes-unknown-company',
      () => expectUnknown(companies, effort, (id) => at(id).remove(note.id)),
      `DELETE ${items}/{note_id}`,
    );

    const unknown = unknownIds(random, [note.id]);
    await check(
      'notes-unknown-note',
      () => expectUnknown(unknown, effort, (id) => notes.edit(id, body)),
      `PATCH ${items}/{note_id}`,
    );
    await check(
      'notes-unknown-note',
      () => expectUnknown(unknown, effort, (id) => notes.remove(id)),
      `DELETE ${items}/{note_id}`,
    );
    expectSuccess(await notes.remove(note.id));
  },
);
