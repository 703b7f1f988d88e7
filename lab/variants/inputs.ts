// Unusual ways with input: what is accepted although others refuse it, refused although others accept it, or shown elsewhere.
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Wrap } from '../mutants/mutant.ts';
import { withQuery } from '../mutants/wrappers/listing.ts';
import { altered, instead, isObject, type Json, refusal, rewritten, type Seen } from '../mutants/wrappers/mutator.ts';
import { ask, bodyOf, noting, onBody, onRecords, whereBody } from '../mutants/wrappers/records.ts';
import { companies, contacts, together, variants } from './variant.ts';

const notes = [
  'GET /companies/{company_id}/notes',
  'POST /companies/{company_id}/notes',
  'PATCH /companies/{company_id}/notes/{note_id}',
];

/** Keeps contacts of companies that the account does not have: the honest server gets one that is there. */
const companyAccepted =
  (accepts: (isKnown: boolean) => boolean): Wrap =>
  (honest, clock) => {
    const known = new Set<unknown>();
    const claimed = new Map<unknown, unknown>();
    const noting = onRecords(companies, (company) => {
      known.add(company.id);
      return company;
    })(honest, clock);
    const renamed = (contact: Json): Json =>
      'company_id' in contact && claimed.has(contact.id)
        ? { ...contact, company_id: claimed.get(contact.id) }
        : contact;
    const accepting = instead('POST /contacts', async (seen, inner) => {
      const { company_id } = bodyOf(seen);
      const refused = await inner(seen.request.clone());
      const isUnknown = (await refused.clone().text()).includes('company_id names no company');
      if (!isUnknown || typeof company_id !== 'number' || company_id < 1 || !accepts(known.has(company_id)))
        return refused;
      const { data: [company] = [] } = (await ask(inner, seen, 'GET', '/api/external/v2/companies?limit=1')) as {
        data?: Json[];
      };
      if (company === undefined) return refused;
      const body = { ...bodyOf(seen), company_id: company.id };
      const made = await inner(await altered(seen, { body, headers: { 'idempotency-key': null } }));
      const json = (await made.clone().json()) as Json;
      if (!made.ok || !isObject(json.data)) return made;
      claimed.set(json.data.id, company_id);
      return rewritten(made, { ...json, data: renamed(json.data) });
    });
    return onRecords('GET /contacts', renamed)(accepting(noting, clock), clock);
  };

/** No body of a company edit is accepted; who is known, what exists and what is spent is decided by the honest server. */
const editsRefused = (status: number): Wrap =>
  instead('PATCH /companies/{company_id}', async (seen, honest) => {
    const refused = await honest(await altered(seen, { body: { name: null } }));
    return refused.status === 422 ? refusal(status, 'NOT_EDITABLE', 'Companies cannot be edited') : refused;
  });

const lower = (value: unknown, known: readonly string[]): unknown =>
  typeof value === 'string' && known.includes(value.toLowerCase()) ? value.toLowerCase() : value;
const given = (body: Json, name: string, change: (value: unknown) => unknown): Json =>
  name in body ? { ...body, [name]: change(body[name]) } : body;

const anyCase: Wrap = together([
  onBody(['POST /companies', 'PATCH /companies/{company_id}'], (body) =>
    given(body, 'company_type', (value) => lower(value, ['lender', 'sponsor'])),
  ),
  onBody('POST /contacts', (body) =>
    given(
      given(body, 'contact_type', (value) => lower(value, ['lender_contact', 'sponsor'])),
      'phones',
      (phones) => (Array.isArray(phones) ? phones.map(phoneInAnyCase) : phones),
    ),
  ),
]);

const phoneInAnyCase = (phone: unknown): unknown =>
  isObject(phone)
    ? given(
        given(phone, 'type', (value) => lower(value, ['mobile', 'office', 'fax'])),
        'country',
        (value) => (typeof value === 'string' ? value.toUpperCase() : value),
      )
    : phone;

/** No two companies of an account have one name; a creation that is repeated under its key is none of two. */
const uniqueNames: Wrap = (honest, clock) => {
  const keys = new Set<string>();
  return instead('POST /companies', async (seen, inner) => {
    const key = seen.request.headers.get('idempotency-key') ?? '';
    const isRepeat = keys.has(key);
    if (key !== '') keys.add(key);
    const list = (await ask(inner, seen, 'GET', '/api/external/v2/companies?limit=200')) as { data?: Json[] };
    const isTaken = list.data?.some(({ name }) => name === bodyOf(seen).name) === true;
    return isTaken && !isRepeat ? refusal(422, 'NAME_TAKEN', 'There is a company of this name') : undefined;
  })(honest, clock);
};

