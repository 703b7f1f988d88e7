// Rulings on API keys, companies, notes, contacts and their phones.
import { register } from './requirement.ts';

const keys = register({
  'made-key-identity': {
    question: 'What does a key inherit from the key or session that made it?',
    readings: ['the user only', 'user, account and rights'],
    ruling: 'User, active account, scopes and rights, no more and no fewer.',
    why: 'A key is tied to one user and one account, and reaches what the user reaches.',
  },
  'key-creation-off': {
    question: 'May key creation be refused to a user in good standing?',
    readings: ['no', 'yes, as a feature of the account'],
    ruling: 'With 403 it may; what needs a new key is then not tested.',
    why: 'The feature may be off for an account; needing a user does not promise that every user may.',
  },
  'key-numbers': {
    question: 'May a new key have the number of a revoked one?',
    readings: ['yes', 'no'],
    ruling: 'No, to the same user; the number of a deleted note may be given again.',
    why: 'A revoked key is gone for good; a repeated revocation of its number would hit the new one.',
  },
  'key-list-owners': {
    question: 'Whose keys are listed?',
    readings: ['those of the user', 'those of the account'],
    ruling: 'Open and recorded; the own ones are among them.',
    why: 'The row names no owner.',
  },
  'last-used-fresh': {
    question: 'What is last_used_at of a key that was never used?',
    readings: ['null', 'absent', 'the time of creation'],
    ruling: 'All pass; a value is a date-time, and a minute after use there should be one.',
    why: 'The field is listed without a word on empty values or delay.',
  },
  'key-secrecy': {
    question: 'Where must the secret not appear?',
    readings: ['not in api_key of the list', 'nowhere'],
    ruling: 'In no reply but that to the creation, under any name.',
    why: 'Returned once and never again leaves no other place.',
  },
  'revocation-reach': {
    question: 'Where and when does a revocation hold?',
    readings: ['soon', 'at once, everywhere and for good'],
    ruling:
      'From the first request after the answer on every protected operation, in list, total and validation, to the end.',
    why: 'It is called immediate and permanent.',
  },
  'revoked-makers': {
    question: 'Does a key outlive the key that made it?',
    readings: ['yes, until it is revoked itself', 'no'],
    ruling: 'Open: once its maker was revoked, a refusal of it is not judged.',
    why: 'Revocation is described of one key, and nothing is said of those that it has made.',
  },
  'foreign-keys': {
    question: 'What happens when a user revokes the key of another?',
    readings: ['404', '403', 'a success without effect'],
    ruling: 'The answer is open, the key keeps working. Tried from another account and with the restricted user.',
    why: 'Revocation needs a key of the caller; the rights of an admin are not described.',
  },
  'validate-invalid': {
    question: 'What does the validation of an invalid key show?',
    readings: ['exactly one field', 'no facts'],
    ruling: 'Status 200 and valid false; user, account, scopes and tier are absent or null.',
    why: 'Null carries no fact, and clients read it as absent.',
  },
});

