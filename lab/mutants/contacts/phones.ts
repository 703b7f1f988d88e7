// Wrong ways to read the phones of a contact.

import { mutants, type Wrap } from '../mutant.ts';
import type { Json } from '../wrappers/mutator.ts';
import { altered, instead, onStatus, rewritten, type Seen } from '../wrappers/mutator.ts';
import { createContact as create, contacts as list } from '../wrappers/operations.ts';
import { bodyOf, noting, onBody, onRecords, storesRefused, strict } from '../wrappers/records.ts';

export const phonesIn = ({ phones }: Json): readonly Json[] => (Array.isArray(phones) ? phones : []);
const rawOf = ({ raw }: Json): string => (typeof raw === 'string' ? raw : '');
const digits = (raw: string): string => raw.replace(/\D/g, '');

/** Changes how phones are shown, in replies and in lists. */
const showing = (change: (phones: readonly Json[]) => readonly Json[]): Wrap =>
  onRecords([create, list], (one) => ('phones' in one ? { ...one, phones: change(phonesIn(one)) } : one));
const showingEach = (change: (phone: Json, index: number) => Json): Wrap => showing((phones) => phones.map(change));
const shownAs = (is: (raw: string, phone: Json, index: number) => boolean, e164: (raw: string) => string): Wrap =>
  showingEach((phone, index) => (is(rawOf(phone), phone, index) ? { ...phone, e164: e164(rawOf(phone)) } : phone));
/** Changes phones before they are stored. */
const storing = (change: (phones: readonly Json[]) => readonly Json[]): Wrap =>
  onBody(create, (body) => ('phones' in body ? { ...body, phones: change(phonesIn(body)) } : body));
const storingEach = (change: (phone: Json, index: number) => Json): Wrap => storing((phones) => phones.map(change));

const asTyped = (raw: string): string => raw;
const isNational = (raw: string): boolean => !raw.startsWith('+');
const ofCountry = (country: string) => (raw: string, phone: Json) => isNational(raw) && phone.country === country;

const bad = (raw: string): boolean => !/\d/.test(raw);
const isUnparseable = (phone: Json): boolean => {
  const count = digits(rawOf(phone)).length;
  return typeof phone.raw === 'string' && (count < 2 || count > 20);
};
const known = ['mobile', 'office', 'fax', undefined];
const only = (phones: readonly Json[]): Json | undefined => (phones.length === 1 ? phones[0] : undefined);
const refusesPhones = (seen: Seen): boolean => seen.operation === create && phonesIn(bodyOf(seen)).some(isUnparseable);
const single = (seen: Seen): boolean => refusesPhones(seen) && phonesIn(bodyOf(seen)).length === 1;
const among = (seen: Seen): boolean => refusesPhones(seen) && phonesIn(bodyOf(seen)).length > 1;
/** Drops some phones instead of refusing them. */
const dropping = (drops: (phone: Json, phones: readonly Json[]) => boolean): Wrap =>
  storing((phones) => phones.filter((phone) => !drops(phone, phones)));

const standsBefore = (phone: Json, one: string, other: string): boolean => {
  const names = Object.keys(phone);
  return names.includes(one) && names.includes(other) && names.indexOf(one) < names.indexOf(other);
};
/** Members as a parser meets them, for which each `raw` begins a phone: of one that begins with its type it keeps what follows. */
const fromRawOn = (phone: Json): Json => {
  const members = Object.entries(phone);
  return standsBefore(phone, 'type', 'raw')
    ? Object.fromEntries(members.slice(members.findIndex(([name]) => name === 'raw')))
    : phone;
};

/** Normalises a phone once its type is read: of one whose number comes later, the number stays as typed. */
const normalisingAtType: Wrap = (honest, clock) => {
  const late = new Set<string>();
  const noted = noting(create, ({ id }, seen) => {
    for (const [index, phone] of phonesIn(bodyOf(seen)).entries())
      if (standsBefore(phone, 'type', 'raw')) late.add(`${id} ${index}`);
  })(honest, clock);
  return onRecords([create, list], (one) => {
    if (!Array.isArray(one.phones)) return one;
    const shown = (phone: Json, index: number) =>
      late.has(`${one.id} ${index}`) ? { ...phone, e164: phone.raw } : phone;
    return { ...one, phones: phonesIn(one).map(shown) };
  })(noted, clock);
};

