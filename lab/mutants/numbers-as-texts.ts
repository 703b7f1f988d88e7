// Integers of the document that are shown as texts in one place, and right in all others.
import { mutants, type Wrap } from './mutant.ts';
import { isSorted, pageOf } from './wrappers/listing.ts';
import type { When } from './wrappers/mutator.ts';
import {
  companies,
  contacts,
  createContact,
  createKey,
  editCompany,
  editNote,
  keys,
  notes,
  readCompany,
} from './wrappers/operations.ts';
import { onMember } from './wrappers/records.ts';

const asText = (when: When, name: string): Wrap =>
  onMember(when, name, (value) => (typeof value === 'number' ? String(value) : value));

const hasFields = (query: URLSearchParams): boolean => query.has('fields');

const lookedFor = { 'companies-list-contains': 'a company is looked for by its identifier' };

export default mutants({
  // Company, row org_id: "integer"; paragraph 1: "The identifier of a company is an integer".
  'companies-list-record': {
    'companies-list-tells-ids-as-texts': {
      collateral: lookedFor,
      wrap: asText(
        pageOf(companies, (query) => !hasFields(query) && !isSorted(query)),
        'id',
      ),
    },
    'companies-sorted-list-tells-ids-as-texts': {
      collateral: lookedFor,
      wrap: asText(pageOf(companies, isSorted), 'id'),
    },
    'companies-list-tells-organizations-as-texts': asText(companies, 'org_id'),
    'companies-under-fields-tell-ids-as-texts': {
      collateral: { 'pagination-fields-kept': 'where the identifier is among the fields, it has another value' },
      wrap: asText(pageOf(companies, hasFields), 'id'),
    },
  },
  'companies-read-record': {
    'companies-read-tells-its-id-as-text': asText(readCompany, 'id'),
    'companies-read-tells-its-organization-as-text': asText(readCompany, 'org_id'),
  },
  'companies-edit-reply': {
    'companies-edit-tells-its-id-as-text': asText(editCompany, 'id'),
    'companies-edit-tells-its-organization-as-text': {
      notFound: 'No company of an organization is edited without a change of its texts, by which it is recognised.',
      wrap: asText(editCompany, 'org_id'),
    },
  },
  // Pagination, rule 5: fields "restricts the returned fields", and does nothing else to them.
  'pagination-fields-kept': {
    'companies-under-fields-tell-organizations-as-texts': {
      notFound: 'org_id is not among the names that fields is tried with.',
      wrap: asText(pageOf(companies, hasFields), 'org_id'),
    },
    'contacts-under-fields-tell-companies-as-texts': {
      collateral: { 'contacts-list-record': 'what was given is compared with every list that shows the contact' },
      wrap: asText(pageOf(contacts, hasFields), 'company_id'),
    },
  },
  // Note, row note_id: "integer".
  'notes-edit-reply': { 'notes-edit-tells-its-id-as-text': asText(editNote, 'id') },
  'notes-list-contains': {
    'notes-list-tells-ids-as-texts': {
      collateral: { 'notes-list-record': 'the listed note has the identifier in another form' },
      wrap: asText(notes, 'id'),
    },
  },
  // Contact, row company_id: "integer".
  'contacts-create-company': { 'contacts-create-tells-its-company-as-text': asText(createContact, 'company_id') },
  'contacts-list-record': { 'contacts-list-tells-companies-as-texts': asText(contacts, 'company_id') },
  // API key, row id: "integer".
  'api-keys-create-id': { 'api-keys-create-tells-its-id-as-text': asText(createKey, 'id') },
  'api-keys-list-record': { 'api-keys-list-tells-ids-as-texts': asText(keys, 'id') },
});