const records = register({
  'round-trip': {
    question: 'Do inputs come back in records whose fields are not shown?',
    readings: ['not promised', 'under their own names, unchanged'],
    ruling:
      'Unchanged in reply, read and list; what was not given may be null or absent, also within a phone, and from one reply to the next. Values are sent in normal form.',
    why: 'Beyond the inputs nothing is shown, which presumes the inputs.',
  },
  'characters-not-bytes': {
    question: 'What is counted in 255 characters?',
    readings: ['bytes', 'code points'],
    ruling: 'Characters: 255 precomposed letters outside ASCII fit. Astral ones are not used for lengths.',
    why: 'The table says characters; UTF-16 units and code points agree on these.',
  },
  'identifier-names': {
    question: 'What is the identifier called in replies?',
    readings: ['id', 'company_id and note_id', 'both at once'],
    ruling:
      'It is looked for under the name of the path parameter and under id, then under like names such as uid or number, several at once too. Of companies and notes it is an integer; a contact need not show one.',
    why: 'Only path parameters are typed.',
  },
  'unknown-identifier': {
    question: 'Which identifier surely does not exist?',
    readings: ['any large one', 'one above all that were seen'],
    ruling:
      'A positive integer above every one seen; one that is found is asked with two others. Integers above 2^31 are not found either; for those beyond 2^53, zero and negative ones any fitting refusal passes, and a company that comes under this very number.',
    why: 'One in between may belong to somebody; the path takes an integer, and no bound is given.',
  },
  'org-id-unknown': {
    question: 'Is any org_id accepted?',
    readings: ['any integer', 'that of an existing record'],
    ruling: 'Recorded only; one that a list has shown, and a new company takes, comes back as that number.',
    why: 'It links to records that this interface does not show.',
  },
  'company-edit-body': {
    question: 'Which body does a company edit take?',
    readings: ['the changed fields', 'the full record', 'another one'],
    ruling:
      'A full record is sent; accepted, it must take effect; refused as such, this is recorded. To the user who made the company a 404 is no such refusal, unless the body names an organization. The type may be fixed at creation: it is judged where any edit was seen to change one. Partial and invalid bodies are recorded, but leave no record that could not be created.',
    why: 'The body is not shown, but the operation returns the updated company, and the limits are those of the fields.',
  },
  'unique-values': {
    question: 'May a company be refused because another has its name, or a contact because another has its email?',
    readings: ['no', 'yes'],
    ruling:
      'With 409 always; with 400 or 422 where the run has seen the name or email before. That one name of a single character is refused proves nothing: an earlier run may have used it.',
    why: 'The tables of fields allow equal values, but a business rule may not, and no status is named for it.',
  },
  'contact-company': {
    question: 'Must the company of a contact exist?',
    readings: ['yes', 'not stated'],
    ruling: 'Recorded only; one that the sender has made, and sees, is found.',
    why: 'company_id is the associated company; no error is named for one that does not exist.',
  },
  'bounded-search': {
    question: 'Must a record be found in a list of any length?',
    readings: ['yes', 'within a bound'],
    ruling: 'Searched within a bound on pages; not found in a longer list is not tested.',
    why: 'A run must not read a customer base to find one record.',
  },
  'deletion-lasting': {
    question: 'For how long is a deletion looked at?',
    readings: ['once', 'to the end of the run'],
    ruling: 'At once and again at the end; a deleted note counts as not found.',
    why: 'It is called permanent, and caches forget late.',
  },
  'note-text-kept': {
    question: 'May a note be altered when it is stored?',
    readings: ['trimmed and cleaned', 'kept'],
    ruling:
      'All inside is kept; white space at the ends is recorded; 1,000 characters fit, longer texts may be refused but not cut.',
    why: 'No sentence allows a change, and none sets a length.',
  },
  'note-path': {
    question: 'What is a note under the path of another company?',
    readings: ['found by its own identifier', 'not found'],
    ruling: 'Not found: 404 and no effect.',
    why: 'The path names the company of which it is a note.',
  },
  'note-numbers': {
    question: 'Is a note_id unique beyond its company?',
    readings: ['everywhere', 'within its company'],
    ruling:
      'Both pass: a note is recognised by its company, identifier and text, and a note of another company is addressed by an identifier that no note here has.',
    why: 'The path identifies a note by company_id and note_id together; no sentence gives note_id a wider reach.',
  },
  'primary-contact': {
    question: 'Can a company have several primary contacts?',
    readings: ['one', 'many'],
    ruling: 'Judged are true on a first and false on a second contact; what a second true does is recorded.',
    why: 'The table says "the primary contact" and nothing of conflicts.',
  },
});

const phones = register({
  'phone-shape': {
    question: 'Under which name does the normalised number come back?',
    readings: ['raw', 'another name', 'beside the phones'],
    ruling:
      'Anywhere in the record of the contact, with its +. Type and extension come back; raw and country need not; no type given shows as mobile or not at all.',
    why: 'The table shows inputs only.',
  },
  'phone-refusals': {
    question: 'Which numbers are unparseable?',
    readings: ['invalid in their country', 'impossible to read as a number'],
    ruling:
      'No digit, one digit and 25 digits get 422 and refuse the whole contact; others are refused or normalised, not stored as typed.',
    why: 'Libraries draw the line in different places, but none beyond these.',
  },
});

export const recordRulings = { ...keys, ...records, ...phones };
