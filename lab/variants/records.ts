// Unusual records: scattered identifiers, other forms of undocumented parts, stricter and more normalising servers.
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Wrap } from '../mutants/mutant.ts';
import { instead, isObject, type Json, onSuccess, refusal, type Seen } from '../mutants/wrappers/mutator.ts';
import { bodyOf, noting, onBody, onRecords } from '../mutants/wrappers/records.ts';
import { countedFrom, scattered } from './identifiers.ts';
import { idOf, numberOf } from './styled-lists.ts';
import { contacts, together, variants } from './variant.ts';

const keys = ['GET /api-keys', 'POST /api-keys'];
const noteWrites = ['POST /companies/{company_id}/notes', 'PATCH /companies/{company_id}/notes/{note_id}'];
const creations = ['POST /companies', 'POST /contacts', 'POST /api-keys', noteWrites[0] ?? ''];

const companyShowing = ['GET /companies', 'GET /companies/{company_id}', 'POST /companies'];
const noteShowing = ['GET /companies/{company_id}/notes', ...noteWrites];
const renamed =
  (name: string) =>
  ({ id, ...record }: Json): Json =>
    id === undefined ? record : { ...record, [name]: id };

/** Beside the number, and with chosen fields in its place where it is not among them. */
function textBeside({ company_id, ...record }: Json, { url }: Seen): Json {
  const fields = url.searchParams.get('fields');
  const isShown = fields === null || fields.split(',').includes('company_id');
  return { id: `cmp_${company_id}`, ...(isShown ? { company_id } : {}), ...record };
}

/** What programs in JavaScript find in every object, and trip over where it is something else. */
const awkward = {
  toString: 'no',
  valueOf: null,
  constructor: { prototype: {} },
  ['__proto__']: { id: 0 },
  length: 0,
};

const phones = (change: (phone: Json) => Json): Wrap =>
  onRecords(contacts, (contact) =>
    Array.isArray(contact.phones)
      ? {
          ...contact,
          phones: contact.phones.map((phone: Json) => change({ ...phone, e164: phone.e164 ?? phone.number })),
        }
      : contact,
  );

const formatted = (e164: unknown) => parsePhoneNumberFromString(String(e164))?.formatNational() ?? null;

/** Refuses requests for which `excess` is true, where the honest server would accept them. */
const refusing = (when: string | readonly string[], status: number, excess: (body: Json) => boolean): Wrap =>
  instead(when, (seen) =>
    isObject(seen.body) && excess(seen.body) && isAuthorised(seen)
      ? refusal(status, 'STRICT', 'This server does not accept this value')
      : undefined,
  );
/** Requests without credentials are refused for that first. */
const isAuthorised = ({ request }: Seen): boolean => request.headers.has('authorization');

/** A phone without a given type shows none. */
const untypedPhones: Wrap = (honest, clock) => {
  const untyped = new Set<string>();
  const numbers = ({ phones: given = [] }: Json): unknown[] => (Array.isArray(given) ? given : []);
  const remember: Wrap = noting('POST /contacts', (made, { body }) => {
    const sent = numbers(body as Json) as Json[];
    for (const [index, { type }] of sent.entries()) if (type === undefined) untyped.add(`${idOf(made)} ${index}`);
  });
  const shown = (contact: Json): unknown[] =>
    numbers(contact).map((phone, index) => {
      const { type, ...rest } = phone as Json;
      return untyped.has(`${idOf(contact)} ${index}`) ? rest : { ...rest, type };
    });
  const forget = onRecords(contacts, (contact) =>
    Array.isArray(contact.phones) ? { ...contact, phones: shown(contact) } : contact,
  );
  return forget(remember(honest, clock), clock);
};

/** A company that is read shows the number of its first contact. */
const companiesWithContact: Wrap = (honest, clock) => {
  const first = new Map<unknown, number>();
  const noted = noting('POST /contacts', (made) => {
    if (!first.has(made.company_id)) first.set(made.company_id, numberOf(made));
  })(honest, clock);
  return onRecords(['GET /companies', 'GET /companies/{company_id}'], (company, { url }) => {
    const id = first.get(company.id);
    return id === undefined || url.searchParams.has('fields') ? company : { ...company, primary_contact: { id } };
  })(noted, clock);
};

