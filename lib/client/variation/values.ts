// Optional members for companies and contacts that a case does not care about: texts of every class that clients really send.
import type { OperationId } from '../../catalogue/operations.ts';
import type { Random } from '../../runtime/random.ts';
import { usualText, usualTexts } from '../../runtime/usual-texts.ts';
import { isObject, type JsonObject } from '../reply.ts';

const links = [
  'https://www.example.com/a?b=c&d=e',
  'https://www.example.com/team#jane',
  'https://intranet.example.com:8443/x',
  'https://www.example.com/~o/%7Bx%7D?q=a+b',
] as const;
const emails = ['jane+deals@example.com', 'o.neill@mail.example.com', 'x_1@example.com'] as const;
const places: readonly [JsonObject, ...JsonObject[]] = [
  { state: 'MA', zip: '02139' },
  { state: 'NY', zip: '10001' },
  { state: 'CA', zip: '94108-1234' },
];
/** Public numbers, and such as are kept for drama; the document's forms, kinds and countries. */
const phones = [
  { raw: '+1 (212) 555-0161', type: 'office', extension: '042' },
  { raw: '+44 20 7946 0961', type: 'fax' },
  { raw: '212.555.0143', type: 'mobile' },
  { raw: '(030) 23125-015', country: 'DE', type: 'office' },
  { raw: '020 7946 0959', country: 'GB' },
  { raw: '2125550141' },
] as const;

type Make = (random: Random) => JsonObject;
const text =
  (name: string): Make =>
  (random) => ({ [name]: random.int(1, 2) === 1 ? random.pick(usualTexts) : usualText(random, 4) });
const link =
  (name: string): Make =>
  (random) => ({ [name]: random.pick(links) });
const place: Make = (random) => random.pick(places);

const optional: { readonly [Id in OperationId]?: readonly Make[] } = {
  'POST /companies': [text('address'), text('city'), link('website'), link('linkedin_url'), place],
  'POST /contacts': [
    ...['first_name', 'title', 'department', 'address', 'address2', 'city'].map(text),
    ...['linkedin_url', 'photo_url'].map(link),
    (random) => ({ email: random.pick(emails) }),
    place,
    (random) => ({ phones: random.shuffled(phones).slice(0, random.int(1, 3)) }),
  ],
};

/** The body with none, one, some or all of the optional members that it lacks. */
export function embellished(operation: OperationId, body: unknown, random: Random): unknown {
  const all = optional[operation];
  if (all === undefined || !isObject(body)) return body;
  const count = random.pick([0, 0, 1, 1, 2, 4, 6, all.length]);
  const added = random
    .shuffled(all)
    .slice(0, count)
    .map((make) => make(random));
  const more: JsonObject = Object.assign({}, ...added);
  return random.int(1, 2) === 1 ? { ...more, ...body } : { ...body, ...more, ...body };
}
