// The faults, in the document's order, and what keeps their identifiers apart.
import companies from './companies.ts';
import companiesEdits from './companies-edits.ts';
import contacts from './contacts.ts';
import contactsPhones from './contacts-phones.ts';
import type { Fault } from './fault.ts';
import notesChanges from './notes-changes.ts';
import notesRefusals from './notes-refusals.ts';
import notesTexts from './notes-texts.ts';

export const faults: readonly Fault[] = [
  companies,
  companiesEdits,
  notesTexts,
  notesRefusals,
  notesChanges,
  contacts,
  contactsPhones,
].flat();
