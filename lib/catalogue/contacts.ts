// Contacts: create and list.
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
    rulings: ['unique-values'],
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

const phones = requirements('contacts', 'Resources and their fields / Phone, row raw', {
  'contacts-phone-national': must('A US number without country, however punctuated, comes back in E.164 form', {
    impact: 'The number cannot be dialled from abroad or compared.',
    rulings: ['phone-shape'],
  }),
  'contacts-phone-international': must(
    'A number with a leading + comes back in E.164 form by its own prefix, whatever country says',
    {
      at: 'Resources and their fields / Phone, row country',
      impact: 'A default country damages international numbers.',
      rulings: ['phone-shape'],
    },
  ),
  'contacts-phone-country': must(
    'A national number, with or without trunk zero, is read by the rules of the country that comes with it',
    {
      at: 'Resources and their fields / Phone, row country',
      impact: 'Foreign numbers are taken for American ones, or do not connect.',
      rulings: ['phone-shape'],
    },
  ),
  'contacts-phone-several': must('Every one of several phones of a contact is kept and normalised', {
    at: 'Resources and their fields / Contact, row phones',
    impact: 'Further numbers are lost or stay as they were typed.',
    rulings: ['phone-shape'],
  }),
  'contacts-phone-type-kept': must('The types mobile, office and fax come back as given', {
    at: 'Resources and their fields / Phone, row type',
    impact: 'Messages go to a fax.',
    rulings: ['phone-shape'],
  }),
  'contacts-phone-type-default': must('A phone without type shows as mobile or shows no type', {
    at: 'Resources and their fields / Phone, row type',
    impact: 'Clients take mobiles for something else.',
    rulings: ['phone-shape'],
  }),
  'contacts-phone-type-unknown': must('A phone of any other type is refused with 400 or 422', {
    at: 'Resources and their fields / Phone, row type',
    impact: 'Numbers appear that no client can place.',
    rulings: ['refusal-status'],
  }),
  'contacts-phone-extension': must('The extension of a phone comes back as given', {
    at: 'Resources and their fields / Phone, row extension',
    impact: 'Callers reach the switchboard only.',
    rulings: ['phone-shape'],
  }),
  'contacts-phone-raw-missing': must('A phone without raw is refused with 400 or 422', {
    impact: 'Empty numbers appear.',
    rulings: ['refusal-status', 'missing-member'],
  }),
  'contacts-phone-unparseable': must(
    'A contact whose only phone has no digit, one digit or 25 digits is refused with 422',
    {
      impact: 'Numbers are stored that nobody can call.',
      rulings: ['phone-refusals'],
    },
  ),
  'contacts-phone-any-unparseable': must('One unparseable phone among good ones, wherever it stands, gets 422', {
    impact: 'A number is dropped without a word.',
    rulings: ['phone-refusals'],
  }),
  'contacts-phone-refused-effect': must('A contact refused because of a phone is not created', {
    impact: 'Correcting the number makes a duplicate that cannot be deleted.',
    rulings: ['phone-refusals', 'effect-over-form', 'not-alone'],
  }),
  'contacts-phone-odd': must('Any other odd number is either refused or normalised, and never stored as typed', {
    impact: 'Half-read numbers break dialling and comparing.',
    rulings: ['phone-refusals'],
  }),
  'contacts-phone-fields': observe('Which fields does a phone have, and where does its E.164 form stand?', {
    at: 'Resources and their fields / Fields of other records, point 4',
    rulings: ['phone-shape'],
  }),
  'contacts-phone-inline-extension': observe('What becomes of an extension written into the number?', {
    rulings: ['phone-refusals'],
  }),
  'contacts-phone-country-odd': observe('What does a country in lower case, or one that does not exist, answer?', {
    at: 'Resources and their fields / Phone, row country',
  }),
});

export const contacts = { ...fields, ...phones, ...creation, ...listing };
