// Defects in how records are stored and shown, which users of real software have reported.

import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { phonesIn } from '../contacts/phones.ts';
import { mutants, type Wrap } from '../mutant.ts';
import {
  altered,
  always,
  firstUnderKeys,
  instead,
  isObject,
  type Json,
  lastSegment,
  onReply,
  refusal,
  type Seen,
} from '../wrappers/mutator.ts';
import {
  contacts,
  createCompany,
  createContact,
  createNote,
  editCompany,
  editNote,
  readCompany,
} from '../wrappers/operations.ts';
import { bodyOf, noting, onBody, onRecords } from '../wrappers/records.ts';
import { reusingNumbers } from './numbers.ts';

const creations = [createCompany, createContact, createNote];

const astral = /[\u{10000}-\u{10ffff}]/gu;

/** One question mark for each byte of a character that needs four. */
function inThreeBytes(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(astral, '????');
  if (Array.isArray(value)) return value.map(inThreeBytes);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inThreeBytes(inner)]));
}

const isWriteOfTexts = ({ operation }: Seen): boolean =>
  [...creations, editNote, editCompany, 'POST /api-keys'].includes(operation);

/** An edit that changes nothing has changed no row, which is taken for a record that is not there. */
const unchangedIsMissing: Wrap = (honest, clock) => {
  const known = new Map<string, Json>();
  const isFirst = firstUnderKeys();
  const noted = noting([createNote, editNote, createCompany, editCompany], (record, seen) =>
    known.set(`${seen.operation.includes('notes') ? 'note' : 'company'} ${record.id}`, record),
  )(honest, clock);
  return instead([editNote, editCompany], async (seen, inner) => {
    const record = known.get(`${seen.operation === editNote ? 'note' : 'company'} ${lastSegment(seen)}`);
    const members = Object.entries(bodyOf(seen));
    const changesNothing = record !== undefined && members.every(([name, value]) => record[name] === value);
    if (!isFirst(seen) || !changesNothing || members.length === 0) return undefined;
    const response = await inner(seen.request.clone());
    return response.ok ? refusal(404, 'NOT_FOUND', 'No such record') : response;
  })(noted, clock);
};

const optional = ['website', 'address', 'city', 'state', 'zip', 'linkedin_url'];

const replicaMs = 300;

/** Reads by identifier go to a replica, which has a new record a moment later. */
const readingFromReplica: Wrap = (honest, clock) => {
  const made = new Map<string, number>();
  const noted = noting(createCompany, (record) => {
    const id = String(record.id);
    if (!made.has(id)) made.set(id, clock.now());
  })(honest, clock);
  return instead(readCompany, async (seen, inner) => {
    const response = await inner(seen.request.clone());
    const isNew = clock.now() - (made.get(lastSegment(seen)) ?? 0) < replicaMs;
    return response.ok && isNew ? refusal(404, 'NOT_FOUND', 'There is no such company') : response;
  })(noted, clock);
};

const hourMs = 3_600_000;
const dateTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The clock of a server one hour east of Greenwich, written as if it stood there. */
function inLocalTime(value: unknown): unknown {
  if (typeof value === 'string')
    return dateTime.test(value) ? new Date(Date.parse(value) + hourMs).toISOString() : value;
  if (Array.isArray(value)) return value.map(inLocalTime);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inLocalTime(inner)]));
}

/** A number with its prefix that is a valid American one, too, is taken for that. */
const guessingAmerica: Wrap = onRecords([createContact, contacts], (contact) => {
  if (!Array.isArray(contact.phones)) return contact;
  const phones = phonesIn(contact).map((phone) => {
    const raw = String(phone.raw);
    const american = parsePhoneNumberFromString(raw.replace(/\D/g, ''), 'US');
    return raw.startsWith('+') && american?.isValid() ? { ...phone, e164: american.number } : phone;
  });
  return { ...contact, phones };
});

const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A number with characters that nobody sees is stored with them. */
const keepingInvisible: Wrap = (honest, clock) => {
  const typed = new Map<unknown, readonly Json[]>();
  const cleaning = instead(createContact, async (seen, inner) => {
    const phones = phonesIn(bodyOf(seen));
    if (!phones.some(({ raw }) => typeof raw === 'string' && raw.search(invisible) >= 0)) return undefined;
    const clean = phones.map((one) => ({ ...one, raw: String(one.raw).replace(invisible, '') }));
    const response = await inner(await altered(seen, { body: { ...bodyOf(seen), phones: clean } }));
    if (response.ok) typed.set(((await response.clone().json()) as { data: Json }).data.id, phones);
    return response;
  })(honest, clock);
  return onRecords([createContact, contacts], (contact) => {
    const given = typed.get(contact.id);
    if (given === undefined || !Array.isArray(contact.phones)) return contact;
    const shown = phonesIn(contact).map((phone, index) => ({
      ...phone,
      raw: given[index]?.raw,
      e164: given[index]?.raw,
    }));
    return { ...contact, phones: shown };
  })(cleaning, clock);
};

const everySo = 12;

/** Now and then the connection to the server breaks behind a creation, and the proxy sends it again. */
const sentTwice: Wrap = (honest, clock) => {
  let count = 0;
  return instead(creations, async (seen, inner) => {
    if (seen.request.headers.has('idempotency-key')) return undefined;
    count += 1;
    if (count % everySo !== 0) return undefined;
    await inner(seen.request.clone());
    return inner(seen.request.clone());
  })(honest, clock);
};

const columns = ['id', 'company_id', 'author_id', 'created_at', 'updated_at'];