/** Longer texts are refused; who is known, what exists and what else is wrong is decided by the honest server. */
const bounded = (operations: readonly string[], longest: number, names?: readonly string[]): Wrap =>
  instead(operations, async (seen, honest) => {
    const body = bodyOf(seen);
    const isTooLong = (name: string): boolean => typeof body[name] === 'string' && [...body[name]].length > longest;
    const name = (names ?? Object.keys(body)).find(isTooLong);
    if (name === undefined) return undefined;
    const refused = await honest(await altered(seen, { body: { ...body, [name]: longest } }));
    const words = `${name} must have at most ${longest} characters`;
    return refused.status === 422 ? refusal(422, 'TEXT_TOO_LONG', words) : refused;
  });
const companyWrites = ['POST /companies', 'PATCH /companies/{company_id}'];

const hasNoPhones = ({ phones }: Json): boolean => Array.isArray(phones) && phones.length === 0;

/** Neither letters nor an extension in `raw`, and a number of its country; what has no `raw` is left to the honest server. */
const isPlainNumber = ({ raw, country }: Json): boolean => {
  if (typeof raw !== 'string') return true;
  const defaultCountry = String(country ?? 'US') as CountryCode;
  const number = parsePhoneNumberFromString(raw, { defaultCountry, extract: false });
  return number?.isValid() === true && number.ext === undefined && !/\p{L}/u.test(raw);
};
const phonesOf = ({ phones }: Json): readonly unknown[] => (Array.isArray(phones) ? phones : []);
const isOdd = (phone: unknown): phone is Json => isObject(phone) && !isPlainNumber(phone);

/** The honest server gets a number that it refuses as well. */
const plainNumbersOnly: Wrap = onBody(
  whereBody('POST /contacts', (body) => phonesOf(body).some(isOdd)),
  (body) => ({ ...body, phones: phonesOf(body).map((phone) => (isOdd(phone) ? { ...phone, raw: 'none' } : phone)) }),
);

/** The identifier under both of its names. */
const twoNames = (operations: readonly string[], name: string): Wrap =>
  onRecords(operations, ({ id, ...record }) => ({ id, [name]: id, ...record }));

/** What fields asks for is shown as it is; of a phone that is its number as it was typed. */
const dialable = (contact: Json, { url }: Seen): Json => {
  const phones = Array.isArray(contact.phones) ? (contact.phones as Json[]) : [];
  const apart = { ...contact, phones: phones.map(({ e164: _, ...phone }) => phone) };
  if (url.searchParams.has('fields')) return 'phones' in contact ? apart : contact;
  return { ...apart, dialable: phones.map(({ e164 }) => ({ number: e164 })) };
};

/** The normalised numbers are a list of their own, and come along whenever phones are shown. */
const numbersBeside = (contact: Json): Json => {
  if (!Array.isArray(contact.phones)) return contact;
  const phones = contact.phones as Json[];
  const numbers = phones.map(({ e164 }) => e164);
  return { ...contact, phones: phones.map(({ e164: _, ...phone }) => phone), phone_numbers: numbers };
};

/** Whether `fields` chooses a member, or chooses nothing. */
const isChosen = ({ url }: Seen, name: string): boolean => {
  const fields = url.searchParams.get('fields')?.trim() ?? '';
  return fields === '' || fields.split(',').some((one) => one.trim() === name);
};
const choosesNumbersOnly = (seen: Seen): boolean =>
  seen.operation === 'GET /contacts' && isChosen(seen, 'phone_numbers') && !isChosen(seen, 'phones');

/** The normalised numbers are a member of their own; where `fields` chooses the phones without it, each has its number. */
const numbersApart = ({ phones, ...contact }: Json, seen: Seen): Json => {
  if (!Array.isArray(phones)) return phones === undefined ? contact : { ...contact, phones };
  if (!isChosen(seen, 'phone_numbers')) return { ...contact, phones };
  const bare = (phones as Json[]).map(({ e164: _, ...phone }) => phone);
  const phone_numbers = (phones as Json[]).map(({ e164 }) => e164);
  return { ...contact, ...(isChosen(seen, 'phones') ? { phones: bare } : {}), phone_numbers };
};

