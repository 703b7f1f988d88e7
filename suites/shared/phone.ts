// Phones as replies show them: in whatever member of the contact the E.164 number is.
import {
  at,
  dataOf,
  expectThat,
  isObject,
  type JsonObject,
  type Random,
  type Reply,
  textsIn,
} from '../../lib/index.ts';

/** A phone as it is sent, and the number that it must become. */
export interface Dialled {
  readonly raw: string;
  readonly e164: string;
  readonly country?: string;
  readonly type?: string;
  readonly extension?: string;
}

export const phonesOf = (record: unknown): readonly JsonObject[] => {
  const phones = at(record, 'phones');
  return Array.isArray(phones) ? phones.filter(isObject) : [];
};

/** The E.164 numbers in a phone, or in a whole contact, as values or in tel: links; in alphabetical order. */
export const numbersIn = (record: unknown): readonly string[] =>
  textsIn(record)
    .flatMap((text) => /^(?:tel:)?(?<number>\+[1-9]\d{1,14})(?:;.*)?$/.exec(text)?.groups?.number ?? [])
    .sort();

const kindOf = ({ type, extension }: JsonObject): string => `${type ?? 'mobile'} ${extension ?? 'no extension'}`;

/** What is judged of each phone of a record, in an order of its own; and every number, wherever it is. */
export const sketches = (record: unknown): readonly string[] => [
  ...phonesOf(record)
    .map((phone) => `${numbersIn(phone)[0] ?? 'no number'} ${kindOf(phone)}`)
    .sort(),
  ...new Set(numbersIn(record)),
];

/** The same of the phones alone, as where `fields` leave out what stands beside them; of their numbers only where all show one. */
export function chosenSketches(...records: readonly unknown[]): readonly (readonly string[])[] {
  const phones = records.map(phonesOf);
  const numbered = phones.flat().every((phone) => numbersIn(phone).length > 0);
  return phones.map((some) => (numbered ? sketches({ phones: some }) : some.map(kindOf).sort()));
}

/** Every one of the phones is there, in E.164 form. */
export function expectNumbers(reply: Reply, dialled: readonly Dialled[]): void {
  const shown = at(dataOf(reply), 'phones');
  expectThat(shown === undefined || shown === null || Array.isArray(shown), 'phones should be an array', {
    expected: 'an array',
    actual: shown,
    replies: reply,
  });
  const numbers = numbersIn(dataOf(reply));
  const missing = dialled.filter(({ e164 }) => !numbers.includes(e164));
  expectThat(missing.length === 0, 'each phone should come back in E.164 form', {
    expected: dialled.map(({ raw, country, e164 }) => `${raw}${country === undefined ? '' : ` (${country})`}: ${e164}`),
    actual: shown ?? 'no phones',
    replies: reply,
  });
}

const isLike = ({ type = 'mobile', extension }: Dialled, phone: JsonObject): boolean =>
  (phone.type ?? 'mobile') === type && (phone.extension ?? undefined) === extension;

/**
 * The phone in the reply that corresponds to one sent: by its number, by what was typed, or else by its place, unless
 * another one has all that was sent, because the order of phones is open.
 */
export function returnedPhone(reply: Reply, dialled: readonly Dialled[], one: Dialled): JsonObject | undefined {
  const phones = phonesOf(dataOf(reply));
  return (
    phones.find((phone) => numbersIn(phone).includes(one.e164)) ??
    phones.find((phone) => textsIn(phone).includes(one.raw)) ??
    phones.find((phone) => numbersIn(phone).length === 0 && isLike(one, phone)) ??
    phones[dialled.indexOf(one)]
  );
}

/** Refused for its number, or accepted with a number that can be dialled. */
export const isNormalised = (reply: Reply): boolean => numbersIn(dataOf(reply)).length > 0;

/** What may stand beside a number. */
export const kinds = [
  {},
  { extension: '12' },
  { type: 'office' },
  { type: 'fax', extension: '042' },
  { type: 'mobile' },
];

/** Each with another kind: what stands beside one number changes neither it nor another. */
export function dressed(phones: readonly Dialled[], random: Random): readonly Dialled[] {
  const start = random.int(0, kinds.length - 1);
  return phones.map((one, place) => ({ ...one, ...kinds[(start + place) % kinds.length] }));
}

/** As it goes over the wire. */
export const input = ({ e164: _, ...phone }: Dialled): JsonObject => phone;
