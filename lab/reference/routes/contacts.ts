// Endpoints, Contacts.
import { activeAccount, type Call, type Operation, type Result } from '../operation.ts';
import { page, sortsBy } from '../paging.ts';
import { phones } from '../phones.ts';
import { refuse } from '../refusal.ts';
import type { Company, Contact, Fields } from '../store.ts';
import { checked, contactRules } from '../validation.ts';

function readBody(call: Call): { fields: Fields; phones: Contact['phones'] } {
  const { refusal } = call.service.choices;
  const fields = checked(call.body, contactRules, { required: ['contact_type', 'company_id'], refusal });
  return { fields, phones: phones(fields.phones, refusal) };
}

function companyNamed(call: Call, id: unknown): Company {
  const company = call.service.store.company(activeAccount(call), typeof id === 'number' ? id : undefined);
  if (company === undefined) throw refuse(call.service.choices.unknownContactCompany, 'company_id names no company');
  return company;
}

function create(call: Call): Result {
  const { service, now } = call;
  const account = activeAccount(call);
  const input = readBody(call);
  const company = companyNamed(call, input.fields.company_id);
  const id = service.store.admit('contact');
  if (service.choices.secondPrimary === 'demotes' && input.fields.is_primary === true) {
    for (const other of account.contacts) {
      if (other.company === company && other.fields.is_primary === true) other.fields.is_primary = false;
    }
  }
  const contact: Contact = { id, company, ...input, createdAt: now };
  account.contacts.push(contact);
  return { data: service.wire.contact(contact) };
}

const nameOf = ({ fields }: Contact) => `${fields.last_name ?? ''} ${fields.first_name ?? ''}`;

function list(call: Call): Result {
  const { wire, choices } = call.service;
  return page(call, {
    name: 'contacts',
    items: activeAccount(call).contacts,
    render: (contact) => wire.contact(contact),
    sorts: sortsBy(nameOf),
    identifier: choices.contactIdentifier,
  });
}

export const contactOperations: readonly Operation[] = [
  { method: 'GET', path: '/contacts', access: 'user', run: list },
  {
    method: 'POST',
    path: '/contacts',
    access: 'user',
    status: 201,
    body: true,
    allows: (user) => user.mayCreate,
    idempotent: ({ choices }) => choices.idempotentCreates,
    run: create,
  },
];