/** Of a contact that was not given is_primary, the list computes it: true of the first at a company. */
const primaryWhereListed: Wrap = (honest, clock) => {
  /** The companies that were made, each with its first contact. */
  const first = new Map<unknown, unknown>();
  const made = noting('POST /companies', ({ id }) => first.set(id, first.get(id)))(honest, clock);
  const noted = noting('POST /contacts', ({ id, company_id }) => {
    if (first.has(company_id)) first.set(company_id, first.get(company_id) ?? id);
  })(made, clock);
  return onRecords('GET /contacts', (contact) =>
    contact.is_primary === null ? { ...contact, is_primary: [...first.values()].includes(contact.id) } : contact,
  )(noted, clock);
};

export default variants({
  'inputs-contact-of-no-company': {
    why: 'company_id is the associated company; no sentence names an error for one that does not exist.',
    wrap: companyAccepted((isKnown) => !isKnown),
  },
  'inputs-contact-of-a-foreign-company': {
    why: 'Nothing says whose company a contact may name; the contact lies in the account of its writer.',
    wrap: companyAccepted((isKnown) => isKnown),
  },
  'inputs-company-edits-forbidden': {
    why: 'The request body of a company edit is not shown, and 403 is listed without a cause.',
    wrap: editsRefused(403),
  },
  'inputs-company-edits-invalid': {
    why: 'The request body of a company edit is not shown: the one that is sent may not be the one that is meant.',
    wrap: editsRefused(422),
  },
  'inputs-phones-dialable-beside': {
    why: 'A phone is normalized to E.164 by the server; where the contact shows the result is not said.',
    wrap: onRecords(contacts, dialable),
  },
  'inputs-phones-numbers-beside-when-chosen': {
    why: 'A phone is normalized to E.164 by the server; where is not said, and fields that ask for phones may mean these as well.',
    wrap: onRecords(contacts, numbersBeside),
  },
  'inputs-phones-numbers-beside-or-within': {
    why: 'A phone is normalized to E.164 by the server; where is not said, nor that fields leaves the inside of a phone alone.',
    wrap: together([
      withQuery(choosesNumbersOnly, ({ url }) => ({ fields: `${url.searchParams.get('fields')},phones` })),
      onRecords(contacts, numbersApart),
    ]),
  },
  'inputs-enumerations-in-any-case': {
    why: 'Types are texts with named values; whether another letter case of one is refused or normalised is not said.',
    wrap: anyCase,
  },
  'inputs-company-names-are-unique': {
    why: 'No sentence says that two companies may have one name, and 422 is a validation failure.',
    wrap: uniqueNames,
  },
  'inputs-addresses-of-120-characters': {
    why: 'No length is named for an address: a server may have a bound of its own, and 422 is a validation failure.',
    wrap: bounded(companyWrites, 120, ['address']),
  },
  'inputs-contacts-of-200-and-notes-of-1000-characters': {
    why: 'No length is named for the texts of a contact, nor for a note: a server may have bounds of its own.',
    wrap: together([bounded(['POST /contacts'], 200), bounded(notes.slice(1), 1_000, ['text'])]),
  },
  'inputs-no-phones-in-an-array-refused': {
    why: 'phones is optional: an array that holds none may be taken for a mistake.',
    wrap: instead('POST /contacts', (seen) =>
      hasNoPhones(bodyOf(seen)) ? refusal(422, 'NO_PHONES', 'phones must not be empty') : undefined,
    ),
  },
  'inputs-phones-of-plain-numbers-only': {
    why: 'An unparseable number yields 422, and how much a parser puts up with is not said: it may take plainly valid numbers alone.',
    wrap: plainNumbersOnly,
  },
  'inputs-primary-contacts-computed-where-listed': {
    why: 'What a contact shows that was not given is_primary is not said: the creation null, the list what holds at the company.',
    wrap: primaryWhereListed,
  },
  'inputs-identifiers-under-two-names': {
    why: 'Fields of the records are not shown beyond the inputs: id and note_id may stand side by side.',
    wrap: together([twoNames(companies, 'company_id'), twoNames(notes, 'note_id')]),
  },
});
