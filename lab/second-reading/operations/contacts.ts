// Operations on contacts.
import { type FieldRules, isMissing, readGiven, readObject, refuseMissing, refuseUnknownMembers } from '../checks.ts';
import { LIST_QUERY, listPage } from '../paging.ts';
import { readPhones } from '../phones.ts';
import type { Company, Contact, Row } from '../records.ts';
import { type Outcome, refuse } from '../refusal.ts';
import { recordValue } from '../sorting.ts';
import { type ContactInput, contactCollections, dueAt, isVisible, makeContact, placeIn } from '../store.ts';
import { CONTACT_FIELDS, contactNameable, contactView } from '../views/deals.ts';
import { able, accountOf, callerOf, type Operation, operation, type Visit } from '../visit.ts';
import { location } from './companies.ts';

const listContacts = operation('GET /contacts', {
  query: LIST_QUERY,
  act: (visit) => {
    const { choices, world } = visit;
    const account = accountOf(visit);
    return listPage<Contact>(visit, {
      name: `contacts:${account.slug}`,
      source: choices.sharing === 'platform' ? world.allContacts : account.contacts,
      view: (contact) => contactView(contact, choices),
      nameable: contactNameable(choices),
      sortable: {
        few: ['last_name', 'email'],
        many: ['last_name', 'first_name', 'email', 'title', 'company_id', 'id', 'created_at', 'updated_at'],
        value: recordValue,
      },
    });
  },
});

const createContact = operation('POST /contacts', {
  idempotency: (choices) => choices.idemContacts,
  permit: able('createContacts', 'create contacts'),
  read: readNewContact,
  act: (visit, _, contact) => create(visit, contact),
});

export const contactOperations: readonly Operation[] = [listContacts, createContact];

function create(visit: Visit, input: ContactInput): Outcome {
  const { world, choices, now } = visit;
  const account = accountOf(visit);
  const contact = makeContact(world, account, callerOf(visit).user, input, now);
  contact.due = dueAt(world, now, 'others');
  for (const collection of contactCollections(world, account)) collection.add(contact, now);
  const view = (): Row => contactView(contact, choices);
  return { status: 201, data: view(), headers: location(visit, `contacts/${contact.id}`), again: view };
}

function readNewContact(visit: Visit): ContactInput {
  const { choices } = visit;
  const body = readObject(visit);
  if (isMissing(body, 'contact_type')) refuseMissing('422', 'contact_type');
  if (isMissing(body, 'company_id')) refuseMissing(choices.contactCompanyMissing, 'company_id');
  refuseUnknownMembers(visit, body, CONTACT_FIELDS);
  const given = readGiven(visit, body, CONTACT_FIELDS, rulesOf(visit));
  checkType(visit, given.contact_type);
  const phones = Array.isArray(given.phones) ? readPhones(visit, given.phones) : null;
  const isPrimary = typeof given.is_primary === 'boolean' ? given.is_primary : null;
  return { given, phones, isPrimary, company: companyFor(visit, Number(given.company_id)) };
}

function checkType(visit: Visit, type: unknown): void {
  if (type === 'lender_contact' || type === 'sponsor') return;
  const message = 'contact_type must be lender_contact or sponsor.';
  refuse(visit.choices.contactTypeInvalid, 'invalid_field', message, 'contact_type');
}

function companyFor(visit: Visit, id: number): Company | null {
  const { world, choices } = visit;
  const company = world.companies.get(placeIn(world, 'company', accountOf(visit), id));
  if (company === undefined || !isVisible(world, accountOf(visit), company.account)) {
    if (choices.contactCompanyUnknown === 'accepted') return null;
    return refuse(choices.contactCompanyUnknown, 'company_not_found', 'There is no such company.', 'company_id');
  }
  if (choices.contactSharedCompany === '403' && company.account !== visit.account) {
    refuse(403, 'not_allowed', 'This company is shared with you for reading.', 'company_id');
  }
  return company;
}

function rulesOf(visit: Visit): FieldRules {
  const { contactWrongType, contactUrls, contactEmail } = visit.choices;
  return { wrongType: contactWrongType, urls: contactUrls, emails: contactEmail };
}