/** Every member of the body that is the name of a column is stored. */
const assigningColumns: Wrap = (honest, clock) => {
  const assigned = new Map<unknown, Json>();
  const noted = noting(createNote, (record, seen) => {
    const given = Object.entries(bodyOf(seen)).filter(([name]) => columns.includes(name));
    if (given.length > 0) assigned.set(record.id, Object.fromEntries(given));
  })(honest, clock);
  return onRecords([createNote, editNote, 'GET /companies/{company_id}/notes'], (note) => ({
    ...note,
    ...assigned.get(note.id),
  }))(noted, clock);
};

const readAtOnce = 'a company is read as soon as it is made';
const astralTexts = 'it is given such characters, too';

export default mutants({
  'notes-text-characters': {
    'reported-emoji-become-question-marks': {
      also: ['contacts-create-unicode'],
      collateral: {
        'api-keys-create-label': astralTexts,
        'companies-create-name': astralTexts,
        'companies-create-fields': astralTexts,
        'companies-edit-reply': astralTexts,
        'companies-edit-effect': astralTexts,
        'notes-create-text': astralTexts,
        'notes-edit-reply': astralTexts,
        'contacts-create-fields': astralTexts,
        'idempotency-create-simultaneous': 'the note that is counted there is known by such a text',
      },
      report: {
        bug: 'The database stores three bytes of a character at most, and each emoji becomes four question marks',
        url: 'https://github.com/aaronpk/webmention.io/issues/203',
        suffered: 'Texts and names were stored broken for good',
      },
      wrap: onBody(isWriteOfTexts, (body) => inThreeBytes(body) as Json),
    },
  },
  'notes-delete-effect': {
    'reported-number-of-the-deleted-is-given-again': {
      report: {
        bug: 'The database gives the identifier of the last record, once that is deleted, to the next one',
        url: 'https://github.com/nocodb/nocodb/issues/12326',
        suffered: 'References from elsewhere pointed to another record',
      },
      collateral: { 'notes-delete-lasting': 'another note comes under the number of one that is long gone' },
      wrap: reusingNumbers,
    },
  },
  'envelope-valid-served': {
    'reported-unchanged-edit-is-not-found': {
      report: {
        bug: 'The database counts no row where an edit changes nothing, which is taken for a missing record',
        url: 'https://github.com/SimpleMachines/SMF/pull/3545',
        suffered: 'An edit that changed nothing looked like one of a missing record',
      },
      collateral: { 'notes-edit-effect': 'an edit that changes nothing is refused there, too' },
      wrap: unchangedIsMissing,
    },
    'reported-replica-does-not-have-it-yet': {
      report: {
        bug: 'A record is read from a replica that has not received it yet',
        url: 'https://github.com/PayMeService/remotisan/pull/54',
        suffered: 'Not found, a moment after the creation had succeeded',
      },
      collateral: {
        'companies-read-record': readAtOnce,
        'companies-create-id': readAtOnce,
        'errors-malformed-json-effect': readAtOnce,
        'authentication-refused-effect': readAtOnce,
        'companies-name-lengths': readAtOnce,
        'companies-edit-effect': readAtOnce,
      },
      wrap: readingFromReplica,
    },
  },
  'companies-edit-partial': {
    'reported-partial-edit-resets-the-rest': {
      report: {
        bug: 'Fields that an edit leaves out are set to their defaults',
        url: 'https://github.com/zalando-stups/kio/issues/114',
        suffered: 'One changed field cost all others',
      },
      notFound:
        'The document does not show the body of PATCH /companies/{company_id}, nor what it does to other fields.',
      wrap: onBody(editCompany, (body) => ({ ...Object.fromEntries(optional.map((name) => [name, null])), ...body })),
    },
  },
  'envelope-timestamp-clock': {
    'reported-local-time-is-called-utc': {
      report: {
        bug: 'Times are those of the server, and are sent as if they were UTC',
        url: 'https://github.com/rune-org/rune/issues/417',
        suffered: 'What had just happened seemed to be hours ago',
      },
      wrap: onReply(always, (json) => inLocalTime(json)),
    },
  },
  'contacts-phone-international': {
    'reported-norwegian-number-is-american': {
      report: {
        bug: 'A number with its prefix is tried as one of the default country first',
        url: 'https://github.com/daddyz/phonelib/issues/78',
        suffered: 'Some Norwegian numbers were taken for American ones',
      },
      wrap: guessingAmerica,
    },
  },
  'contacts-phone-national': {
    'reported-phone-keeps-invisible-characters': {
      also: ['contacts-phone-international', 'contacts-phone-country'],
      report: {
        bug: 'Numbers are stored with the direction marks that telephones add when one copies them',
        url: 'https://github.com/glific/glific/issues/4815',
        suffered: 'Contacts existed twice, and messages went astray',
      },
      wrap: keepingInvisible,
    },
  },
  'contacts-create-once': {
    'reported-proxy-sends-a-creation-twice': {
      report: {
        bug: 'A creation whose connection broke is sent again, although it had succeeded',
        url: 'https://github.com/digitalocean/netbox-ip-controller/pull/14',
        suffered: 'Addresses were there twice',
      },
      collateral: { 'companies-create-once': 'the proxy sends creations of companies twice as well' },
      wrap: sentTwice,
    },
  },
  'errors-unknown-members': {
    'reported-any-column-can-be-assigned': {
      report: {
        bug: 'Every member of a body that is the name of a column is stored, whether it is meant to be input or not',
        url: 'https://github.com/jpfuentes2/php-activerecord/pull/287',
        suffered: 'Relations could be changed, and any data entered',
      },
      notFound: 'The document does not say what becomes of members of a body that it does not name.',
      wrap: assigningColumns,
    },
  },
});
