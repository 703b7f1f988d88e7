// New companies and contacts of every shape: with few members or many, texts that are remarkable, phones of every form.
import { type Call, covering, type JsonObject, type OperationId, type Random, type Tools } from '../../lib/index.ts';
import { texts as companyTexts, fullRecord } from '../companies/record.ts';
import { allDialled } from '../contacts/numbers.ts';
import { dressed, input } from '../contacts/phones.ts';
import { texts as contactTexts, free, plainTexts, withNull } from '../contacts/record.ts';
import { hostileTexts, wholeText } from './hostile.ts';
import { perhapsAsItIs, perhapsKeyed } from './surroundings.ts';

type Kit = Pick<Tools, 'make' | 'random'>;
type Creation = readonly [operation: OperationId, call: Call];

/** None of them, one, all, or a half that others have apart. */
function someOf<T>(all: readonly T[], random: Random): readonly T[] {
  const one = random.shuffled(all).slice(0, 1);
  return random.pick([[], one, one, all, ...covering(all, random)]);
}

const remarkableText = (random: Random): string =>
  random.int(1, 2) === 1 ? wholeText(random) : (hostileTexts(random, 1)[0] ?? '0');

/** Free texts are such as software tends to change; the others have a form of their own. */
const textsFor = (names: readonly string[], usual: JsonObject, loose: readonly string[], random: Random): JsonObject =>
  Object.fromEntries(names.map((name) => [name, loose.includes(name) ? remarkableText(random) : usual[name]]));

export function newCompany({ make, random }: Kit): Creation {
  const mark = make.name('company');
  const texts = textsFor(someOf(companyTexts, random), fullRecord(mark, 'second'), ['address', 'city'], random);
  const body = { name: mark, company_type: random.pick(['lender', 'sponsor']), ...texts };
  return ['POST /companies', { body, ...perhapsKeyed(random), ...perhapsAsItIs(random) }];
}

const phonesMax = 3;

/** `count`: of its phones; any number where it is not given. */
export function newContact({ make, random }: Kit, company_id: number | string, count?: number): Creation {
  const mark = make.name('contact');
  const optional = contactTexts.filter((name) => name !== 'last_name');
  const texts = textsFor(someOf(optional, random), plainTexts(mark), free, random);
  // What is the same number in another form may be kept once.
  const different = new Map(random.shuffled(allDialled).map((one) => [one.e164, one]));
  const dialled = [...different.values()].slice(0, count ?? random.int(0, phonesMax));
  const hasNone = count === undefined ? random.int(1, 3) === 1 : count === 0;
  const phones = hasNone ? {} : { phones: dressed(dialled, random).map(input) };
  const primary = random.int(1, 3) === 1 ? { is_primary: false } : {};
  const contact_type = random.pick(['lender_contact', 'sponsor']);
  const named = random.int(1, 2) === 1 ? { last_name: mark, ...texts } : withNull(mark, texts, random);
  const body = { contact_type, company_id, ...named, ...phones, ...primary };
  return ['POST /contacts', { body, ...perhapsKeyed(random), ...perhapsAsItIs(random) }];
}