const companyFields = ['website', 'address', 'city', 'state', 'zip', 'org_id', 'linkedin_url'] as const;
const contactFields = [
  ...['contact_type', 'company_id', 'first_name', 'last_name', 'email', 'title', 'department', 'address', 'address2'],
  ...['city', 'state', 'zip', 'linkedin_url', 'photo_url', 'phones', 'is_primary'],
];
const known: Readonly<Record<string, readonly string[]>> = {
  'POST /companies': ['name', 'company_type', ...companyFields],
  'PATCH /companies/{company_id}': ['name', 'company_type', ...companyFields],
  'POST /contacts': contactFields,
  'POST /api-keys': ['label'],
  'PATCH /me/active-account': ['slug'],
  ...Object.fromEntries(noteWrites.map((operation) => [operation, ['text']])),
};

const strictBodies: Wrap = instead(Object.keys(known), (seen) => {
  const names = known[seen.operation] ?? [];
  const unknown = Object.keys(bodyOf(seen)).some((name) => !names.includes(name));
  return unknown && isAuthorised(seen) ? refusal(422, 'UNKNOWN_MEMBER', 'The body has an unknown member') : undefined;
});

/** Blank texts stay as they are, so that they are refused as blank. */
const trimmed = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().normalize('NFC') : value;
const normalised = (body: Json): Json =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name === 'email' && typeof value === 'string' ? value.trim().toLowerCase() : trimmed(value),
    ]),
  );

/** The type stays what it was when the company was created. */
const fixedTypes: Wrap = (honest, clock) => {
  const typeAtCreation = new Map<string, unknown>();
  const remember = noting('POST /companies', ({ id, company_type }) => typeAtCreation.set(String(id), company_type));
  const keep = onBody('PATCH /companies/{company_id}', (body, { url }) => {
    const type = typeAtCreation.get(url.pathname.split('/').at(-1) ?? '');
    return body.company_type === undefined || type === undefined ? body : { ...body, company_type: type };
  });
  return keep(remember(honest, clock), clock);
};

