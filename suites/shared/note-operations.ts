// The operations on the notes of a company, by what they do.
import type { OperationId } from '../../lib/index.ts';

export const listNotes = 'GET /companies/{company_id}/notes' satisfies OperationId;
export const createNote = 'POST /companies/{company_id}/notes' satisfies OperationId;
export const editNote = 'PATCH /companies/{company_id}/notes/{note_id}' satisfies OperationId;
export const deleteNote = 'DELETE /companies/{company_id}/notes/{note_id}' satisfies OperationId;
