// Notes on a company: create, edit, delete, list, and how their text is kept.
import { must, observe, requirements } from './requirement.ts';

const text = requirements('notes', 'Resources and their fields / Note, row text', {
  'notes-create-id': must('A new note has an integer identifier of its own', {
    at: 'Resources and their fields / Note, row note_id',
    impact: 'The note cannot be edited or deleted.',
    rulings: ['identifier-names'],
  }),
  'notes-create-text': must('The text given to a new note comes back unchanged', {
    impact: 'The remark is not what was written.',
    rulings: ['note-text-kept'],
  }),
  'notes-text-characters': must(
    'Line breaks, tabs, quotes, backslashes, angle brackets, ampersands and astral characters in a note are kept',
    { impact: 'Remarks run together, are cut or show entities.', rulings: ['note-text-kept'] },
  ),
  'notes-text-long': must('A note of 1,000 characters is kept whole, and a longer one is kept whole or refused', {
    impact: 'The end of a remark is lost without a word.',
    rulings: ['note-text-kept'],
  }),
  'notes-text-outer-space': observe('Is white space at the ends of a note kept?', { rulings: ['note-text-kept'] }),
  'notes-text-unicode-blank': observe('What does a note of nothing but Unicode blanks answer?', {
    rulings: ['blank-meaning'],
  }),
  'notes-record-fields': observe('Which fields does a note have, and what is its identifier called?', {
    at: 'Resources and their fields / Fields of other records, point 5',
    rulings: ['identifier-names', 'silent-is-observed'],
  }),
});

const creation = requirements('notes', 'Endpoints / Companies, row POST /companies/{company_id}/notes', {
  'notes-create-once': must('One creation makes exactly one note', { impact: 'Remarks appear twice.' }),
  'notes-create-missing-text': must('A new note whose text is absent, null or not a text is refused with 400 or 422', {
    impact: 'Empty remarks, or remarks such as null, appear.',
    rulings: ['refusal-status', 'missing-member'],
  }),
  'notes-create-empty': must('A new note with an empty text is refused with 400 or 422', {
    impact: 'Empty remarks appear.',
    rulings: ['empty-note-create', 'both-readings-pass'],
  }),
  'notes-create-blank': must('A new note of nothing but spaces, tabs or line breaks is refused with 422', {
    impact: 'Remarks appear that look empty.',
    rulings: ['blank-meaning'],
  }),
  'notes-create-refused-effect': must('A refused creation leaves no note behind', {
    impact: 'What was refused is there all the same.',
    rulings: ['effect-over-form'],
  }),
  'notes-unknown-company': must('Every operation on the notes of a company that does not exist answers 404', {
    at: 'Errors, row 404',
    impact: 'A stale link looks like a company without remarks, or a write vanishes.',
    rulings: ['unknown-identifier'],
  }),
  'notes-create-restricted': observe('What does the creation of a note answer to a user who may not create companies?'),
});

const listing = requirements('notes', 'Endpoints / Companies, row GET /companies/{company_id}/notes', {
  'notes-list-contains': must('A new note appears in the list of its company', {
    impact: 'Users write it again.',
    rulings: ['list-lag'],
  }),
  'notes-list-record': must('A listed note has the identifier and text that it was created with', {
    impact: 'The list cannot be used to edit a note.',
    rulings: ['note-text-kept', 'identifier-names'],
  }),
  'notes-list-own-company': must('The list of one company shows no note of another', {
    impact: 'Remarks stand in the wrong file.',
    rulings: ['note-numbers'],
  }),
});

const editing = requirements('notes', 'Endpoints / Companies, row PATCH /companies/{company_id}/notes/{note_id}', {
  'notes-edit-reply': must('The reply to an edit shows the note with its new text and its old identifier', {
    impact: 'The form jumps back to the old text.',
  }),
  'notes-edit-effect': must('After an edit the list shows the new text in place of the old one, and no further note', {
    impact: 'Corrections are lost, or old and new text stand side by side.',
    rulings: ['list-lag'],
  }),
  'notes-others-untouched': must('The edit or deletion of a note leaves the other notes of the company as they were', {
    impact: 'Correcting one remark damages another.',
  }),
  'notes-edit-missing-text': must('An edit whose text is absent, null or not a text is refused with 400 or 422', {
    impact: 'A buggy client wipes out remarks.',
    rulings: ['refusal-status', 'missing-member'],
  }),
  'notes-edit-empty': must('An edit to an empty text is refused with 400', {
    impact: 'A cleared field wipes out the remark.',
  }),
  'notes-edit-blank': must('An edit to nothing but spaces, tabs or line breaks is refused with 422', {
    impact: 'A cleared field wipes out the remark.',
    rulings: ['blank-meaning'],
  }),
  'notes-edit-refused-effect': must('A refused edit leaves the text as it was', {
    impact: 'The old text is lost although the edit was refused.',
    rulings: ['effect-over-form'],
  }),
  'notes-unknown-note': must('The edit and the deletion of a note that does not exist answer 404', {
    at: 'Errors, row 404',
    impact: 'The client believes that it has saved.',
    rulings: ['unknown-identifier'],
  }),
  'notes-other-company': must(
    'The edit and the deletion of a note under another company answer 404 and leave it as it was',
    {
      impact: 'A mixed-up path changes the files of another firm.',
      rulings: ['note-path', 'note-numbers', 'effect-over-form'],
    },
  ),
  'notes-deleted-unknown': must('The edit and the second deletion of a deleted note answer 404', {
    at: 'Errors, row 404',
    impact: 'The client believes that it has saved.',
    rulings: ['deletion-lasting'],
  }),
});

const deletion = requirements('notes', 'Endpoints / Companies, row DELETE /companies/{company_id}/notes/{note_id}', {
  'notes-delete-result': must('A deletion answers with deleted true', {
    impact: 'The client does not know that the note is gone.',
  }),
  'notes-delete-effect': must('A deleted note disappears from the list', {
    impact: 'Withdrawn remarks stay visible.',
    rulings: ['list-lag'],
  }),
  'notes-delete-lasting': must('A deleted note is still gone at the end of the run', {
    impact: 'Withdrawn remarks come back.',
    rulings: ['deletion-lasting'],
  }),
});

export const notes = { ...text, ...creation, ...listing, ...editing, ...deletion };
