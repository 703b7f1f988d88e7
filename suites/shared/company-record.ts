// Bodies of companies, with every value in its normal form.
import { companyTexts, type JsonObject, type Random, usualText } from '../../lib/index.ts';
import { everyClass, foreignTexts, longText, trickyTexts } from './tricky-texts.ts';

export const given = ['name', 'company_type', ...companyTexts] as const;
export const inputs = [...given, 'org_id'] as const;

/** Two versions of a record without a common value. */
const versions = {
  first: { address: '75 State Street, 3rd & 4th Floor', city: 'Boston', state: 'MA', zip: '02109' },
  second: { address: "88 Kearny Street, O'Brien Building", city: 'San Francisco', state: 'CA', zip: '94108' },
} as const;

/** A name in the form used in a URL. */
export const slugOf = (mark: string): string => mark.toLowerCase().replace(/[^a-z0-9]+/g, '-');

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
