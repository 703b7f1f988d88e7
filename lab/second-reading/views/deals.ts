// How companies, contacts and notes are shown, and what all records share.
import type { Choices } from '../choices.ts';
import { writeTime } from '../clock.ts';
import { showPhones } from '../phones.ts';
import { alphabetical } from '../print.ts';
import type { Company, Contact, Note, Row, User } from '../records.ts';

function idPart(style: Choices['companyIdName'], noun: string, id: number): Row {
  if (style === 'id') return { id };
  if (style === 'noun_id') return { [`${noun}_id`]: id };
  if (style === 'both') return { id, [`${noun}_id`]: id };
  return { ref: { id, type: noun } };
}

/** The names under which a record shows its identifier. */
const idNames = (style: Choices['companyIdName'], noun: string): readonly string[] =>
  Object.keys(idPart(style, noun, 0));

function timesPart(choices: Choices, created: number, updated: number): Row {
  const form = choices.recordTimeForm;
  return { created_at: writeTime(created, form), updated_at: writeTime(updated, form) };
}

/** Puts the members of a record in the drawn order. */
export function arrange(row: Row, choices: Choices): Row {
  if (choices.recordKeyOrder === 'natural') return row;
  if (choices.recordKeyOrder === 'alphabetical') return alphabetical(row);
  return Object.fromEntries(Object.entries(row).reverse());
}

function fieldPart(given: Row, names: readonly string[], absent: 'null' | 'absent'): Row {
  const row: Row = {};
  for (const name of names) {
    const value = given[name];
    if (value !== undefined) row[name] = value;
    else if (absent === 'null') row[name] = null;
  }
  return row;
}

export const COMPANY_FIELDS = {
  name: 'text',
  company_type: 'text',
  website: 'url',
  address: 'text',
  city: 'text',
  state: 'text',
  zip: 'text',
  org_id: 'integer',
  linkedin_url: 'url',
} as const;

export const CONTACT_FIELDS = {
  contact_type: 'text',
  company_id: 'integer',
  first_name: 'text',
  last_name: 'text',
  email: 'email',
  title: 'text',
  department: 'text',
  address: 'text',
  address2: 'text',
  city: 'text',
  state: 'text',
  zip: 'text',
  linkedin_url: 'url',
  photo_url: 'url',
  phones: 'phones',
  is_primary: 'boolean',
} as const;

const COMPANY_NAMES = Object.keys(COMPANY_FIELDS);
const CONTACT_NAMES = Object.keys(CONTACT_FIELDS).filter((name) => name !== 'phones' && name !== 'is_primary');
const TIMES = ['created_at', 'updated_at'];

export function companyView(company: Company, choices: Choices): Row {
  company.view ??= arrange(
    {
      ...idPart(choices.companyIdName, 'company', company.id),
      ...fieldPart(company.given, COMPANY_NAMES, choices.companyAbsent),
      ...companyExtra(company, choices),
    },
    choices,
  );
  return company.view;
}

function companyExtra(company: Company, choices: Choices): Row {
  const shapes: Record<Choices['companyExtra'], Row> = {
    times: timesPart(choices, company.created, company.updated),
    counts: { notes_count: company.notesById.size, contacts_count: company.contactCount },
    owner: { account_id: company.account.shownId, created_by: company.author.shownId },
    none: {},
  };
  return shapes[choices.companyExtra];
}

export function contactView(contact: Contact, choices: Choices): Row {
  contact.view ??= arrange(
    {
      ...idPart(choices.contactIdName, 'contact', contact.id),
      ...fieldPart(contact.given, CONTACT_NAMES, choices.contactAbsent),
      ...showPhones(contact.phones, choices),
      ...primaryPart(contact, choices),
      ...contactCompanyPart(contact, choices),
      ...contactExtra(contact, choices),
    },
    choices,
  );
  return contact.view;
}

function primaryPart(contact: Contact, choices: Choices): Row {
  if (contact.isPrimary !== null) return { is_primary: contact.isPrimary };
  if (choices.primaryDefault === 'absent') return {};
  return { is_primary: choices.primaryDefault === 'null' ? null : false };
}

function contactCompanyPart(contact: Contact, choices: Choices): Row {
  const { company } = contact;
  if (choices.contactCompany === 'absent') return {};
  if (choices.contactCompany === 'name') return { company_name: company?.given.name ?? null };
  return { company: company === null ? null : { id: company.id, name: company.given.name } };
}

function contactExtra(contact: Contact, choices: Choices): Row {
  const shapes: Record<Choices['contactExtra'], Row> = {
    times: timesPart(choices, contact.created, contact.updated),
    'full-name': { full_name: [contact.given.first_name, contact.given.last_name].filter(Boolean).join(' ') || null },
    owner: { account_id: contact.account.shownId, created_by: contact.author.shownId },
    none: {},
  };
  return shapes[choices.contactExtra];
}

export function noteView(note: Note, choices: Choices): Row {
  note.view ??= arrange(
    {
      ...idPart(choices.noteIdName, 'note', note.id),
      text: note.text,
      ...(choices.noteCompany === 'company_id' ? { company_id: note.company.id } : {}),
      ...noteExtra(note, choices),
    },
    choices,
  );
  return note.view;
}

function noteExtra(note: Note, choices: Choices): Row {
  const shapes: Record<Choices['noteExtra'], Row> = {
    times: timesPart(choices, note.created, note.updated),
    author: { author: { id: note.author.shownId, name: fullName(note.author) } },
    'author-name': { created_by: fullName(note.author) },
    none: {},
  };
  return shapes[choices.noteExtra];
}

export function fullName(user: User): string {
  return `${user.first} ${user.last}`;
}

/** What `fields` may name, and which of the members are the identifier. */
export interface Nameable {
  ids: readonly string[];
  all: ReadonlySet<string>;
}

export function companyNameable(choices: Choices): Nameable {
  const extras = {
    none: [],
    times: TIMES,
    counts: ['notes_count', 'contacts_count'],
    owner: ['account_id', 'created_by'],
  };
  const ids = idNames(choices.companyIdName, 'company');
  return { ids, all: new Set([...ids, ...COMPANY_NAMES, ...extras[choices.companyExtra]]) };
}

export function contactNameable(choices: Choices): Nameable {
  const extras = { none: [], times: TIMES, 'full-name': ['full_name'], owner: ['account_id', 'created_by'] };
  const company = { absent: [], object: ['company'], name: ['company_name'] }[choices.contactCompany];
  const apart = choices.phoneShape === 'listed-apart' ? ['phone_numbers'] : [];
  const ids = idNames(choices.contactIdName, 'contact');
  const names = [...ids, ...Object.keys(CONTACT_FIELDS), ...company, ...apart, ...extras[choices.contactExtra]];
  return { ids, all: new Set(names) };
}
