// Optional members of companies and contacts that a case does not care about: texts of every class that clients send.
import type { OperationId } from '../../catalogue/operations.ts';
import { covering, type Random } from '../../runtime/random.ts';
import { separator, usualText, usualTexts, wholeTexts } from '../../runtime/usual-texts.ts';
import { isObject, type JsonObject } from '../reply.ts';

const links = [
  'https://www.example.com/a?b=c&d=e',
  'https://www.example.com/team#jane',
  'https://intranet.example.com:8443/x',
  'https://www.example.com/~o/%7Bx%7D?q=a+b',
] as const;
interface Place {
  readonly state: string;
  readonly zip: string;
}

/** A server may want to see its host. */
const profiles = [
  'https://www.linkedin.com/company/covenant?a=b&c=d',
  'https://www.linkedin.com/in/jane-doe/#about',
  'https://de.linkedin.com/in/j%C3%BCrgen-b?q=a+b',
] as const;
const emails = ['jane+deals@example.com', 'o.neill@mail.example.com', 'x_1@example.com'] as const;
const places: readonly [Place, ...Place[]] = [
  { state: 'MA', zip: '02139' },
  { state: 'NY', zip: '10001' },
  { state: 'CA', zip: '94108-1234' },
];
/** Public numbers and fictional ones; the document's forms, kinds and countries. */
const phones = [
  { raw: '+1 (212) 555-0161', type: 'office', extension: '042' },
  { raw: '+44 20 7946 0961', type: 'fax' },
  { raw: '212.555.0143', type: 'mobile' },
  { raw: '(030) 23125-015', country: 'DE', type: 'office' },
  { raw: '020 7946 0959', country: 'GB' },
  { raw: '2125550141' },
] as const;

interface Drawn {
  readonly random: Random;
  /** The target accepts long, empty and null texts. */
  readonly extremes: boolean;
  /** The target accepts empty arrays. */
  readonly acceptsEmptyArrays: boolean;
  /** Texts not yet used in the record. */
  readonly texts: string[];
  /** State and ZIP match; each may also occur alone. */
  readonly place: Place;
}
type Make = (drawn: Drawn) => JsonObject;

/** As long as the longest of the fields whose bounds the document shows. */
const longest = ({ random }: Drawn): string =>
  random.pick(['n', 'é', 'Loan ']).repeat(255).slice(0, 254) + random.pick(['d', 'é']);

/** The document shows no bound of these fields, so a server may have a lower one than for names. */
const usualMax = 100;
const longestMax = 255;
/** More texts than fit. */
const many = 40;

const next = (drawn: Drawn): string => drawn.texts.pop() ?? drawn.random.pick(wholeTexts);
/** As many of `count` texts as fit. */
const several = ({ random, extremes }: Drawn, count: number): string =>
  usualText(random, count, extremes ? longestMax : usualMax);
/** One text of some class, now and then several in one. */
const text =
  (name: string): Make =>
  (drawn) => ({ [name]: drawn.random.int(1, 2) === 1 ? several(drawn, many) : next(drawn) });
const link =
  (name: string): Make =>
  ({ random }) => ({ [name]: random.pick(name === 'linkedin_url' ? profiles : links) });
const place: readonly Make[] = [({ place: { state } }) => ({ state }), ({ place: { zip } }) => ({ zip })];
/** None at all in an array is an extreme as well. */
const somePhones: Make = ({ random, acceptsEmptyArrays }) => ({
  phones: random.shuffled(phones).slice(0, random.pick(acceptsEmptyArrays ? [0, 0, 1, 2, 3] : [1, 1, 2, 3])),
});

/** A word of many languages is a text as well. */
const word = 'null';

/** Of the two free texts of a company one is unusual as a whole, the other contains many unusual parts. */
const companyTexts: readonly Make[] = [
  (drawn) => ({ address: drawn.random.int(1, 5) === 1 ? word : several(drawn, drawn.random.pick([1, many, many])) }),
  ({ random }) => ({
    city: random.pick(
      random.pick<readonly [string, ...string[]]>([usualTexts, wholeTexts, wholeTexts, wholeTexts, [word]]),
    ),
  }),
];
const ofContact = ['first_name', 'title', 'department', 'address', 'address2', 'city'] as const;

