// A contact as the suite sends it, every field with a value in its normal form.
import type { JsonObject } from '../../lib/index.ts';

export const texts = [
  'first_name',
  'last_name',
  'email',
  'title',
  'department',
  'address',
  'address2',
  'city',
  'state',
  'zip',
  'linkedin_url',
  'photo_url',
] as const;
export const inputs = ['contact_type', 'company_id', 'is_primary', ...texts] as const;

const slugOf = (mark: string): string => mark.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Every text of a contact in plain ASCII, with the punctuation of everyday letters; `mark` is a name of the run's own. */
export const plainTexts = (mark: string): JsonObject => ({
  first_name: "Mary-Ann O'Brien",
  last_name: mark,
  email: `${slugOf(mark)}@example.com`,
  title: 'Vice President, Debt & Equity',
  department: 'Capital Markets (West)',
  address: '75 State Street',
  address2: 'Suite #300',
  city: 'Boston',
  state: 'MA',
  zip: '02109',
  linkedin_url: `https://www.linkedin.com/in/${slugOf(mark)}`,
  photo_url: `https://www.example.com/photos/${slugOf(mark)}.png`,
});

/** Other scripts, precomposed letters, right-to-left text and an astral character. */
export const foreignTexts = (mark: string): JsonObject => ({
  first_name: 'Žofia Łucja Ñandú',
  last_name: `${mark} 山田太郎`,
  title: 'Директор по кредитам',
  department: 'قسم القروض',
  address: 'Königstraße 7',
  address2: 'Ελλάδα 🏦 2',
});
