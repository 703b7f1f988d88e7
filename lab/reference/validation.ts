// What a body may hold: the fields of the document with their rules, as data, and one function that applies them.
import { refuse } from './refusal.ts';
import type { Fields } from './store.ts';

/** Returns what is wrong with a value, or undefined. */
type Rule = (value: unknown) => string | undefined;
type Rules = Readonly<Record<string, Rule>>;

const longest = 2_000;
/** Longest text of a note, in characters. */
export const longestNote = 10_000;

/** Length in characters (code points), not in UTF-16 units. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const text =
  (least: number, most: number): Rule =>
  (value) => {
    if (typeof value !== 'string') return 'must be a string';
    const length = characters(value);
    return length < least || length > most ? `must have ${least} to ${most} characters` : undefined;
  };
const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : `must be one of ${values.join(', ')}`;
const anyText = text(0, longest);
const url: Rule = (value) => {
  if (typeof value !== 'string' || value.length > longest) return 'must be a URL';
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? undefined : 'must be an http or https URL';
};
const integer: Rule = (value) => (Number.isSafeInteger(value) ? undefined : 'must be an integer');
const boolean: Rule = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const list: Rule = (value) =>
  Array.isArray(value) && value.length <= 50 ? undefined : 'must be an array of at most 50 objects';

export const companyRules = {
  name: text(1, 255),
  company_type: oneOf('lender', 'sponsor'),
  website: url,
  address: anyText,
  city: anyText,
  state: anyText,
  zip: anyText,
  org_id: integer,
  linkedin_url: anyText,
} as const satisfies Rules;
export const contactRules = {
  contact_type: oneOf('lender_contact', 'sponsor'),
  company_id: integer,
  first_name: anyText,
  last_name: anyText,
  email: anyText,
  title: anyText,
  department: anyText,
  address: anyText,
  address2: anyText,
  city: anyText,
  state: anyText,
  zip: anyText,
  linkedin_url: anyText,
  photo_url: url,
  is_primary: boolean,
  phones: list,
} as const satisfies Rules;
export const phoneRules = {
  raw: anyText,
  type: oneOf('mobile', 'office', 'fax'),
  country: text(2, 2),
  extension: anyText,
} as const satisfies Rules;
export const labelRules = { label: text(1, 255) } as const satisfies Rules;
export const secretRules = { api_key: text(0, 100_000) } as const satisfies Rules;

/** The texts and numbers of a record that are returned exactly as they were sent. */
export const companyNames = Object.keys(companyRules);
const notPlain = ['company_id', 'is_primary', 'phones'];
export const contactNames = Object.keys(contactRules).filter((name) => !notPlain.includes(name));

export interface Demands {
  readonly required: readonly string[];
  /** Status for a value that breaks its rule; a missing member is always 422. */
  readonly refusal: number;
}

/** Picks the known members out of a body; refuses the first that is missing or breaks its rule. */
export function checked(body: Fields, rules: Rules, { required, refusal }: Demands): Fields {
  const fields: Fields = {};
  for (const name of required) {
    if (!Object.hasOwn(body, name)) throw refuse(422, `${name} is required`);
  }
  for (const [name, rule] of Object.entries(rules)) {
    if (!Object.hasOwn(body, name)) continue;
    const value = body[name];
    const emptied = value === null && !required.includes(name);
    const problem = emptied ? undefined : rule(value);
    if (problem !== undefined) throw refuse(refusal, `${name} ${problem}`);
    fields[name] = value;
  }
  return fields;
}

/** Whether a value is an object in the sense of JSON. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
