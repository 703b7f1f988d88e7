// Bodies of companies and contacts, with every value in its normal form.
import { companyTexts, type JsonObject, type Random, usualText } from '../../lib/index.ts';
import { everyClass, foreignTexts, freeTexts, longText, nulls, only, trickyTexts } from './tricky-texts.ts';

export const companyMembers = ['name', 'company_type', ...companyTexts] as const;
export const companyInputs = [...companyMembers, 'org_id'] as const;

/** Two versions of a record without a common value. */
const versions = {
  first: { address: '75 State Street, 3rd & 4th Floor', city: 'Boston', state: 'MA', zip: '02109' },
  second: { address: "88 Kearny Street, O'Brien Building", city: 'San Francisco', state: 'CA', zip: '94108' },
} as const;

/** A name in the form used in a URL. */
const slugOf = (mark: string): string => mark.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** A full record of a lender; `mark` is a name of the run. */
export function fullRecord(mark: string, version: keyof typeof versions): JsonObject {
  const slug = slugOf(mark);
  return {
    name: `${mark} ${everyClass}`,
    company_type: 'lender',
    website: `https://www.example.com/${slug}/${version}?q=a+b&r=%2F`,
    linkedin_url: `https://www.linkedin.com/company/${slug}-${version}`,
    ...versions[version],
  };
}

/** A full record whose free texts software tends to change. */
export function trickyRecord(mark: string, random: Random): JsonObject {
  const [inName, city = '', ...further] = trickyTexts(random, 8);
  const [foreign, other] = foreignTexts(random, 2);
  return {
    ...fullRecord(mark, 'second'),
    name: `${mark} ${inName} ${foreign}`,
    address: [usualText(random, 12), ...further.filter((text) => text.length < 60), other].join(' / '),
    city: random.int(1, 2) === 1 ? city : longText(random),
    zip: '00501',
    state: 'NY',
  };
}

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

/** The mark and the named texts: such as software tends to change, and one of them as long as a name may be. */
export function trickyContact(
  mark: string,
  names: readonly string[],
  dealt: (count: number) => readonly string[],
  random: Random,
): JsonObject {
  const texts = dealt(free.length);
  const [long] = random.shuffled(free.filter((name) => names.includes(name)));
  const companyMembers = free.map((name, place): [string, unknown] => [
    name,
    name === long ? longText(random) : texts[place],
  ]);
  const all = { ...plainTexts(mark), ...Object.fromEntries(companyMembers), state: 'NY', zip: '00501' };
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