const optional: { readonly [Id in OperationId]?: readonly Make[] } = {
  'POST /companies': [...companyTexts, link('website'), link('linkedin_url'), ...place],
  // An edit that matters to a case names every member, or is sent unchanged.
  'PATCH /companies/{company_id}': [...companyTexts, link('website'), link('linkedin_url'), ...place],
  'POST /contacts': [
    ...ofContact.map(text),
    ...['linkedin_url', 'photo_url'].map(link),
    // A server may require that no two contacts share one.
    ({ random }) => ({ email: random.pick(emails).replace('@', `.${random.uuid().slice(0, 8)}@`) }),
    ...place,
    somePhones,
    () => ({ is_primary: false }),
  ],
};
/** Free texts: any of them may be the longest, empty, or null. */
const free: { readonly [Id in OperationId]?: readonly string[] } = {
  'POST /companies': ['address', 'city'],
  'POST /contacts': ofContact,
};

/** All usual texts, each once, as many in one as fit. */
export function packed(random: Random): readonly string[] {
  const packs: string[] = [];
  for (const text of random.shuffled(usualTexts).filter((one) => one.length <= usualMax)) {
    const last = packs.at(-1);
    if (last !== undefined && last.length + separator.length + text.length <= usualMax)
      packs[packs.length - 1] = `${last}${separator}${text}`;
    else packs.push(text);
  }
  return packs;
}

/** Every optional text of a record; `texts`: its free ones, in their order. */
export function fullTexts(
  operation: 'POST /companies' | 'POST /contacts',
  random: Random,
  texts: readonly string[],
): JsonObject {
  const drawn = { random, extremes: false, acceptsEmptyArrays: false, texts: [], place: random.pick(places) };
  const further = (optional[operation] ?? []).map((make) => make(drawn));
  const { phones: _, is_primary: __, ...others }: JsonObject = Object.assign({}, ...further);
  return {
    ...others,
    ...Object.fromEntries((free[operation] ?? []).map((name, place) => [name, texts[place] ?? 'x'])),
  };
}

/** These have one form only, so leaving one out loses no text. */
const bare = ['state', 'zip'] as const;

/** Sometimes makes one text as long as possible, one empty, and one null. */
function extremesOf(names: readonly string[], drawn: Drawn): JsonObject {
  const { random } = drawn;
  const [long, ...others] = random.shuffled(names);
  const [empty, nothing] = [others.at(-1), random.pick([...bare, others[0] ?? 'zip'])];
  return {
    ...(random.int(1, 3) > 1 ? { [nothing]: null } : {}),
    ...(long !== undefined && random.int(1, 3) === 1 ? { [long]: longest(drawn) } : {}),
    ...(empty !== undefined && random.int(1, 3) === 1 ? { [empty]: '' } : {}),
  };
}

/** None of them, one, half, all but one, or more often all. */
function someOf<T>(all: readonly T[], random: Random): readonly T[] {
  const lot = random.int(1, 10);
  if (lot > 8) return random.shuffled(covering(all, random))[0] ?? all;
  return random.shuffled(all).slice(0, [0, 1, all.length - 1][lot - 1] ?? all.length);
}

/** The required members of a creation: a body that lacks one is refused for that alone, if the rest is ordinary. */
const required: { readonly [Id in OperationId]?: readonly string[] } = {
  'POST /companies': ['name', 'company_type'],
  'POST /contacts': ['contact_type', 'company_id'],
};

/** Adds none, one, some or all of the optional members that the body lacks. */
export function withOptionalMembers(
  operation: OperationId,
  body: unknown,
  { random, extremes: isBorne }: Pick<Drawn, 'random' | 'extremes'>,
): unknown {
  const all = optional[operation];
  if (all === undefined || !isObject(body)) return body;
  const isWhole = required[operation]?.every((name) => body[name] !== undefined) ?? true;
  const some = isWhole || random.int(1, 2) === 1 ? someOf(all, random) : all;
  const extremes = isBorne && isWhole;
  const texts = random.shuffled(usualTexts).filter((one) => extremes || one.length <= usualMax);
  const drawn = { random, extremes, acceptsEmptyArrays: isBorne, texts, place: random.pick(places) };
  const added = some.map((make) => make(drawn));
  const further = extremes && some.length > 2 ? extremesOf(free[operation] ?? [], drawn) : {};
  const more: JsonObject = Object.assign({}, ...added, further);
  return random.int(1, 2) === 1 ? { ...more, ...body } : { ...body, ...more, ...body };
}
