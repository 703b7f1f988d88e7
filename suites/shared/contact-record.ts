// A contact as the suite sends it, every field with a value in its normal form.
import type { JsonObject, Random } from '../../lib/index.ts';
import { slugOf } from './company-record.ts';
import { everyClass, foreignTexts, freeTexts, longText, nulls } from './tricky-texts.ts';

/** Every text of a contact in plain ASCII, with the punctuation of everyday letters; `mark` is a name of the run's own. */
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

/**
 * The mark, and of the other texts those that are named: the free ones are such as software tends to change, and one of
 * them is as long as a name may be.
 */
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

/** The last name is one that people have, and that software takes for none. */
export const withNull = (mark: string, { last_name: _, ...texts }: JsonObject, random: Random): JsonObject => ({
  ...texts,
  first_name: mark,
  last_name: random.pick(nulls),
});

/** Other scripts, precomposed letters, right-to-left text and an astral character; and one text of the seed's. */
export const foreignContact = (mark: string, random: Random): JsonObject => ({
  first_name: 'Žofia Łucja Ñandú',
  last_name: `${mark} 山田太郎`,
  title: 'Директор по кредитам',
  department: foreignTexts(random, 1)[0],
  address: 'Königstraße 7',
  address2: 'Ελλάδα 🏦 2',
});
