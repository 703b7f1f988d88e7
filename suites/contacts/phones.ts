// The phones of a contact: brought to E.164, with their kinds. Numbers from ranges kept for drama, or of public switchboards.
import {
  type Context,
  dataOf,
  expectEqual,
  expectSuccess,
  type JsonObject,
  NotTested,
  type Random,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { attempt } from '../shared/attempt.ts';
import type { CreatedContact } from './contact.ts';
import { type Dialled, expectNumbers, numbersIn, phonesOf, returnedPhone } from './phone.ts';

export const mixed: readonly Dialled[] = [
  { raw: '+1 (212) 555-0161', e164: '+12125550161', type: 'office', extension: '042' },
  { raw: '+44 20 7946 0961', e164: '+442079460961', type: 'fax' },
  { raw: '+49 30 23125-061', e164: '+493023125061', type: 'mobile', extension: '7' },
  { raw: '+33 1 44 55 66 61', e164: '+33144556661' },
];

export const national: readonly Dialled[] = [
  { raw: '(212) 555-0142', e164: '+12125550142' },
  { raw: '2125550141', e164: '+12125550141' },
  { raw: '212.555.0143', e164: '+12125550143' },
  { raw: '1-212-555-0144', e164: '+12125550144' },
  { raw: '212 555 0145', e164: '+12125550145' },
];

export const international: readonly Dialled[] = [
  { raw: '+44 20 7946 0958', country: 'US', e164: '+442079460958' },
  { raw: '+1 (212) 555-0146', country: 'GB', e164: '+12125550146' },
  { raw: '+45 32 12 34 57', e164: '+4532123457' },
  { raw: '+39 06 6988 1234', country: 'DE', e164: '+390669881234' },
  { raw: '+81.3.5321.1111', country: 'IT', e164: '+81353211111' },
];

/** Trunk zeros go, but for Italy's, which is part of the number. */
export const ofCountries: readonly [Dialled, ...Dialled[]] = [
  { raw: '020 7946 0959', country: 'GB', e164: '+442079460959' },
  { raw: '(030) 23125-015', country: 'DE', e164: '+493023125015' },
  { raw: '06 6988 1235', country: 'IT', e164: '+390669881235' },
  { raw: '01 234 5678', country: 'IE', e164: '+35312345678' },
  { raw: '(416) 555-0147', country: 'CA', e164: '+14165550147' },
];

const withoutTrunk: readonly Dialled[] = [
  { raw: '20 7946 0960', country: 'GB', e164: '+442079460960' },
  { raw: '30 23125016', country: 'DE', e164: '+493023125016' },
];

const furtherCountries: readonly Dialled[] = [
  { raw: '912 345 678', country: 'ES', e164: '+34912345678' },
  { raw: '03-5321-1111', country: 'JP', e164: '+81353211111' },
  { raw: '(02) 5550 1234', country: 'AU', e164: '+61255501234' },
  { raw: '020 794 5555', country: 'NL', e164: '+31207945555' },
  { raw: '044 668 18 00', country: 'CH', e164: '+41446681800' },
  { raw: '01 44 55 66 62', country: 'FR', e164: '+33144556662' },
  { raw: '(11) 3333-4444', country: 'BR', e164: '+551133334444' },
  { raw: '022 2345 6789', country: 'IN', e164: '+912223456789' },
  { raw: '6123 4567', country: 'SG', e164: '+6561234567' },
  { raw: '22 123 45 67', country: 'PL', e164: '+48221234567' },
  { raw: '32 12 34 56', country: 'DK', e164: '+4532123456' },
];

/** Without trunk zero, and some countries of the seed's. */
export const ofMoreCountries = (random: Random): readonly Dialled[] => [
  ...withoutTrunk,
  ...random.shuffled(furtherCountries).slice(0, 3),
];

/** Every one of which it is known what it must become. */
export const allDialled: readonly Dialled[] = [
  ...[...mixed, ...national, ...international],
  ...[...ofCountries, ...withoutTrunk, ...furtherCountries],
];

const kinds = [{}, { extension: '12' }, { type: 'office' }, { type: 'fax', extension: '042' }, { type: 'mobile' }];

/** Each with another kind: what stands beside one number changes neither it nor another. */
export function dressed(phones: readonly Dialled[], random: Random): readonly Dialled[] {
  const start = random.int(0, kinds.length - 1);
  return phones.map((one, place) => ({ ...one, ...kinds[(start + place) % kinds.length] }));
}

/** Those of countries, and behind the first one without, which is of the usual country whatever stands before it. */
export function amongCountries(random: Random): readonly Dialled[] {
  const [first, ...others] = ofCountries;
  return [first, ...random.shuffled(national).slice(0, 1), ...random.shuffled(others)];
}

/** As it goes over the wire. */
export const input = ({ e164: _, ...phone }: Dialled): JsonObject => phone;

/** Which members the phones have, and which of them hold the number. */
function membersOf(phones: readonly JsonObject[]): string {
  const names = [...new Set(phones.flatMap((phone) => Object.keys(phone)))].sort();
  const holding = names.filter((name) => phones.every((phone) => numbersIn({ [name]: phone[name] }).length > 0));
  return `${names.join(', ')}; the number is in: ${holding.join(', ') || 'none of them throughout'}`;
}

export const severalIds = [
  'contacts-phone-several',
  'contacts-phone-type-kept',
  'contacts-phone-type-default',
  'contacts-phone-extension',
  'contacts-phone-fields',
] as const;

/** Judges a contact with the mixed phones; resolves to whether each of several phones is kept. */
export async function judgeSeveral(
  { check, observe }: Context<(typeof severalIds)[number], never>,
  { withPhones: reply }: CreatedContact,
): Promise<boolean> {
  const complete = await attempt(
    (async () => {
      expectSuccess(reply);
      expectNumbers(reply, mixed);
    })(),
  );
  await check('contacts-phone-several', () => complete.judged());
  const back = (one: Dialled): JsonObject => {
    const phone = wasAccepted(reply) ? returnedPhone(reply, mixed, one) : undefined;
    if (phone === undefined) throw new NotTested(`the phone ${one.raw} does not come back`);
    return phone;
  };
  await check('contacts-phone-type-kept', () => {
    for (const one of mixed.filter(({ type }) => type !== undefined))
      expectEqual(back(one).type, one.type, `the type of ${one.raw}`, reply);
  });
  await check('contacts-phone-type-default', () => {
    for (const one of mixed.filter(({ type }) => type === undefined))
      expectEqual(back(one).type ?? 'mobile', 'mobile', `the type of ${one.raw}`, reply);
  });
  await check('contacts-phone-extension', () => {
    for (const one of mixed.filter(({ extension }) => extension !== undefined))
      expectEqual(back(one).extension, one.extension, `the extension of ${one.raw}`, reply);
  });
  observe('contacts-phone-fields', membersOf(phonesOf(dataOf(reply))), reply);
  return complete.held;
}

export const inlineExtension: JsonObject = { raw: '(212) 555-0171 ext. 42' };

/** What became of `ext. 42` at the end of a number. */
export function extensionIn({ first }: CreatedContact): string {
  if (!wasAccepted(first)) return answerOf(first);
  const phones = phonesOf(dataOf(first));
  if (phones.some(({ extension }) => extension === '42')) return 'it becomes the extension';
  if (numbersIn(dataOf(first)).includes('+12125550171')) return 'it is dropped';
  return phones.length === 0 ? 'the phone is dropped' : 'the number is kept as it is';
}
