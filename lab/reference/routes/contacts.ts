// Endpoints, Contacts.

import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { activeAccount, type Call, creation, type Operation, type Result } from '../operation.ts';
import { page, sortsBy } from '../paging.ts';
import { refuse } from '../refusal.ts';
import type { Company, Contact, Fields, Phone } from '../store.ts';
import { checked, contactRules, isObject, phoneRules } from '../validation.ts';

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
  { method: 'POST', path: '/contacts', access: 'user', ...creation, run: create },
];

/** The phone of one input object; refuses with 422 what cannot be parsed. */
function phone(input: unknown, refusal: number): Phone {
  if (!isObject(input)) throw refuse(refusal, 'each phone must be an object');
  const fields = checked(input, phoneRules, { required: ['raw'], refusal });
  const country = String(fields.country ?? 'US');
  if (!isSupportedCountry(country)) throw refuse(refusal, 'country must be a 2-letter ISO region');
  const raw = String(fields.raw);
  const number = parsePhoneNumberFromString(raw, { defaultCountry: country, extract: false });
  if (number === undefined || !number.isPossible()) throw refuse(422, `phone number "${raw}" cannot be parsed`);
  const extension = typeof fields.extension === 'string' ? fields.extension : number.ext;
  return { raw, e164: number.number, type: String(fields.type ?? 'mobile'), country, extension };
}

/** All phones of a contact; refuses them all if one is refused. */
function phones(input: unknown, refusal: number): Phone[] | undefined {
  return Array.isArray(input) ? input.map((one) => phone(one, refusal)) : undefined;
}
