// The operations on records, as mutants name them.
export const team = 'GET /account/team';
export const keys = 'GET /api-keys';
export const createKey = 'POST /api-keys';
export const deleteKey = 'DELETE /api-keys/{key_id}';
export const companies = 'GET /companies';
export const createCompany = 'POST /companies';
export const readCompany = 'GET /companies/{company_id}';
export const editCompany = 'PATCH /companies/{company_id}';
export const notes = 'GET /companies/{company_id}/notes';
export const createNote = 'POST /companies/{company_id}/notes';
export const deleteNote = 'DELETE /companies/{company_id}/notes/{note_id}';
export const editNote = 'PATCH /companies/{company_id}/notes/{note_id}';
export const contacts = 'GET /contacts';
export const createContact = 'POST /contacts';