export default variants({
  'records-scattered-identifiers': {
    why: 'Identifiers are integers; neither order nor size is stated.',
    wrap: scattered,
  },
  'records-identifiers-beyond-31-bits': {
    why: 'Identifiers are integers; neither order nor size is stated.',
    wrap: countedFrom(2n ** 40n),
  },
  'records-identifiers-beyond-53-bits': {
    why: 'Identifiers are integers, and those of many databases are longer than a double can hold.',
    wrap: countedFrom(2n ** 60n),
  },
  'records-contacts-in-text-and-number-beyond-53-bits': {
    why: 'The type of a contact’s identifier is open, and a company may show its contact by the number in that text.',
    reference: { choices: { contactIdentifierType: 'text' } },
    wrap: together([companiesWithContact, countedFrom(2n ** 60n)]),
  },
  'records-scattered-text-contacts': {
    why: 'The type of a contact’s identifier is open.',
    reference: {
      choices: { contactIdentifierType: 'text', contactIdentifier: 'contact_id', noteIdentifier: 'note_id' },
    },
    wrap: scattered,
  },
  'records-otherwise-numbered': {
    why: 'What an identifier is called in a record is open.',
    wrap: (honest, clock) =>
      onRecords(companyShowing, renamed('uid'))(onRecords(noteShowing, renamed('number'))(honest, clock), clock),
  },
  'records-numbered-twice': {
    why: 'Path parameters are company_id and note_id; a record may have another number as its id.',
    reference: { choices: { companyIdentifier: 'company_id', noteIdentifier: 'note_id' } },
    wrap: onRecords([...companyShowing, ...noteShowing], (record, { url }) =>
      url.searchParams.has('fields')
        ? record
        : {
            ...record,
            id: 1_000_000 - Number(record.note_id ?? record.company_id),
          },
    ),
  },
  'records-contacts-without-identifier': {
    why: 'The document shows no identifier of a contact, and no operation asks for one.',
    wrap: onRecords(contacts, ({ id, contact_id, ...contact }) => contact),
  },
  'records-awkward-members': {
    why: 'Records may have more members than the documented ones, under any names.',
    wrap: onRecords([...contacts, ...keys, ...companyShowing, ...noteShowing], (record, { url }) =>
      url.searchParams.has('fields') ? record : { ...record, ...awkward },
    ),
  },
  'records-phones-nested': {
    why: 'Where a phone shows its E.164 form is open.',
    wrap: phones(({ e164, type, extension }) => ({ type, extension, number: { formats: [formatted(e164), e164] } })),
  },
  'records-phones-as-links': {
    why: 'Where a phone shows its E.164 form is open: it may be a link that dials it.',
    wrap: phones(({ e164, type, extension }) => ({
      type,
      extension,
      uri: `tel:${e164}${extension ? `;ext=${extension}` : ''}`,
    })),
  },
  'records-empty-where-nothing-was-given': {
    why: 'What a server shows of fields that were not given is open.',
    wrap: onRecords(companyShowing, (company) =>
      Object.fromEntries(
        Object.entries(company).map(([name, value]) => [name, name === 'org_id' ? value : (value ?? '')]),
      ),
    ),
  },
  'records-phones-in-raw': {
    why: 'A phone need not keep what was typed.',
    wrap: phones(({ e164, type, extension }) => ({
      raw: e164,
      kind: 'phone',
      type,
      extension,
      national: formatted(e164),
    })),
  },
  'records-phones-without-default-type': {
    why: 'A phone without a given type is shown as mobile or without a type.',
    wrap: untypedPhones,
  },
  'records-key-prefix-short': {
    why: 'How many leading characters of a key are shown is open.',
    wrap: onRecords(keys, (key) => ({ ...key, key_prefix: 'svc_sk_' })),
  },
  'records-key-used-since-creation': {
    why: 'last_used_at of a key that was never used may be the time of its creation.',
    wrap: onRecords(keys, (key) => ({ ...key, last_used_at: key.last_used_at ?? key.created_at })),
  },
  'records-notes-bare': {
    why: 'A note has an identifier and a text; no other member is documented.',
    wrap: onRecords(['GET /companies/{company_id}/notes', ...noteWrites], ({ id, note_id, text }) => ({
      text,
      note_id: note_id ?? id,
    })),
  },
  'records-company-edit-replaces': {
    why: 'The reply to a company edit is not documented: it may be the full record.',
    wrap: onBody('PATCH /companies/{company_id}', (body) => ({
      ...Object.fromEntries(companyFields.map((name) => [name, null])),
      ...body,
    })),
  },
  'records-fixed-types': {
    why: 'The body of a company edit is not documented: the type may be no part of it.',
    wrap: fixedTypes,
  },
  'records-strict-bodies': { why: 'Unknown members of a body may be refused.', wrap: strictBodies },
  'records-normalised': {
    why: 'Values in their normal form come back unchanged; others may be normalised.',
    wrap: onBody(
      creations.filter((one) => one !== 'POST /api-keys'),
      normalised,
    ),
  },
  'records-notes-of-1000-characters': {
    why: 'Notes longer than 1,000 characters may be refused.',
    wrap: refusing(noteWrites, 422, ({ text }) => typeof text === 'string' && [...text].length > 1_000),
  },
  'records-no-org-id': {
    why: 'org_id names a real record, and may be refused.',
    wrap: refusing(
      ['POST /companies', 'PATCH /companies/{company_id}'],
      404,
      ({ org_id }) => org_id !== undefined && org_id !== null,
    ),
  },
  'records-identified-by-a-text-beside-the-number': {
    why: 'A record may have an identifier more, and with chosen fields may keep either.',
    reference: { choices: { companyIdentifier: 'company_id' } },
    wrap: onRecords(companyShowing, textBeside),
  },
  'records-identified-in-capitals': {
    why: 'What an identifier is called in records is not shown.',
    wrap: onRecords(companyShowing, renamed('COMPANY_ID')),
  },
  'records-deletions-told-at-length': {
    why: 'The reply to a deletion may have more members.',
    wrap: onSuccess(['DELETE /api-keys/{key_id}', 'DELETE /companies/{company_id}/notes/{note_id}'], (json) => ({
      ...json,
      data: { ...(json.data as Json), object: 'deletion', at: json.timestamp },
    })),
  },
});
