// Generators of companies and contacts with few members or many, tricky texts and all forms of phones.
import {
  type Call,
  type Company,
  companyTexts,
  contactTexts,
  covering,
  isObject,
  type JsonObject,
  type Random,
  type Tools,
  usualText,
} from '../../lib/index.ts';
import { perhapsAsItIs, perhapsKeyed } from '../shared/optional-headers.ts';
import { input, withTypes } from '../shared/phone.ts';
import { allDialled } from '../shared/phone-numbers.ts';
import { fullRecord, plainTexts, withNull } from '../shared/sent-records.ts';
import { anyText, foreignTexts, freeTexts, mistakenText, trickyTexts, wholeText } from '../shared/tricky-texts.ts';

/** A company and the body it was created with. */
export interface SentCompany {
  readonly id: number | string;
  readonly sent: JsonObject;
}

/** The company with every member of its creation: an edit with fewer may remove the others. */
export function withSentBody({ id, sent, reply }: Company): SentCompany {
  const body: unknown = JSON.parse(reply.request.body ?? '{}');
  return { id, sent: isObject(body) ? body : sent };
}

/** A company to write to; a shared one is edited only with the values of its creation. */
export interface Destination extends Pick<Tools, 'make' | 'random'> {
  readonly company: SentCompany;
  readonly isShared?: true;
  /** How many companies and contacts may still be created. */
  readonly budget: { records: number };
}

/** A note text: one that software mistakes for another value, one of several lines, a long one, or a usual one. */
export function randomNoteText(random: Random): string {
  const usual = `note ${usualText(random)}`;
  const draw = random.int(1, 9);
  if (draw <= 3) return mistakenText(random);
  if (draw === 4) return `note\n\tof several\r\nlines: ${usualText(random, 4)}`;
  return draw === 5 ? `${usual} / ${usual}` : usual;
}

function randomFieldText(random: Random): string {
  const draw = random.int(1, 4);
  if (draw <= 2) return wholeText(random);
  return (draw === 3 ? trickyTexts(random, 1) : foreignTexts(random, 1))[0] ?? '0';
}

const optionalOfContact = contactTexts.filter((name) => name !== 'last_name');

/** No, one, all or half of the optional texts; only free texts are tricky, because others have a form of their own. */
function textsOf(kind: 'company' | 'contact', mark: string, random: Random, text: () => string | null): JsonObject {
  const all = kind === 'company' ? companyTexts : optionalOfContact;
  const usual = kind === 'company' ? fullRecord(mark, 'second') : plainTexts(mark);
  const free: readonly string[] = freeTexts[kind];
  const one = random.shuffled(all).slice(0, 1);
  const some: readonly string[] = random.pick([[], one, one, all, ...covering(all, random)]);
  return Object.fromEntries(some.map((name) => [name, free.includes(name) ? text() : usual[name]]));
}

type Kit = Pick<Tools, 'make' | 'random'>;

/** `more`: members that the target is known to accept. */
export function newCompany({ make, random }: Kit, more: JsonObject = {}): Call {
  const name = make.name('company');
  const texts = textsOf('company', name, random, () => randomFieldText(random));
  const body = { name, company_type: random.pick(['lender', 'sponsor']), ...texts, ...more };
  return { body, ...perhapsKeyed(random), ...perhapsAsItIs(random) };
}

/** Optional members of a company that is refused for another member. */
export const otherCompany = (mark: string, random: Random): JsonObject =>
  textsOf('company', mark, random, () => anyText(random));

const phonesMax = 3;

/** No number twice: a target may store two forms of one number once. */
function phonesFor(random: Random, count: number): JsonObject['phones'] {
  const different = new Map(random.shuffled(allDialled).map((one) => [one.e164, one]));
  return withTypes([...different.values()].slice(0, count), random).map(input);
}

/** Optional members of a contact that is refused for another member. */
export const otherContact = (mark: string, random: Random): JsonObject => ({
  ...textsOf('contact', mark, random, () => anyText(random)),
  ...random.pick([{}, {}, { phones: [] }, { phones: phonesFor(random, random.int(1, phonesMax)) }]),
});

/** Some have only one name, and some a last name such as "Null" that software mistakes for a missing value. */
function namesOf(mark: string, texts: JsonObject, random: Random): JsonObject {
  const { first_name: _, ...others } = texts;
  const draw = random.int(1, 6);
  if (draw <= 3) return { last_name: mark, ...texts };
  return draw === 4 ? { first_name: mark, ...others } : withNull(mark, texts, random);
}

/** `count`: number of phones; random if undefined. */
export function newContact({ make, random }: Kit, company_id: number | string, count?: number): Call {
  const mark = make.name('contact');
  const needed = { contact_type: random.pick(['lender_contact', 'sponsor']), company_id };
  // No optional member but its name.
  if (count === undefined && random.int(1, 6) === 1)
    return { body: { ...needed, last_name: mark }, ...perhapsKeyed(random), exactly: true };
  const texts = textsOf('contact', mark, random, () => randomFieldText(random));
  const hasNone = count === undefined ? random.int(1, 3) === 1 : count === 0;
  const phones = hasNone ? {} : { phones: phonesFor(random, count ?? random.int(0, phonesMax)) };
  const primary = random.int(1, 3) === 1 ? { is_primary: false } : {};
  const body = { ...needed, ...namesOf(mark, texts, random), ...phones, ...primary };
  // Two of three may get what any call may have, such as empty texts if the target accepts them.
  return { body, ...perhapsKeyed(random), ...(random.int(1, 3) === 1 ? { exactly: true } : {}) };
}
