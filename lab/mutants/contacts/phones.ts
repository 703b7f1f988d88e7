// Wrong ways to read the phones of a contact.
import { type Mutant, mutant, type Wrap } from '../mutant.ts';
import { altered, instead, onStatus, rewritten, type Seen } from '../wrappers/mutator.ts';
import { bodyOf, type Json, onBody, onRecords, storesRefused, strict } from '../wrappers/records.ts';

const create = 'POST /contacts';
const list = 'GET /contacts';

const phonesIn = ({ phones }: Json): readonly Json[] => (Array.isArray(phones) ? phones : []);
const rawOf = ({ raw }: Json): string => (typeof raw === 'string' ? raw : '');
const digits = (raw: string): string => raw.replace(/\D/g, '');

/** Shows phones otherwise, in replies and lists alike. */
const showing = (change: (phones: readonly Json[]) => readonly Json[]): Wrap =>
  onRecords([create, list], (one) => ('phones' in one ? { ...one, phones: change(phonesIn(one)) } : one));
const showingEach = (change: (phone: Json, index: number) => Json): Wrap => showing((phones) => phones.map(change));
const shownAs = (is: (raw: string, phone: Json, index: number) => boolean, e164: (raw: string) => string): Wrap =>
  showingEach((phone, index) => (is(rawOf(phone), phone, index) ? { ...phone, e164: e164(rawOf(phone)) } : phone));
/** Stores other phones than were sent. */
const storing = (change: (phones: readonly Json[]) => readonly Json[]): Wrap =>
  onBody(create, (body) => ('phones' in body ? { ...body, phones: change(phonesIn(body)) } : body));
const storingEach = (change: (phone: Json, index: number) => Json): Wrap => storing((phones) => phones.map(change));

const asTyped = (raw: string): string => raw;
const isNational = (raw: string): boolean => !raw.startsWith('+');
const ofCountry = (country: string) => (raw: string, phone: Json) => isNational(raw) && phone.country === country;

const reading: readonly Mutant[] = [
  mutant(
    'contacts-phone-with-dots-stays-as-typed',
    { breaks: ['contacts-phone-national'] },
    shownAs((raw) => isNational(raw) && raw.includes('.'), asTyped),
  ),
  mutant(
    'contacts-phone-of-bare-digits-stays-as-typed',
    { breaks: ['contacts-phone-national'] },
    shownAs((raw) => /^\d+$/.test(raw), asTyped),
  ),
  mutant(
    'contacts-phone-with-leading-1-gets-another',
    { breaks: ['contacts-phone-national'] },
    shownAs(
      (raw) => raw.startsWith('1-'),
      (raw) => `+1${digits(raw)}`,
    ),
  ),
  mutant(
    'contacts-phone-country-beats-prefix',
    { breaks: ['contacts-phone-international'] },
    shownAs(
      (raw, { country }) => raw.startsWith('+44') && country === 'US' && raw.includes('0958'),
      (raw) => `+1${digits(raw)}`,
    ),
  ),
  mutant(
    'contacts-phone-refuses-prefix-of-another-country',
    { breaks: ['contacts-phone-international'] },
    strict(create, (body) => phonesIn(body).some((phone) => rawOf(phone).startsWith('+1') && phone.country === 'GB')),
  ),
  mutant(
    'contacts-phone-ignores-country',
    { breaks: ['contacts-phone-country'] },
    storingEach(({ country: _, ...phone }) => phone),
  ),
  mutant(
    'contacts-phone-takes-country-of-first',
    { breaks: ['contacts-phone-country'] },
    storing((phones) =>
      phones.map((phone) => (phone.country === undefined ? phone : { ...phone, country: phones[0]?.country })),
    ),
  ),
  mutant(
    'contacts-phone-keeps-trunk-zero',
    { breaks: ['contacts-phone-country'] },
    shownAs(ofCountry('DE'), (raw) => `+49${digits(raw)}`),
  ),
  mutant(
    'contacts-phone-drops-zero-of-italy',
    { breaks: ['contacts-phone-country'] },
    shownAs(ofCountry('IT'), (raw) => `+39${digits(raw).slice(1)}`),
  ),
  mutant(
    'contacts-phone-needs-trunk-zero',
    { breaks: ['contacts-phone-country'] },
    strict(create, (body) => phonesIn(body).some((phone) => phone.country === 'GB' && rawOf(phone).startsWith('20'))),
  ),

  mutant(
    'contacts-phone-second-stays-as-typed',
    { breaks: ['contacts-phone-several'] },
    shownAs((_, __, index) => index > 0, asTyped),
  ),
  mutant(
    'contacts-phone-only-first-is-kept',
    { breaks: ['contacts-phone-several'] },
    showing((phones) => phones.slice(0, 1)),
  ),
  mutant(
    'contacts-phone-fourth-is-lost',
    { breaks: ['contacts-phone-several'] },
    storing((phones) => phones.slice(0, 3)),
  ),
  mutant(
    'contacts-phone-office-becomes-mobile',
    { breaks: ['contacts-phone-type-kept'] },
    storingEach((phone) => (phone.type === 'office' ? { ...phone, type: 'mobile' } : phone)),
  ),
  mutant(
    'contacts-phone-takes-type-of-first',
    { breaks: ['contacts-phone-type-kept'] },
    storing((phones) => phones.map((phone) => (phone.type === 'fax' ? { ...phone, type: phones[0]?.type } : phone))),
  ),
  mutant(
    'contacts-phone-default-is-office',
    { breaks: ['contacts-phone-type-default'] },
    storingEach((phone) => ({ type: 'office', ...phone })),
  ),
  mutant(
    'contacts-phone-extension-is-lost',
    { breaks: ['contacts-phone-extension'] },
    storingEach(({ extension: _, ...phone }) => phone),
  ),
  mutant(
    'contacts-phone-extension-is-read-as-number',
    { breaks: ['contacts-phone-extension'] },
    storingEach((phone) =>
      typeof phone.extension === 'string' ? { ...phone, extension: String(Number(phone.extension)) } : phone,
    ),
  ),
  mutant(
    'contacts-phone-extension-of-others-is-lost',
    { breaks: ['contacts-phone-extension'] },
    storingEach(({ extension, ...phone }, index) =>
      index === 0 && extension !== undefined ? { ...phone, extension } : phone,
    ),
  ),
];

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
/** Drops what cannot be read, for contacts of one phone or of several. */
const dropping = (drops: (phone: Json, phones: readonly Json[]) => boolean): Wrap =>
  storing((phones) => phones.filter((phone) => !drops(phone, phones)));

