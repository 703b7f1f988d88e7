// Bodies of contacts, with every value in its normal form.
import type { JsonObject, Random } from '../../lib/index.ts';
import { slugOf } from './company-record.ts';
import { everyClass, foreignTexts, freeTexts, longText, nulls } from './tricky-texts.ts';

/** Every text of a contact, in ASCII with everyday punctuation; `mark` is a name of the run. */
export const plainTexts = (mark: string): JsonObject => ({
  first_name: "Mary-Ann O'Brien",
  last_name: mark,
  email: `first.last+${slugOf(mark)}@example.com`,
  title: 'Vice President, Debt & Equity',
  department: 'Capital Markets (West)',
  address: '75 State Street',
  address2: 'Suite #300',
  city: 'Boston',
  state: 'MA',
  zip: '02109',
  linkedin_url: `https://www.linkedin.com/in/${slugOf(mark)}`,
  photo_url: `https://www.example.com/photos/${slugOf(mark)}.png?size=1&v=a+b%2F`,
});

const free = freeTexts.contact;

const only = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

/** The mark and the named texts: such as software tends to change, and one of them as long as a name may be. */
export function trickyContact(
  mark: string,
  names: readonly string[],
  dealt: (count: number) => readonly string[],
  random: Random,
): JsonObject {
  const texts = dealt(free.length);
  const [long] = random.shuffled(free.filter((name) => names.includes(name)));
  const given = free.map((name, place): [string, unknown] => [name, name === long ? longText(random) : texts[place]]);
  const all = { ...plainTexts(mark), ...Object.fromEntries(given), state: 'NY', zip: '00501' };
  return { ...only(all, names), last_name: `${mark} ${everyClass}` };
}

/** With a last name such as "Null", which code mistakes for a missing value. */
export const withNull = (mark: string, { last_name: _, ...texts }: JsonObject, random: Random): JsonObject => ({
  ...texts,
  first_name: mark,
  last_name: random.pick(nulls),
});

/** Other scripts, precomposed letters, right-to-left text and an astral character; one text depends on the seed. */
export const foreignContact = (mark: string, random: Random): JsonObject => ({
  first_name: 'Žofia Łucja Ñandú',
  last_name: `${mark} 山田太郎`,
  title: 'Директор по кредитам',
  department: foreignTexts(random, 1)[0],
  address: 'Königstraße 7',
  address2: 'Ελλάδα 🏦 2',
});
