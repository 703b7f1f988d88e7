// Phones as replies show them: in whatever member of the contact the E.164 number is.
import { at, isObject, type JsonObject, type Random, textsIn } from '../../lib/index.ts';

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
