// Operations on the notes of a company.
import { lengthOf, readObject, refuseUnknownMembers } from '../checks.ts';
import { LIST_QUERY, listPage } from '../paging.ts';
import type { Company, Note, Row } from '../records.ts';
import { type Outcome, refuse } from '../refusal.ts';
import { recordValue } from '../sorting.ts';
import { dropNote, dueAt, makeNote } from '../store.ts';
import { noteView } from '../views/deals.ts';
import { able, callerOf, type Operation, operation, pathId, type Visit } from '../visit.ts';
import { findCompany, findWritable, location, refuseShared } from './companies.ts';

const permit = able('writeNotes', 'write notes');

export const noteOperations: readonly Operation[] = [
  operation('GET /companies/#/notes', {
    query: LIST_QUERY,
    locate: findCompany,
    act: list,
  }),
  operation('POST /companies/#/notes', {
    idempotency: () => 'honoured',
    permit,
    locate: findWritable,
    read: (visit) => readText(visit, visit.choices.noteCreateMissing, visit.choices.noteCreateEmpty),
    act: create,
  }),
  operation('PATCH /companies/#/notes/#', {
    idempotency: () => 'honoured',
    permit,
    locate: findNote,
    read: (visit) => readText(visit, visit.choices.noteEditMissing, '400'),
    act: edit,
  }),
  operation('DELETE /companies/#/notes/#', {
    idempotency: (choices) => choices.idemDeletes,
    permit,
    locate: findNote,
    act: ({ choices }, note) => {
      dropNote(note);
      return { status: 200, data: { deleted: true, ...(choices.noteDeleteExtra === 'id' && { id: note.id }) } };
    },
  }),
];

function list(visit: Visit, company: Company): Outcome {
  const { choices } = visit;
  return listPage(visit, {
    name: `notes:${company.id}`,
    source: company.notes,
    view: (note) => noteView(note, choices),
    sortable: {
      few: ['created_at'],
      many: ['created_at', 'updated_at', 'id', 'text'],
      value: (note, name) => recordValue({ ...note, given: { text: note.text } }, name),
      refused: choices.sortNotes === '400',
    },
  });
}

/** The note in the path, if it may be changed by the caller. */
function findNote(visit: Visit): Note {
  const company = findCompany(visit);
  const note = company.notesById.get(pathId(visit, 1));
  if (note === undefined) return refuse(404, 'note_not_found', 'There is no such note.');
  refuseShared(visit, company);
  if (visit.choices.noteRight === 'author' && note.author !== callerOf(visit).user) {
    refuse(403, 'not_allowed', 'Only its author may change a note.');
  }
  return note;
}

function create(visit: Visit, company: Company, text: string): Outcome {
  const { world, now } = visit;
  const note = makeNote(world, company, callerOf(visit).user, text, now);
  note.due = dueAt(world, now, 'notes');
  company.notes.add(note, now);
  const headers = location(visit, `companies/${company.id}/notes/${note.id}`);
  return { status: 201, data: noteView(note, visit.choices), headers, again: () => viewNow(visit, note) };
}

function edit(visit: Visit, note: Note, text: string): Outcome {
  if (note.text !== text || visit.choices.noteTouch === 'touches') note.updated = visit.now;
  note.text = text;
  note.view = undefined;
  return { status: 200, data: noteView(note, visit.choices), again: () => viewNow(visit, note) };
}

function viewNow(visit: Visit, note: Note): Row | undefined {
  return note.gone ? undefined : noteView(note, visit.choices);
}

const BLANKS = {
  unicode: /^\s*$/,
  ascii: /^[ \t\r\n\f\v]*$/,
  'invisible-too': /^[\s\u200b\u2060\u180e\u00ad]*$/,
};

function readText(visit: Visit, missing: '400' | '422', empty: '400' | '422'): string {
  const { choices } = visit;
  const body = readObject(visit);
  const { text } = body;
  if (text === undefined || text === null) return refuse(missing, 'missing_field', 'text is required.', 'text');
  if (typeof text !== 'string') return refuse(choices.noteWrongType, 'invalid_field', 'text must be a string.', 'text');
  if (text === '') refuse(empty, 'empty_text', 'text must not be empty.', 'text');
  if (BLANKS[choices.noteBlank].test(text)) refuse(422, 'blank_text', 'text must not be blank.', 'text');
  checkExtent(visit, text);
  refuseUnknownMembers(visit, body, { text: 'text' });
  return choices.noteTrim === 'trimmed' ? text.trim() || text : text;
}

function checkExtent(visit: Visit, text: string): void {
  const { choices } = visit;
  if (choices.noteMaximum !== 'none' && lengthOf(text, choices.lengthUnit) > Number(choices.noteMaximum)) {
    refuse(choices.noteTooLong, 'invalid_field', `text must not exceed ${choices.noteMaximum} characters.`, 'text');
  }
  if (choices.noteNul !== 'kept' && text.includes('\0')) {
    refuse(choices.noteNul, 'invalid_field', 'text must not hold the character U+0000.', 'text');
  }
}
