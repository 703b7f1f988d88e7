// New companies and contacts of every shape: with few members or many, texts that are remarkable, phones of every form.
import {
  type Call,
  companyTexts,
  contactTexts,
  covering,
  type JsonObject,
  type OperationId,
  type Random,
  type Tools,
} from '../../lib/index.ts';
import { fullRecord } from '../shared/company-record.ts';
import { plainTexts, withNull } from '../shared/contact-record.ts';
import { perhapsAsItIs, perhapsKeyed } from '../shared/optional-headers.ts';
import { dressed, input } from '../shared/phone.ts';
import { allDialled } from '../shared/phone-numbers.ts';
import { anyText, foreignTexts, freeTexts, trickyTexts, wholeText } from '../shared/tricky-texts.ts';

type Kit = Pick<Tools, 'make' | 'random'>;
type Creation = readonly [operation: OperationId, call: Call];

/** None of them, one, all, or a half that others have apart. */
function someOf<T>(all: readonly T[], random: Random): readonly T[] {
  const one = random.shuffled(all).slice(0, 1);
  return random.pick([[], one, one, all, ...covering(all, random)]);
}

function remarkableText(random: Random): string {
  const lot = random.int(1, 4);
  if (lot <= 2) return wholeText(random);
  const [text = '0'] = lot === 3 ? trickyTexts(random, 1) : foreignTexts(random, 1);
  return text;
}

/** Free texts are such as software tends to change; the others have a form of their own. */
const textsFor = (
  names: readonly string[],
  usual: JsonObject,
  loose: readonly string[],
  text: () => string | null,
): JsonObject => Object.fromEntries(names.map((name) => [name, loose.includes(name) ? text() : usual[name]]));

/** `more`: members that are known to be taken. */
export function newCompany({ make, random }: Kit, more: JsonObject = {}): Creation {
  const mark = make.name('company');
  const text = () => remarkableText(random);
  const texts = textsFor(someOf(companyTexts, random), fullRecord(mark, 'second'), freeTexts.company, text);
  const body = { name: mark, company_type: random.pick(['lender', 'sponsor']), ...texts, ...more };
  return ['POST /companies', { body, ...perhapsKeyed(random), ...perhapsAsItIs(random) }];
}

/** What may stand beside the defect of a company, which is refused for that. */
export const otherCompany = (mark: string, random: Random): JsonObject =>
  textsFor(someOf(companyTexts, random), fullRecord(mark, 'second'), freeTexts.company, () => anyText(random));

/** Two of three get what every call may have: among it texts that are empty, where such are taken. */
const seldomAsItIs = (random: Random): Pick<Call, 'exactly'> => (random.int(1, 3) === 1 ? { exactly: true } : {});

const optionalOfContact = contactTexts.filter((name) => name !== 'last_name');
const phonesMax = 3;

/** Some phones; what is the same number in another form may be kept once. */
function phonesFor(random: Random, count = random.int(0, phonesMax)): JsonObject['phones'] {
  const different = new Map(random.shuffled(allDialled).map((one) => [one.e164, one]));
  return dressed([...different.values()].slice(0, count), random).map(input);
}

/** The same of a contact. */
export const otherContact = (mark: string, random: Random): JsonObject => ({
  ...textsFor(someOf(optionalOfContact, random), plainTexts(mark), freeTexts.contact, () => anyText(random)),
  ...random.pick([{}, {}, { phones: [] }, { phones: phonesFor(random, random.int(1, phonesMax)) }]),
});

/** Some have one name only, and some a last name that software takes for none. */
const namesOf = (mark: string, texts: JsonObject, random: Random): JsonObject => {
  const { first_name: _, ...others } = texts;
  const lot = random.int(1, 6);
  if (lot <= 3) return { last_name: mark, ...texts };
  return lot === 4 ? { first_name: mark, ...others } : withNull(mark, texts, random);
};

/** `count`: of its phones; any number where it is not given. */
export function newContact({ make, random }: Kit, company_id: number | string, count?: number): Creation {
  const mark = make.name('contact');
  const contact_type = random.pick(['lender_contact', 'sponsor']);
  // With nothing beside its name.
  if (count === undefined && random.int(1, 6) === 1) {
    const body = { contact_type, company_id, last_name: mark };
    return ['POST /contacts', { body, ...perhapsKeyed(random), exactly: true }];
  }
  const texts = textsFor(someOf(optionalOfContact, random), plainTexts(mark), freeTexts.contact, () =>
    remarkableText(random),
  );
  const hasNone = count === undefined ? random.int(1, 3) === 1 : count === 0;
  const phones = hasNone ? {} : { phones: phonesFor(random, count) };
  const primary = random.int(1, 3) === 1 ? { is_primary: false } : {};
  const body = { contact_type, company_id, ...namesOf(mark, texts, random), ...phones, ...primary };
  return ['POST /contacts', { body, ...perhapsKeyed(random), ...seldomAsItIs(random) }];
}