/** Stores an odd number as it was typed. */
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

const refusing: readonly Mutant[] = [
  mutant(
    'contacts-phone-type-unknown-is-mobile',
    { breaks: ['contacts-phone-type-unknown'] },
    storingEach((phone) => (known.includes(phone.type as string) ? phone : { ...phone, type: 'mobile' })),
  ),
  mutant(
    'contacts-phone-type-of-second-is-not-checked',
    { breaks: ['contacts-phone-type-unknown'] },
    storingEach((phone, index) =>
      index === 0 || known.includes(phone.type as string) ? phone : { ...phone, type: 'mobile' },
    ),
  ),
  mutant(
    'contacts-phone-without-raw-is-dropped',
    { breaks: ['contacts-phone-raw-missing'] },
    dropping((phone) => !('raw' in phone)),
  ),
  mutant(
    'contacts-phone-without-raw-is-dropped-as-second',
    { breaks: ['contacts-phone-raw-missing'] },
    dropping((phone, phones) => !('raw' in phone) && phones.length > 1),
  ),
  mutant(
    'contacts-phone-null-is-dropped',
    { breaks: ['contacts-phone-raw-missing'] },
    dropping((phone) => phone.raw === null),
  ),
  mutant(
    'contacts-phone-unparseable-answers-400',
    { breaks: ['contacts-phone-unparseable'] },
    onStatus(single, 422, 400),
  ),
  mutant(
    'contacts-phone-without-digit-is-dropped',
    { breaks: ['contacts-phone-unparseable'] },
    dropping((phone, phones) => bad(rawOf(phone)) && only(phones) === phone && 'raw' in phone && phone.raw !== null),
  ),
  mutant(
    'contacts-phone-of-one-digit-is-kept',
    { breaks: ['contacts-phone-unparseable'] },
    keepingOdd((raw) => raw === '5'),
  ),
  mutant(
    'contacts-phone-of-25-digits-is-cut',
    { breaks: ['contacts-phone-unparseable'] },
    storingEach((phone) => (digits(rawOf(phone)).length === 25 ? { ...phone, raw: rawOf(phone).slice(0, 10) } : phone)),
  ),
  mutant(
    'contacts-phone-unparseable-among-good-answers-400',
    { breaks: ['contacts-phone-any-unparseable'] },
    onStatus(among, 422, 400),
  ),
  mutant(
    'contacts-phone-unparseable-among-good-is-dropped',
    { breaks: ['contacts-phone-any-unparseable'] },
    dropping((phone, phones) => phones.length > 1 && isUnparseable(phone)),
  ),
  mutant(
    'contacts-phone-unparseable-at-the-end-is-dropped',
    { breaks: ['contacts-phone-any-unparseable'] },
    dropping((phone, phones) => phones.length > 1 && phone === phones.at(-1) && isUnparseable(phone)),
  ),
  mutant(
    'contacts-phone-refused-and-stored-without',
    { breaks: ['contacts-phone-refused-effect'] },
    storesRefused(refusesPhones, (body) => ({
      ...body,
      phones: phonesIn(body).filter((phone) => !isUnparseable(phone)),
    })),
  ),
  mutant(
    'contacts-phone-refused-at-the-end-and-stored',
    { breaks: ['contacts-phone-refused-effect'] },
    storesRefused(
      (seen) => among(seen) && !isUnparseable(phonesIn(bodyOf(seen))[0] ?? {}),
      (body) => ({ ...body, phones: phonesIn(body).slice(0, 1) }),
    ),
  ),
  mutant(
    'contacts-phone-vanity-stays-as-typed',
    { breaks: ['contacts-phone-odd'] },
    keepingOdd((raw) => /[A-Z]/.test(raw) && /\d/.test(raw)),
  ),
  mutant(
    'contacts-phone-too-short-stays-as-typed',
    { breaks: ['contacts-phone-odd'] },
    keepingOdd((raw) => digits(raw).length === 9),
  ),
  mutant(
    'contacts-phone-too-long-stays-as-typed',
    { breaks: ['contacts-phone-odd'] },
    keepingOdd((raw) => digits(raw).length === 14),
  ),
];

export default [...reading, ...refusing];
