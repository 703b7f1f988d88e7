// Valid texts in normal form that software tends to change although the document does not allow it.
import { type Call, isObject, type JsonObject, type OperationId, type Random } from '../../lib/index.ts';

/** Mistaken for a missing value; the first three are real names. */
export const nulls = ['Null', 'NULL', 'null'] as const;
const nothings: readonly string[] = [...nulls, 'undefined', 'None', 'NaN', 'false', '0', '[]'];
/** Mistaken for numbers, dates, formulas and the like. */
const others: readonly string[] = [
  ...['007', '12345', '12.50', '1e3', '-1', '12/31', 'true', 'constructor'],
  ...['=1+1', '@home', 'x', 'ALL CAPITALS', 'lower case only', '"all of it quoted"'],
];
/** Mistaken for something else if they are the whole text. */
const wholes = [...nothings, ...others];

/** Characters of real names, many classes at once. */
export const everyClass = `O'Neill "Süd" & Söhne C:\\d 75% a+b $& {x}; <i> 資本 🏦`;

const parts = [
  ...['1,234.50', '@SUM(A1)', '$&', '$1', '%41', '%s', '100%', '\\u0041', '\\n', 'C:\\Temp', "''", '"quoted"', "it's"],
  ...['<b>bold</b>', '&amp;', '{{7*7}}', `\${name}`, '../..', 'a+b', '#1', 'a;b', "Robert'); --", 'two  spaces'],
  ...['McDONALD de la CRUZ', 'https://www.example.com/?a=1&b=%2F', 'https://intranet.example.com:8443/x#top'],
  ...['x'.repeat(64), 'y'.repeat(128)],
];

const foreign = [
  // Combining marks without a precomposed form, direction marks, joiners, and letters that case folding changes.
  ...[
    'q\u0303 m\u0302',
    '\u200fשלום (1)\u200e',
    '\u{1f469}\u{200d}\u{1f4bc} 👍🏽',
    'Straße',
    'İstanbul ıçin',
    'ﬁnance ½ ①',
  ],
  ...['𝔘𝔫𝔦', 'Ǆ ǅ ǆ', '日本語 ﾃｽﾄ', 'مرحبا ١٢٣', 'हिन्दी', '“quoted” – ‘it’s’', 'é'.repeat(32), '資'.repeat(43)],
];

/** Ordinary note texts that filters mistake for attacks. */
export const attackTexts = [
  ...['Select the best offer from the list', "' OR 1=1 --", 'Drop the table; update the seating', '1 UNION SELECT 2'],
  ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', 'javascript:void(0)', '../../etc/passwd'],
  ...['{{7*7}}', '<%= 7*7 %>', '$(id)', '`id`', '| cat notes', `\${jndi:ldap://covenant.invalid}`],
] as const;

/** A text that is mistaken for something else if it stands alone. */
export const wholeText = (random: Random): string => wholeTexts(random)[0] ?? '0';

/** A note text that is mistaken for another value, or for an attack. */
export const mistakenText = (random: Random): string => random.pick([...attackTexts, ...wholes]);

/** All of them in random order. */
export const wholeTexts = (random: Random): readonly string[] => random.shuffled(wholes);

/** The same for notes without a name, beginning with the one that most languages treat as false. */
export const noteTexts = (random: Random): readonly [string, ...string[]] => [
  '0',
  ...wholeTexts(random).filter((one) => one !== '0'),
];

/** `count` different ASCII texts. */
export const trickyTexts = (random: Random, count: number): readonly string[] =>
  random.shuffled([...wholes, ...parts]).slice(0, count);

/** Optional members that may hold any text. */
export const freeTexts = {
  company: ['address', 'city'],
  contact: ['first_name', 'title', 'department', 'address', 'address2', 'city'],
} as const;
const optional: { readonly [Id in OperationId]?: readonly string[] } = {
  'POST /companies': freeTexts.company,
  'POST /contacts': freeTexts.contact,
};

const required: { readonly [Id in OperationId]?: readonly string[] } = {
  'POST /companies': ['name', 'company_type'],
  'POST /contacts': ['contact_type', 'company_id'],
};

/** The members of these names. */
export const only = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

/** For refused writes: such texts in optional members (one time in three no such member) and in notes. */
export function trickyCall(operation: OperationId, call: Call, random: Random): Call {
  const { body } = call;
  const needed = required[operation];
  if (isObject(body) && needed && random.int(1, 3) === 1) return { ...call, body: only(body, needed), exactly: true };
  const names = operation.endsWith('/notes') || operation.endsWith('{note_id}') ? ['text'] : optional[operation];
  if (!isObject(body) || names === undefined) return call;
  const texts = trickyTexts(random, names.length);
  return {
    ...call,
    body: { ...Object.fromEntries(names.map((name, index) => [name, texts[index]])), ...ownOf(body, names) },
  };
}

/** Members that do not hold free text. */
const ownOf = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** `count` texts in other scripts. */
export const foreignTexts = (random: Random, count: number): readonly string[] =>
  random.shuffled(foreign).slice(0, count);

/** Values that a one-line text need not accept, for requests that are refused anyway. */
const unusual = ['first\nsecond', 'a\r\nb', 'one\ttwo', '', null] as const;

/** A text of any class, several, or null, for a request that is refused anyway. */
export function anyText(random: Random): string | null {
  const draw = random.int(1, 6);
  if (draw <= 2) return wholeText(random);
  if (draw === 3) return random.pick(unusual);
  if (draw === 4) return longText(random);
  return [everyClass, ...trickyTexts(random, draw), ...foreignTexts(random, 2)]
    .filter((one) => one.length < 60)
    .join(' ');
}

/** 255 characters, the maximum length of a name. */
export const longText = (random: Random): string =>
  `${random.pick(['n', 'é', '資', 'Loan '])}`.repeat(255).slice(0, 254).concat('z');

/**
 * Texts for the fields of successive records: in every three records a field gets one mistaken for a missing value, one
 * mistaken for something else, and one with several parts.
 */
export function dealtTexts(random: Random): (count: number) => readonly string[] {
  const classes = [nothings, others, joinedByFive(random.shuffled(parts))].map((one) => cycleOf(random.shuffled(one)));
  let records = random.int(0, 2);
  return (count) => {
    records += 1;
    return Array.from({ length: count }, (_, place) => classes[(records + place) % classes.length]?.() ?? '0');
  };
}

/** Returns the texts in turn, endlessly. */
function cycleOf(texts: readonly string[]): () => string | undefined {
  let next = 0;
  return () => texts[next++ % texts.length];
}

/** Joins groups of five. */
const joinedByFive = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((_, place) => (place % 5 === 0 ? [texts.slice(place, place + 5).join(' / ')] : []));
