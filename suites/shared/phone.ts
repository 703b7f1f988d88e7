// Phones in replies; the E.164 number may be in any member of the contact.
import { at, isObject, type JsonObject, type Random, textsIn } from '../../lib/index.ts';

/** A phone as sent, and its E.164 number. */
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

/** The E.164 numbers in a phone or contact, as values or tel: links, sorted. */
export const numbersIn = (record: unknown): readonly string[] =>
  textsIn(record)
    .flatMap((text) => /^(?:tel:)?(?<number>\+[1-9]\d{1,14})(?:;.*)?$/.exec(text)?.groups?.number ?? [])
    .sort();

const kindOf = ({ type, extension }: JsonObject): string => `${type ?? 'mobile'} ${extension ?? 'no extension'}`;

/** The judged parts of each phone, sorted, and all numbers of the record. */
export const phoneParts = (record: unknown): readonly string[] => [
  ...phonesOf(record)
    .map((phone) => `${numbersIn(phone)[0] ?? 'no number'} ${kindOf(phone)}`)
    .sort(),
  ...new Set(numbersIn(record)),
];

/** The same for `phones` alone, as with `fields`. Includes numbers only if every phone shows one. */
export function phonePartsWithFields(...records: readonly unknown[]): readonly (readonly string[])[] {
  const phones = records.map(phonesOf);
  const numbered = phones.flat().every((phone) => numbersIn(phone).length > 0);
  return phones.map((some) => (numbered ? phoneParts({ phones: some }) : some.map(kindOf).sort()));
}

/** Types and extensions of a phone. */
export const kinds = [
  {},
  { extension: '12' },
  { type: 'office' },
  { type: 'fax', extension: '042' },
  { type: 'mobile' },
];

/** Gives each phone another type and extension, which must not change any number. */
export function withTypes(phones: readonly Dialled[], random: Random): readonly Dialled[] {
  const start = random.int(0, kinds.length - 1);
  return phones.map((one, place) => ({ ...one, ...kinds[(start + place) % kinds.length] }));
}

/** The phone as sent in a request. */
export const input = ({ e164: _, ...phone }: Dialled): JsonObject => phone;
