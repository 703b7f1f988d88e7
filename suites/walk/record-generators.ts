// Companies as they were sent, and new records of every shape: with few members or many, texts that are remarkable, phones of every form.
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
import { fullRecord } from '../shared/company-record.ts';
import { plainTexts, withNull } from '../shared/contact-record.ts';
import { perhapsAsItIs, perhapsKeyed } from '../shared/optional-headers.ts';
import { dressed, input } from '../shared/phone.ts';
import { allDialled } from '../shared/phone-numbers.ts';
import { anyText, foreignTexts, freeTexts, trickyTexts, wholeText } from '../shared/tricky-texts.ts';

/** A company as it was sent. */
export interface SentCompany {
  readonly id: number | string;
  readonly sent: JsonObject;
}

/** With every member that it was made with: an edit with fewer may take the others away. */
export function wholly({ id, sent, reply }: Company): SentCompany {
  const body: unknown = JSON.parse(reply.request.body ?? '{}');
  return { id, sent: isObject(body) ? body : sent };
}

/** Where somebody writes; what other cases use is edited with nothing but what it was made with. */
export interface Site extends Pick<Tools, 'make' | 'random'> {
  readonly company: SentCompany;
  readonly isShared?: true;
  /** How many companies and contacts may still be made. */
  readonly budget: { records: number };
}

/** Of a note: taken for something else as a whole, or for what stands in it; with several lines, or longer than many a column. */
export function remarkable(random: Random): string {
  const usual = `note ${usualText(random)}`;
  const lot = random.int(1, 9);
  if (lot <= 3) return wholeText(random);
  if (lot === 4) return `note\n\tof several\r\nlines: ${usualText(random, 4)}`;
  return lot === 5 ? `${usual} / ${usual}` : usual;
}

function remarkableText(random: Random): string {
  const lot = random.int(1, 4);
  if (lot <= 2) return wholeText(random);
  return (lot === 3 ? trickyTexts(random, 1) : foreignTexts(random, 1))[0] ?? '0';
}

const optionalOfContact = contactTexts.filter((name) => name !== 'last_name');

/** None of the optional texts, one, all, or a half that others have apart; only those are remarkable that have no form of their own. */
function textsOf(kind: 'company' | 'contact', mark: string, random: Random, text: () => string | null): JsonObject {
  const all = kind === 'company' ? companyTexts : optionalOfContact;
  const usual = kind === 'company' ? fullRecord(mark, 'second') : plainTexts(mark);
  const free: readonly string[] = freeTexts[kind];
  const one = random.shuffled(all).slice(0, 1);
  const some: readonly string[] = random.pick([[], one, one, all, ...covering(all, random)]);
  return Object.fromEntries(some.map((name) => [name, free.includes(name) ? text() : usual[name]]));
}

type Kit = Pick<Tools, 'make' | 'random'>;

/** `more`: members that are known to be taken. */
export function newCompany({ make, random }: Kit, more: JsonObject = {}): Call {
  const name = make.name('company');
  const texts = textsOf('company', name, random, () => remarkableText(random));
  const body = { name, company_type: random.pick(['lender', 'sponsor']), ...texts, ...more };
  return { body, ...perhapsKeyed(random), ...perhapsAsItIs(random) };
}

/** What may stand beside the defect of a company, which is refused for that. */
export const otherCompany = (mark: string, random: Random): JsonObject =>
  textsOf('company', mark, random, () => anyText(random));

const phonesMax = 3;

/** What is the same number in another form may be kept once. */
function phonesFor(random: Random, count: number): JsonObject['phones'] {
  const different = new Map(random.shuffled(allDialled).map((one) => [one.e164, one]));
  return dressed([...different.values()].slice(0, count), random).map(input);
}

/** The same of a contact. */
export const otherContact = (mark: string, random: Random): JsonObject => ({
  ...textsOf('contact', mark, random, () => anyText(random)),
  ...random.pick([{}, {}, { phones: [] }, { phones: phonesFor(random, random.int(1, phonesMax)) }]),
});

/** Some have one name only, and some a last name that software takes for none. */
function namesOf(mark: string, texts: JsonObject, random: Random): JsonObject {
  const { first_name: _, ...others } = texts;
  const lot = random.int(1, 6);
  if (lot <= 3) return { last_name: mark, ...texts };
  return lot === 4 ? { first_name: mark, ...others } : withNull(mark, texts, random);
}

/** `count`: of its phones; any number where it is not given. */
export function newContact({ make, random }: Kit, company_id: number | string, count?: number): Call {
  const mark = make.name('contact');
  const needed = { contact_type: random.pick(['lender_contact', 'sponsor']), company_id };
  // With nothing beside its name.
  if (count === undefined && random.int(1, 6) === 1)
    return { body: { ...needed, last_name: mark }, ...perhapsKeyed(random), exactly: true };
  const texts = textsOf('contact', mark, random, () => remarkableText(random));
  const hasNone = count === undefined ? random.int(1, 3) === 1 : count === 0;
  const phones = hasNone ? {} : { phones: phonesFor(random, count ?? random.int(0, phonesMax)) };
  const primary = random.int(1, 3) === 1 ? { is_primary: false } : {};
  const body = { ...needed, ...namesOf(mark, texts, random), ...phones, ...primary };
  // Two of three get what every call may have: among it texts that are empty, where such are taken.
  return { body, ...perhapsKeyed(random), ...(random.int(1, 3) === 1 ? { exactly: true } : {}) };
}
