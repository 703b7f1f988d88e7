// Notes on a company: create, edit, delete, list, and what becomes of their text.
import { must, observe, requirements } from '../requirement.ts';

const section = 'Endpoints / Companies';

const text = requirements('notes', 'Resources and their fields / Note', {
  'notes-create-id': must('A new note has an integer identifier of its own', {
    impact: 'The note cannot be edited or deleted.',
    rulings: ['identifier-names'],
  }),
  'notes-create-text': must('The text given to a new note comes back unchanged', {
    impact: 'The remark is not what was written.',
    rulings: ['note-text-kept'],
  }),
  'notes-text-line-breaks': must('Line breaks and tabs inside a note are kept', {
    impact: 'Structured remarks run together.',
    rulings: ['note-text-kept'],
  }),
  'notes-text-markup': must('Quotes, backslashes, angle brackets and ampersands in a note are kept as they are', {
    impact: 'Remarks are cut or shown with entities.',
    rulings: ['note-text-kept'],
  }),
  'notes-text-astral': must('Characters outside the Basic Multilingual Plane in a note are kept', {
    impact: 'Symbols turn into question marks, or the note is lost.',
    rulings: ['note-text-kept'],
  }),
  'notes-text-long': must('A note of 1,000 characters is accepted and kept whole', {
    impact: 'Ordinary minutes of a meeting do not fit.',
    rulings: ['note-text-kept'],
  }),
  'notes-text-never-cut': must('A very long note is refused or kept whole, and never cut', {
    impact: 'The end of a remark is lost without a word.',
    rulings: ['note-text-kept'],
  }),
  'notes-text-outer-space': observe('Is white space at the ends of a note kept?', { rulings: ['note-text-kept'] }),
  'notes-text-unicode-blank': observe('What does a note of nothing but Unicode blanks answer?', {
    rulings: ['blank-meaning'],
  }),
  'notes-record-fields': observe('Which fields does a note have, and what is its identifier called?', {
    rulings: ['identifier-names', 'silent-is-observed'],
  }),
});

const creation = requirements('notes', section, {
  'notes-create-once': must('One creation makes exactly one note', { impact: 'Remarks appear twice.' }),
  'notes-create-missing-text': must('A note without text is refused with 400 or 422', {
    impact: 'Empty remarks appear.',
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
  'notes-create-wrong-type': must('A new note whose text is null or no text is refused with 400 or 422', {
    impact: 'Remarks such as null appear.',
    rulings: ['refusal-status'],
  }),
  'notes-create-refused-effect': must('A refused creation leaves no note behind', {
    impact: 'What was refused is there all the same.',
    rulings: ['effect-over-form'],
  }),
  'notes-create-unknown-company': must('A note on a company that does not exist is refused with 404', {
    impact: 'Remarks vanish into nowhere.',
    rulings: ['unknown-identifier'],
  }),
  'notes-create-restricted': observe('What does the creation of a note answer to a user who may not create companies?'),
});

const listing = requirements('notes', section, {
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
  }),
  'notes-list-unknown-company': must('The notes of a company that does not exist answer 404', {
    impact: 'A stale link looks like a company without remarks.',
    rulings: ['unknown-identifier'],
  }),
});

const editing = requirements('notes', section, {
  'notes-edit-reply': must('The reply to an edit shows the note with its new text and its old identifier', {
    impact: 'The form jumps back to the old text.',
  }),
  'notes-edit-effect': must('After an edit the list shows the new text', {
    impact: 'Corrections are lost.',
    rulings: ['list-lag'],
  }),
  'notes-edit-replaces': must('An edit replaces the whole text and adds no note', {
    impact: 'Old and new text stand side by side.',
    rulings: ['list-lag'],
  }),
  'notes-edit-others': must('An edit leaves the other notes of the company as they were', {
    impact: 'Correcting one remark spoils another.',
  }),
  'notes-edit-missing-text': must('An edit without text is refused with 400 or 422', {
    impact: 'A faulty client wipes out remarks.',
    rulings: ['refusal-status', 'missing-member'],
  }),
  'notes-edit-empty': must('An edit to an empty text is refused with 400', {
    impact: 'A cleared field wipes out the remark.',
  }),
  'notes-edit-blank': must('An edit to nothing but spaces, tabs or line breaks is refused with 422', {
    impact: 'A cleared field wipes out the remark.',
    rulings: ['blank-meaning'],
  }),
  'notes-edit-wrong-type': must('An edit whose text is null or no text is refused with 400 or 422', {
    impact: 'Remarks turn into null.',
    rulings: ['refusal-status'],
  }),
  'notes-edit-refused-effect': must('A refused edit leaves the text as it was', {
    impact: 'The old text is lost although the edit was refused.',
    rulings: ['effect-over-form'],
  }),
  'notes-edit-unknown-note': must('The edit of a note that does not exist answers 404', {
    impact: 'The client believes that it has saved.',
    rulings: ['unknown-identifier'],
  }),
  'notes-edit-unknown-company': must('The edit of a note under a company that does not exist answers 404', {
    impact: 'A wrong path works and hides a defect of the client.',
    rulings: ['unknown-identifier'],
  }),
  'notes-edit-other-company': must('The edit of a note under another company answers 404 and changes nothing', {
    impact: 'A mixed-up path rewrites the files of another firm.',
    rulings: ['note-path'],
  }),
  'notes-edit-deleted': must('The edit of a deleted note answers 404', {
    impact: 'The client believes that it has saved.',
    rulings: ['deletion-lasting'],
  }),
});

const deletion = requirements('notes', section, {
  'notes-delete-result': must('A deletion answers with deleted true', {
    impact: 'The client cannot tell that the note is gone.',
  }),
  'notes-delete-effect': must('A deleted note disappears from the list', {
    impact: 'Withdrawn remarks stay visible.',
    rulings: ['list-lag'],
  }),
  'notes-delete-lasting': must('A deleted note is still gone at the end of the run', {
    impact: 'Withdrawn remarks come back.',
    rulings: ['deletion-lasting'],
  }),
  'notes-delete-others': must('A deletion leaves the other notes of the company there', {
    impact: 'Deleting one remark destroys others.',
  }),
  'notes-delete-again': must('The second deletion of a note answers 404', {
    impact: 'The client cannot tell whether there was anything to delete.',
    rulings: ['deletion-lasting'],
  }),
  'notes-delete-unknown-note': must('The deletion of a note that never existed answers 404', {
    impact: 'A wrong identifier goes unnoticed.',
    rulings: ['unknown-identifier'],
  }),
  'notes-delete-unknown-company': must('The deletion of a note under a company that does not exist answers 404', {
    impact: 'A wrong path destroys a remark.',
    rulings: ['unknown-identifier'],
  }),
  'notes-delete-other-company': must('The deletion of a note under another company answers 404 and deletes nothing', {
    impact: 'A mixed-up path destroys remarks of another firm.',
    rulings: ['note-path'],
  }),
});

export const notes = { ...text, ...creation, ...listing, ...editing, ...deletion };
