// The phones of a contact: normalisation, kinds and refusals.
import { must, observe, requirements } from './requirement.ts';

export const phones = requirements('contacts', 'Resources and their fields / Phone, row raw', {
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
