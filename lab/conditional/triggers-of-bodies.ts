// Triggers in what a request or a record holds: the shape of a body, and the class of a value.
import { isObject, type Json, parsed } from '../mutants/wrappers/mutator.ts';
import { type Moment, membersOf, recordsOf, type Trigger, textsIn, triggersOf } from './trigger.ts';

const required: Readonly<Record<string, readonly string[]>> = {
  'POST /companies': ['name', 'company_type'],
  'POST /contacts': ['contact_type', 'company_id'],
};
const creates = ({ operation }: Moment): boolean => operation in required;
const names = (moment: Moment): string[] => Object.keys(membersOf(moment));
const phonesOf = (moment: Moment): Json[] => {
  const { phones } = membersOf(moment);
  return Array.isArray(phones) ? phones.filter(isObject) : [];
};
const isLonger =
  (bytes: number) =>
  ({ text }: Moment) =>
    Buffer.byteLength(text) > bytes;

export const shapeTriggers = triggersOf('shape', {
  'the body has the required members only': (moment) =>
    creates(moment) && names(moment).length === required[moment.operation]?.length,
  'the body has exactly one optional member': (moment) =>
    creates(moment) && names(moment).length === (required[moment.operation]?.length ?? 0) + 1,
  'the body has six members or more': (moment) => names(moment).length >= 6,
  'the body has nine members or more': (moment) => names(moment).length >= 9,
  'an edit has one member': (moment) => moment.method === 'PATCH' && names(moment).length === 1,
  'an edit has two members or more': (moment) => moment.method === 'PATCH' && names(moment).length >= 2,
  'the required members do not come first': (moment) => {
    const needed = required[moment.operation] ?? [];
    return creates(moment) && !needed.includes(names(moment)[0] ?? needed[0] ?? '');
  },
  'the members stand in the order of the alphabet': (moment) => {
    const given = names(moment);
    return given.length >= 3 && given.join() === [...given].sort().join();
  },
  'the body has white space between tokens': ({ text }) => /^\s*\{\s+"/.test(text),
  'the body ends in a line break': ({ text }) => text.endsWith('\n'),
  'the body writes letters as \\u escapes': ({ text }) => /\\u00[a-f\d]{2}/i.test(text),
  'the body is longer than 300 bytes': isLonger(300),
  'the body is longer than 1000 bytes': isLonger(1000),
  'the body is longer than 4000 bytes': isLonger(4000),
  'a member is null': (moment) => Object.values(membersOf(moment)).includes(null),
  'a member is an empty text': (moment) => Object.values(membersOf(moment)).includes(''),
  'the list of phones is empty': (moment) => Array.isArray(membersOf(moment).phones) && phonesOf(moment).length === 0,
  'there is exactly one phone': (moment) => phonesOf(moment).length === 1,
  'there are two phones or more': (moment) => phonesOf(moment).length >= 2,
});

const knownTexts = new WeakMap<Moment, readonly string[]>();

/** All texts that a request is about: those that it sends, those of the record that it names, those that it is answered. */
function textsOf(moment: Moment): readonly string[] {
  const known = knownTexts.get(moment);
  if (known !== undefined) return known;
  const made = textsIn(parsed(moment.target?.texts ?? ''));
  const texts = [...textsIn(moment.body), ...made, ...recordsOf(moment).flatMap(textsIn)];
  knownTexts.set(moment, texts);
  return texts;
}

/** The bodies and records that a request is about. */
const objectsOf = (moment: Moment): Json[] => {
  const made = parsed(moment.target?.texts ?? '');
  return [membersOf(moment), ...(isObject(made) ? [made] : []), ...recordsOf(moment)];
};
const some = (fits: (object: Json) => boolean) => (moment: Moment) => objectsOf(moment).some(fits);
const somePhone = (fits: (phone: Json) => boolean) =>
  some(({ phones }) => Array.isArray(phones) && phones.filter(isObject).some(fits));

const has =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

/** Classes of texts that real clients send. */
const textClasses: Readonly<Record<string, (text: string) => boolean>> = {
  'is all capitals': has(/^[A-Z][A-Z ]+$/),
  'is all lower case': has(/^[a-z][a-z ]{3,}$/),
  'is digits only': has(/^\d+$/),
  'begins with a zero': has(/^0/),
  'looks like a number with a fraction': has(/^-?\d+\.\d+$/),
  'is a word of JSON': has(/^(null|true|false|undefined|NaN)$/),
  'holds letters outside ASCII': has(/[À-ɏ]/),
  'holds other scripts': has(/[Ͱ-῿぀-鿿]/),
  'holds an emoji': has(/[\u{1f300}-\u{1faff}]/u),
  'holds a combining mark': has(/[\u0300-\u036f]/),
  'holds a mark of direction': has(/[\u200e\u200f\u202a-\u202e]/),
  'holds an apostrophe': has(/'/),
  'holds a typographic quote': has(/[‘’“”]/),
  'holds double quotes': has(/"/),
  'holds an ampersand or angle bracket': has(/[&<>]/),
  'holds a backslash': has(/\\/),
  'holds a percent sign': has(/%/),
  'holds a plus sign': has(/\+/),
  'holds a dollar sign': has(/\$/),
  'holds braces': has(/[{}]/),
  'holds a semicolon': has(/;/),
  'holds a comma': has(/,/),
  'begins as a formula': has(/^[=@]/),
  'holds a line break': has(/\n/),
  'holds a tab': has(/\t/),
  'holds two blanks in a row': has(/\S {2,}\S/),
  'holds a no-break space': has(/\u00a0/),
  'holds a URL with a query': has(/https?:\/\/\S+\?\S+=/),
  'holds a URL with a fragment': has(/https?:\/\/\S+#/),
  'holds a URL with a port': has(/https?:\/\/[^/]+:\d/),
  'is one character': (text) => [...text].length === 1,
  'is longer than 100 characters': (text) => text.length > 100,
  'is 255 characters long': (text) => [...text].length === 255,
  'is longer than 1000 characters': (text) => text.length > 1000,
};

export const valueTriggers: readonly Trigger[] = [
  ...triggersOf(
    'value',
    Object.fromEntries(
      Object.entries(textClasses).map(([words, fits]) => [
        `a text ${words}`,
        (moment: Moment) => textsOf(moment).some(fits),
      ]),
    ),
    true,
  ),
  ...triggersOf(
    'value',
    {
      'company_type is sponsor': some((one) => one.company_type === 'sponsor'),
      'company_type is lender': some((one) => one.company_type === 'lender'),
      'contact_type is sponsor': some((one) => one.contact_type === 'sponsor'),
      'contact_type is lender_contact': some((one) => one.contact_type === 'lender_contact'),
      'is_primary is true': some((one) => one.is_primary === true),
      'is_primary is false': some((one) => one.is_primary === false),
      'an org_id is given': some((one) => typeof one.org_id === 'number'),
      'a phone is a fax': somePhone(({ type }) => type === 'fax'),
      'a phone is an office': somePhone(({ type }) => type === 'office'),
      'a phone has no type': somePhone(({ type }) => type === undefined),
      'a phone names a country other than US': somePhone(
        ({ country }) => typeof country === 'string' && country !== 'US',
      ),
      'a phone has an extension': somePhone(({ extension }) => typeof extension === 'string'),
      'a phone begins with a plus': somePhone(({ raw }) => String(raw).startsWith('+')),
      'a phone is written with dots': somePhone(({ raw }) => /\d\.\d/.test(String(raw))),
    },
    true,
  ),
];
