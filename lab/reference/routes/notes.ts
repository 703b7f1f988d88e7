// Endpoints, Companies: the notes of a company.
import type { Call, Operation, Result } from '../operation.ts';
import { page, timeSorts } from '../paging.ts';
import { notFound, refuse } from '../refusal.ts';
import type { Note } from '../store.ts';
import { longestNote } from '../validation.ts';
import { companyOf } from './companies.ts';

/** The body's text; `emptyStatus` is the answer to "" (400 on edit, Endpoints). */
function textOf(call: Call, emptyStatus: number): string {
  const { choices } = call.service;
  if (!Object.hasOwn(call.body, 'text')) throw refuse(422, 'text is required');
  const { text } = call.body;
  if (typeof text !== 'string') throw refuse(choices.refusal, 'text must be a string');
  if (text === '') throw refuse(emptyStatus, 'text must not be empty');
  if (text.trim() === '') throw refuse(422, 'text must not be blank');
  if (text.length > longestNote) throw refuse(choices.refusal, `text must have at most ${longestNote} characters`);
  return choices.outerSpace === 'trimmed' ? text.trim() : text;
}

function noteOf(call: Call): Note {
  const note = companyOf(call).notes.find((one) => one.id === call.ids.note_id);
  if (note === undefined) throw notFound('note');
  return note;
}

function create(call: Call): Result {
  const { service, session, now } = call;
  const emptyStatus = service.choices.noteEmptyOnCreate;
  const early = service.choices.checkOrder === 'body-first' ? textOf(call, emptyStatus) : undefined;
  const company = companyOf(call);
  const text = early ?? textOf(call, emptyStatus);
  const id = service.store.admit('note');
  const note: Note = { id, company, author: session.user, text, createdAt: now, updatedAt: now };
  company.notes.push(note);
  return { data: service.wire.note(note) };
}

function edit(call: Call): Result {
  const early = call.service.choices.checkOrder === 'body-first' ? textOf(call, 400) : undefined;
  const note = noteOf(call);
  note.text = early ?? textOf(call, 400);
  note.updatedAt = call.now;
  return { data: call.service.wire.note(note) };
}

function list(call: Call): Result {
  const company = companyOf(call);
  return page(call, {
    name: `notes-${company.id}`,
    items: company.notes,
    render: (note) => call.service.wire.note(note),
    sorts: timeSorts,
  });
}

function remove(call: Call): Result {
  call.service.store.removeNote(noteOf(call));
  return { data: { deleted: true } };
}

const notes = '/companies/:company_id/notes';
const note = `${notes}/:note_id`;
const always = () => true;

export const noteOperations: readonly Operation[] = [
  { method: 'GET', path: notes, access: 'user', run: list },
  { method: 'POST', path: notes, access: 'user', status: 201, idempotent: always, run: create },
  { method: 'PATCH', path: note, access: 'user', idempotent: always, run: edit },
  { method: 'DELETE', path: note, access: 'user', run: remove },
];
