// Contacts: create and list.

import { phones } from './contacts-phones.ts';
import { must, observe, requirements } from './requirement.ts';

const fields = requirements('contacts', 'Resources and their fields / Contact, row contact_type', {
  'contacts-create-type': must('A contact created as lender_contact or as sponsor comes back as that', {
    impact: 'Contacts of lenders and sponsors are taken for each other, or cannot be recorded.',
  }),
  'contacts-create-company': must('A new contact comes back with the company_id that it was given', {
    at: 'Resources and their fields / Contact, row company_id',
    impact: 'People are filed under the wrong firm.',
  }),
  'contacts-create-fields': must(
    'Names, email, title, department, address lines and links of a new contact come back unchanged',
    {
      at: 'Resources and their fields / Contact, rows first_name to photo_url',
      impact: 'Mail and letters go to the wrong person.',
      rulings: ['round-trip'],
    },
  ),
  'contacts-create-unicode': must('Letters of other scripts and astral characters in a contact survive unchanged', {
    at: 'Resources and their fields / Contact, rows first_name to photo_url',
    impact: 'Foreign names turn into question marks.',
    rulings: ['round-trip'],
  }),
  'contacts-create-primary': must(
    'is_primary comes back as given: true on the first contact of a company, false on a second',
    {
      at: 'Resources and their fields / Contact, row is_primary',
      impact: 'The person to call first is not marked.',
      rulings: ['primary-contact'],
    },
  ),
  'contacts-create-required-only': must('A contact can be created from contact_type and company_id alone', {
    at: 'Resources and their fields / Contact, rows first_name to is_primary',
    impact: 'Clients must invent data that they do not have.',
  }),
  'contacts-type-unknown': must('A contact_type other than the two named ones is refused with 400 or 422', {
    impact: 'Records appear that no filter finds.',
    rulings: ['refusal-status'],
  }),
  'contacts-primary-second': observe('Does a new primary contact demote the former one?', {
    at: 'Resources and their fields / Contact, row is_primary',
    rulings: ['primary-contact'],
  }),
  'contacts-email-invalid': observe('How is an email that is not an address answered?', {
    at: 'Resources and their fields / Contact, row email',
  }),
  'contacts-type-mismatch': observe('What does a lender_contact at a sponsor answer?'),
});

const creation = requirements('contacts', 'Endpoints / Contacts, row POST /contacts', {
  'contacts-create-once': must('One creation makes exactly one contact', {
    impact: 'Duplicates appear that nobody can delete.',
    rulings: ['not-alone', 'list-lag'],
  }),
  'contacts-create-missing-type': must('A contact without contact_type is refused with 422', {
    impact: 'Form validation cannot show the user what to fill in.',
    rulings: ['missing-member'],
  }),
  'contacts-create-missing-company': must('A contact without company_id is refused with 400 or 422', {
    impact: 'People appear who belong to no firm.',
    rulings: ['refusal-status', 'missing-member'],
  }),
  'contacts-create-unknown-company': observe('What does a contact at a company that does not exist answer?', {
    rulings: ['contact-company'],
  }),
  'contacts-required-wrong-type': must(
    'A contact_type or company_id that is null or of another type is refused with 400 or 422',
    {
      impact: 'Records appear that belong nowhere.',
      rulings: ['refusal-status', 'missing-member'],
    },
  ),
  'contacts-create-refused-effect': must(
    'A creation refused for its input or for lack of rights leaves no contact behind',
    {
      impact: 'Broken records stay for ever, for contacts cannot be deleted.',
      rulings: ['effect-over-form', 'not-alone'],
    },
  ),
  'contacts-create-forbidden': must('A user who may not create contacts is refused with 403', {
    impact: 'Rights set by an admin do not hold.',
    rulings: ['otherwise-valid'],
  }),
});

const listing = requirements('contacts', 'Endpoints / Contacts, row GET /contacts', {
  'contacts-list-contains': must('A new contact appears in the list', {
    impact: 'Users create it again.',
    rulings: ['list-lag', 'bounded-search'],
  }),
  'contacts-list-record': must(
    'A listed contact has the values that the reply to its creation showed, phones included',
    {
      impact: 'The list, the only way to read a contact, loses data.',
      rulings: ['round-trip', 'bounded-search'],
    },
  ),
  'contacts-record-fields': observe('Which fields beyond its inputs does a contact have, and what is its identifier?', {
    at: 'Resources and their fields / Fields of other records, point 4',
    rulings: ['identifier-names', 'silent-is-observed'],
  }),
});

export const contacts = { ...fields, ...phones, ...creation, ...listing };