/** Stores an unusual number as it was typed. */
const keepingOdd = (is: (raw: string) => boolean): Wrap =>
  instead(create, async (seen, honest) => {
    const [phone] = phonesIn(bodyOf(seen));
    if (!phone || !is(rawOf(phone))) return undefined;
    const body = { ...bodyOf(seen), phones: [{ ...phone, raw: '2125550100' }] };
    const response = await honest(await altered(seen, { body }));
    const json = (await response.json()) as { data: Json };
    const phones = phonesIn(json.data).map((one) => ({ ...one, raw: phone.raw, e164: phone.raw }));
    return rewritten(response, { ...json, data: { ...json.data, phones } });
  });

/** What a form does to American numbers it does to those of other countries, too. */
const ofOtherCountries = { 'contacts-phone-country': 'numbers of other countries are written in that form as well' };

export default mutants({
  'contacts-phone-national': {
    'contacts-phone-with-dots-stays-as-typed': {
      collateral: ofOtherCountries,
      wrap: shownAs((raw) => isNational(raw) && raw.includes('.'), asTyped),
    },
    'contacts-phone-of-bare-digits-stays-as-typed': {
      collateral: ofOtherCountries,
      wrap: shownAs((raw) => /^\d+$/.test(raw), asTyped),
    },
    'contacts-phone-with-leading-1-gets-another': {
      collateral: ofOtherCountries,
      wrap: shownAs(
        (raw) => raw.startsWith('1-'),
        (raw) => `+1${digits(raw)}`,
      ),
    },
  },
  'contacts-phone-international': {
    'contacts-phone-country-beats-prefix': shownAs(
      (raw, { country }) => raw.startsWith('+44') && country === 'US' && raw.includes('0958'),
      (raw) => `+1${digits(raw)}`,
    ),
    'contacts-phone-with-its-type-first-stays-as-typed': {
      collateral: {
        'contacts-phone-country': 'numbers of other countries stay as typed as well',
        'contacts-phone-national': 'so do those without a prefix',
        'contacts-phone-several': 'any of several phones may begin with its type',
      },
      wrap: normalisingAtType,
    },
    'contacts-phone-refuses-prefix-of-another-country': strict(create, (body) =>
      phonesIn(body).some((phone) => rawOf(phone).startsWith('+1') && phone.country === 'GB'),
    ),
  },
  'contacts-phone-country': {
    'contacts-phone-ignores-country': storingEach(({ country: _, ...phone }) => phone),
    'contacts-phone-takes-country-of-first': storing((phones) =>
      phones.map((phone) => (phone.country === undefined ? phone : { ...phone, country: phones[0]?.country })),
    ),
    'contacts-phone-keeps-trunk-zero': shownAs(ofCountry('DE'), (raw) => `+49${digits(raw)}`),
    'contacts-phone-drops-zero-of-italy': shownAs(ofCountry('IT'), (raw) => `+39${digits(raw).slice(1)}`),
    'contacts-phone-needs-trunk-zero': strict(create, (body) =>
      phonesIn(body).some((phone) => phone.country === 'GB' && rawOf(phone).startsWith('20')),
    ),
  },
  'contacts-phone-several': {
    'contacts-phone-second-stays-as-typed': {
      collateral: {
        'contacts-phone-country': 'the phones of every contact of a run are looked at',
        'contacts-phone-international': 'the phones of every contact of a run are looked at',
        'contacts-phone-national': 'the phones of every contact of a run are looked at',
      },
      wrap: shownAs((_, __, index) => index > 0, asTyped),
    },
    'contacts-phone-only-first-is-kept': showing((phones) => phones.slice(0, 1)),
    'contacts-phone-fourth-is-lost': storing((phones) => phones.slice(0, 3)),
  },
  'contacts-phone-type-kept': {
    'contacts-phone-begins-with-its-number': {
      collateral: {
        'contacts-phone-country': 'a country that stands before the number is lost, too',
        'contacts-phone-extension': 'an extension that stands before the number is lost, too',
        'contacts-phone-type-unknown': 'an unknown type that is lost is not refused',
      },
      wrap: storingEach(fromRawOn),
    },
    'contacts-phone-office-becomes-mobile': storingEach((phone) =>
      phone.type === 'office' ? { ...phone, type: 'mobile' } : phone,
    ),
    'contacts-phone-takes-type-of-first': storing((phones) =>
      phones.map((phone) => (phone.type === 'fax' ? { ...phone, type: phones[0]?.type } : phone)),
    ),
  },
  'contacts-phone-type-default': {
    'contacts-phone-default-is-office': storingEach((phone) => ({ type: 'office', ...phone })),
    'contacts-phone-takes-type-of-the-one-before': storing((phones) =>
      phones.map((phone, index) => ({ type: phones[index - 1]?.type, ...phone })),
    ),
  },
  'contacts-phone-extension': {
    'contacts-phone-extension-is-lost': storingEach(({ extension: _, ...phone }) => phone),
    'contacts-phone-extension-is-read-as-number': storingEach((phone) =>
      typeof phone.extension === 'string' ? { ...phone, extension: String(Number(phone.extension)) } : phone,
    ),
    'contacts-phone-extension-of-others-is-lost': storingEach(({ extension, ...phone }, index) =>
      index === 0 && extension !== undefined ? { ...phone, extension } : phone,
    ),
  },
  'contacts-phone-type-unknown': {
    'contacts-phone-type-unknown-is-mobile': storingEach((phone) =>
      known.includes(phone.type as string) ? phone : { ...phone, type: 'mobile' },
    ),
    'contacts-phone-type-of-second-is-not-checked': storingEach((phone, index) =>
      index === 0 || known.includes(phone.type as string) ? phone : { ...phone, type: 'mobile' },
    ),
  },
  'contacts-phone-raw-missing': {
    'contacts-phone-without-raw-is-dropped': dropping((phone) => !('raw' in phone)),
    'contacts-phone-without-raw-is-dropped-as-second': dropping(
      (phone, phones) => !('raw' in phone) && phones.length > 1,
    ),
    'contacts-phone-null-is-dropped': dropping((phone) => phone.raw === null),
  },
  'contacts-phone-unparseable': {
    'contacts-phone-unparseable-answers-400': onStatus(single, 422, 400),
    'contacts-phone-without-digit-is-dropped': dropping(
      (phone, phones) => bad(rawOf(phone)) && only(phones) === phone && 'raw' in phone && phone.raw !== null,
    ),
    'contacts-phone-of-one-digit-is-kept': keepingOdd((raw) => raw === '5'),
    'contacts-phone-of-25-digits-is-cut': storingEach((phone) =>
      digits(rawOf(phone)).length === 25 ? { ...phone, raw: rawOf(phone).slice(0, 10) } : phone,
    ),
  },
  'contacts-phone-any-unparseable': {
    'contacts-phone-unparseable-among-good-answers-400': onStatus(among, 422, 400),
    'contacts-phone-unparseable-among-good-is-dropped': dropping(
      (phone, phones) => phones.length > 1 && isUnparseable(phone),
    ),
    'contacts-phone-unparseable-at-the-end-is-dropped': dropping(
      (phone, phones) => phones.length > 1 && phone === phones.at(-1) && isUnparseable(phone),
    ),
  },
  'contacts-phone-refused-effect': {
    'contacts-phone-refused-and-stored-without': storesRefused(refusesPhones, (body) => ({
      ...body,
      phones: phonesIn(body).filter((phone) => !isUnparseable(phone)),
    })),
    'contacts-phone-refused-at-the-end-and-stored': storesRefused(
      (seen) => among(seen) && !isUnparseable(phonesIn(bodyOf(seen))[0] ?? {}),
      (body) => ({ ...body, phones: phonesIn(body).slice(0, 1) }),
    ),
  },
  'contacts-phone-odd': {
    'contacts-phone-vanity-stays-as-typed': keepingOdd((raw) => /[A-Z]/.test(raw) && /\d/.test(raw)),
    'contacts-phone-too-short-stays-as-typed': {
      collateral: {
        'contacts-phone-several': 'numbers of other countries that have nine digits stay as well',
        'contacts-list-record': 'a contact is not known by a number that is none',
      },
      wrap: keepingOdd((raw) => digits(raw).length === 9),
    },
    'contacts-phone-too-long-stays-as-typed': keepingOdd((raw) => digits(raw).length === 14),
  },
});
