// What the lawful client writes: bodies of companies, contacts and notes, in the shapes and with the values of real life.
import type { Json } from '../../wrappers/json.ts';
import { valueClasses } from '../value-classes.ts';
import type { Client } from './client.ts';
import type { Leeway } from './exchange.ts';

const words = ['Harbor', 'Juniper', 'Summit', 'Maple', 'Granite', 'Sterling', 'Lakeview', 'Pioneer'] as const;

const samples = valueClasses.flatMap((one) => one.samples);
const [firstSample = '', ...otherSamples] = samples;

/** A text of some class, or ordinary words, which seldom repeat. */
export function textFrom(client: Client, deck = 'texts'): string {
  if (!client.chance(3)) return client.deal(deck, [firstSample, ...otherSamples]);
  const { random } = client;
  return `${random.pick(words)} ${random.pick(words)} ${random.int(1, 99)}`;
}

/** A text that is allowed where 255 characters are the most. */
export function nameFrom(client: Client): string {
  const text = textFrom(client, 'names');
  return [...text].length <= 255 ? text : text.slice(0, 80);
}

const urls = [
  'https://www.example.com/',
  'https://www.example.com/about?ref=deals&page=2',
  'http://intranet.example.com:8443/team#jane',
  'https://EXAMPLE.com/Path%20with%20blanks',
] as const;

/** Some of the optional members: none, one, some or all. */
function someOf(client: Client, members: Readonly<Record<string, () => unknown>>): Json {
  const names = Object.keys(members);
  const count = client.random.pick([0, 1, client.random.int(0, names.length), names.length]);
  return Object.fromEntries(
    client.random
      .shuffled(names)
      .slice(0, count)
      .map((name) => [name, client.random.int(1, 12) === 1 ? null : members[name]?.()]),
  );
}

const places = (client: Client): Readonly<Record<string, () => unknown>> => ({
  address: () => nameFrom(client),
  city: () => nameFrom(client),
  state: () => client.random.pick(['MA', 'ca', 'New York', '']),
  zip: () => client.random.pick(['02139', '94108-1234', '10001', 'SW1A 1AA']),
  linkedin_url: () =>
    client.random.pick(['https://www.linkedin.com/company/example', 'https://linkedin.com/in/jane?trk=a&b=c']),
});

/** The members in another order than the document's, now and then. */
const reordered = (client: Client, body: Json): Json => {
  const entries = Object.entries(body);
  return Object.fromEntries(
    client.random.pick([
      entries,
      client.random.shuffled(entries),
      [...entries].reverse(),
      [...entries].sort(([one], [other]) => (one < other ? -1 : 1)),
    ]),
  );
};

export function companyFrom(client: Client): Json {
  const optional = {
    website: () => client.deal('urls', urls),
    ...places(client),
    org_id: () => client.random.int(1_001, 1_099),
  };
  return reordered(client, {
    name: nameFrom(client),
    company_type: client.random.pick(['lender', 'sponsor']),
    ...someOf(client, optional),
  });
}

const phones: readonly [Json, ...Json[]] = [
  { raw: '(415) 555-0132' },
  { raw: '+44 20 7946 0958', type: 'office' },
  { raw: '020 7946 0959', country: 'GB', type: 'fax' },
  { raw: '212.555.0147', extension: '12', type: 'office' },
  { raw: '2125550148', extension: '007' },
  { raw: '+1 650 253 0000', type: 'mobile', country: 'US' },
  { raw: '030 901820', country: 'DE' },
  { raw: '06 698 12345', country: 'IT', type: 'office' },
  { raw: '1-800-555-0199' },
  { raw: '1-800-FLOWERS' },
  { raw: '00 44 20 7946 0960', country: 'GB' },
  { raw: '+33 1 42 68 53 00', country: 'US' },
  { raw: 'tel:+1-415-555-0133' },
];

/** phone-refusals: numbers that no form of their country has may be refused as well as normalised. */
export const oddPhones = ({ phones }: Json): Leeway =>
  /FLOWERS|tel:|"00 /.test(JSON.stringify(phones ?? [])) ? { also: [400, 422] } : {};

export function contactFrom(client: Client, company: string): Json {
  const optional = {
    first_name: () => nameFrom(client),
    last_name: () => nameFrom(client),
    email: () => client.random.pick(['jane.doe@example.com', 'JANE@EXAMPLE.COM', "o'neill+deals@example.co.uk"]),
    title: () => nameFrom(client),
    department: () => nameFrom(client),
    ...places(client),
    address2: () => client.random.pick(['Suite 400', '#12', 'Unit 007']),
    photo_url: () => client.deal('urls', urls),
    is_primary: () => client.random.int(1, 2) === 1,
    phones: () => client.some('phones', phones, client.random.int(0, 4)),
  };
  return reordered(client, {
    contact_type: client.random.pick(['lender_contact', 'sponsor']),
    company_id: company,
    ...someOf(client, optional),
  });
}

/** A body as it is written: plain, with white space, or with letters escaped; what was given out stands there as a number. */
export function written(client: Client, body: Json): string {
  const plain = client.random.pick([
    JSON.stringify(body),
    JSON.stringify(body),
    JSON.stringify(body, null, 2),
    `${JSON.stringify(body)}\n`,
    escaped(JSON.stringify(body)),
  ]);
  return plain.replace(/"(⟦\w+:\d+⟧)"/g, '$1');
}

/** Latin letters outside ASCII as \u escapes. */
const escaped = (text: string): string =>
  text.replace(/[\u0080-\u00ff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
