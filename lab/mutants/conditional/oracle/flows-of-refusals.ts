// What a lawful client gets refused: invalid bodies, unknown and foreign records, what its rights do not allow.
import type { Ask, Caller, Client } from './client.ts';
import { given, type Judged } from './exchange.ts';
import { companyPath, notePath, partial, tooLongForSome } from './flows-of-records.ts';
import { textFrom } from './inputs.ts';

/** Method, path and, on writes, the body. */
export type Asked = readonly [method: string, path: string, body?: unknown];
type List<Item> = readonly [Item, ...Item[]];

/** What was given out as a number stands in JSON without quotes. */
const numbered = (body: unknown): string => JSON.stringify(body).replace(/"(⟦\w+:\d+⟧)"/g, '$1');

export async function send(client: Client, [method, path, body]: Asked, ask: Ask, atOnce = false): Promise<void> {
  await client.ask(method, path, body === undefined ? ask : { ...ask, text: numbered(body) }, atOnce);
}

export const keyed = (client: Client): Record<string, string> =>
  client.chance(3) ? { 'idempotency-key': client.random.uuid() } : {};

interface Invalid {
  readonly path: string;
  readonly body: unknown;
  readonly judged: Judged;
}

const tooLong = 'x'.repeat(256);
const company = { name: 'Acme', company_type: 'lender' };
const asIs = (path: string, judged: Judged, bodies: readonly unknown[]): Invalid[] =>
  bodies.map((body) => ({ path, body, judged }));

const invalidCompanies: readonly Invalid[] = [
  ...asIs('/companies', 'exact', [
    { company_type: 'lender' },
    { name: 'Acme' },
    { company_type: 'sponsor', website: 'https://www.example.com', city: 'Boston' },
    { name: 'Acme', city: 'Boston', zip: '02109', state: 'MA' },
    {},
  ]),
  ...asIs(
    '/companies',
    'invalid',
    [
      ...[{ name: '' }, { name: tooLong }, { name: 'é'.repeat(256) }, { name: 7 }, { name: null }, { name: ['Acme'] }],
      ...[{ company_type: 'bank' }, { company_type: 'Lender' }, { company_type: 'lender_contact' }],
      ...[{ company_type: '' }, { company_type: null }, { company_type: ['lender'] }],
    ].map((wrong) => ({ ...company, ...wrong })),
  ),
  ...asIs('/api-keys', 'invalid', [{}, { label: '' }, { label: tooLong }, { label: 7 }, { label: null }]),
];

function invalidContacts(client: Client, id: string): readonly Invalid[] {
  const valid = { contact_type: 'sponsor', company_id: id };
  const good = client.deal('good phones', [{ raw: '+1 650 253 0000' }, { raw: '(415) 555-0132', type: 'office' }]);
  const bad = client.deal('bad phones', ['not a number', '12', '7', '+', '5'.repeat(25), '---']);
  // phone-refusals: 422 is for no digit, one digit and 25 digits; two may be refused otherwise.
  const badly = bad === '12' ? 'invalid' : 'exact';
  return [
    ...asIs('/contacts', 'exact', [
      { company_id: id },
      { company_id: id, first_name: 'Jane', last_name: 'Doe', phones: [] },
    ]),
    ...asIs('/contacts', badly, [
      { ...valid, phones: [{ raw: bad }] },
      { ...valid, phones: [good, { raw: bad }] },
      { ...valid, phones: [{ raw: bad }, good], last_name: 'Doe' },
    ]),
    ...asIs('/contacts', 'invalid', [
      ...[{ contact_type: 'sponsor' }, { ...valid, company_id: null }, { ...valid, company_id: 'first' }],
      ...['lender', '', null, 7, 'Sponsor'].map((contact_type) => ({ ...valid, contact_type })),
      ...[{ type: 'mobile' }, { raw: '+1 650 253 0000', type: 'home' }, { raw: null }].flatMap((phone) => [
        { ...valid, phones: [phone] },
        { ...valid, phones: [good, phone] },
      ]),
    ]),
  ];
}

/** Invalid creations, some followed by a look at the list. */
export async function invalidCreations(client: Client): Promise<void> {
  const as = client.anyone();
  const known = client.one(client.known(as.account));
  const contacts = known === undefined ? [] : invalidContacts(client, given('company', known));
  const [first, ...more] = [...invalidCompanies, ...contacts];
  if (first === undefined) return;
  for (const { path, body, judged } of client.some(`invalid of ${contacts.length}`, [first, ...more], 5)) {
    await send(client, ['POST', path, body], { as, judged, headers: keyed(client) });
    if (client.chance(3)) await client.ask('GET', `${path}?limit=2`, { as });
  }
}

const malformedTexts = ['{"text": "half', '[]', '"text"', 'null', '', '7', '{"text": "x",}', '{text: 1}'] as const;

/** Bodies that are not JSON, or not an object. */
export async function malformed(client: Client): Promise<void> {
  const as = client.anyone();
  const note = ownNote(client, as);
  if (note === undefined) return;
  const list = `${companyPath(note.company)}/notes`;
  const asked: List<Asked> = [
    ['POST', '/companies'],
    ['POST', '/contacts'],
    ['POST', '/api-keys'],
    ['POST', list],
    ['PATCH', notePath(note)],
  ];
  for (const [method, path] of client.some('malformed', asked, 3)) {
    await client.ask(method, path, { as, text: client.deal('malformed texts', malformedTexts), judged: 'rubbish' });
  }
  if (client.chance(2)) await client.ask('GET', list, { as });
}

const ownNote = (client: Client, as: Caller) =>
  client.one(client.notes.filter(({ account }) => account === as.account));

const wrongTexts: List<readonly [Judged, unknown]> = [
  ['exact', '  '],
  ['exact', '\n'],
  ['exact', '\t \t'],
  ['invalid', ''],
  ['invalid', undefined],
  ['invalid', null],
  ['invalid', 7],
  ['invalid', ['x']],
];

export async function invalidNotes(client: Client): Promise<void> {
  const as = client.anyone();
  const note = ownNote(client, as);
  if (note === undefined) return;
  const list = `${companyPath(note.company)}/notes`;
  for (const [judged, text] of client.some('wrong notes', wrongTexts, 3)) {
    await client.ask('POST', list, { as, body: { text }, judged, headers: keyed(client) });
  }
  for (const [judged, text] of client.some('wrong edits', wrongTexts, 3)) {
    const decided = text === '' ? 'exact' : judged;
    await client.ask('PATCH', notePath(note), { as, body: { text }, judged: decided, headers: keyed(client) });
  }
  await client.ask('GET', list, { as });
}

/** Records that do not exist. */
export async function unknownRecords(client: Client): Promise<void> {
  const as = client.anyone();
  const unknown = `/companies/${client.deal('unknown', [987_654, 4_000_001])}`;
  const known = client.one(client.known(as.account));
  const own = companyPath(known);
  const text = textFrom(client);
  const body = { text };
  // otherwise-valid: what has a second defect may be refused for that.
  const second = (one: Asked): Partial<Ask> => {
    if (known === undefined && one[1].startsWith(own)) return { judged: 'open' };
    if (one[2] === body) return tooLongForSome(text);
    return one[0] === 'PATCH' ? partial : {};
  };
  const asked: List<Asked> = [
    ['GET', unknown],
    ['PATCH', unknown, { name: 'Nobody' }],
    ['GET', `${unknown}/notes`],
    ['POST', `${unknown}/notes`, body],
    ['PATCH', `${unknown}/notes/5`, body],
    ['DELETE', `${unknown}/notes/5`],
    ['PATCH', `${own}/notes/987654`, body],
    ['DELETE', `${own}/notes/987654`],
  ];
  for (const one of client.some('unknown records', asked, 3)) await send(client, one, { as, ...second(one) });
}

/** Records of another account. */
export async function foreignRecords(client: Client): Promise<void> {
  const as = client.anyone();
  const accounts = ['harbor-point', 'lakeshore', 'summit-west', 'summit-east'].filter((slug) => slug !== as.account);
  const account = client.one(accounts) ?? '';
  const foreign = client.one(client.known(account));
  const note = client.one(client.notes.filter((one) => one.account === account));
  if (foreign === undefined) return;
  const path = companyPath(foreign);
  const taken = { text: 'Taken' };
  const asked: List<Asked> = [
    ['GET', path],
    ['GET', `${path}/notes`],
    ['PATCH', path, { name: 'Taken' }],
    ['POST', `${path}/notes`, taken],
    note === undefined ? ['GET', path] : ['PATCH', notePath(note), taken],
    note === undefined ? ['GET', path] : ['DELETE', notePath(note)],
  ];
  for (const one of client.some('foreign records', asked, 3)) {
    // foreign-records: that they are kept apart is a should.
    await send(client, one, { as, judged: one[0] === 'GET' ? 'open' : 'refused' });
  }
}

/** What the restricted key, and the session without an account, may not do. */
export async function forbidden(client: Client): Promise<void> {
  const as = client.restricted();
  const asked: List<Asked> = [
    ['GET', '/billing/summary'],
    ['GET', '/billing/credits/balance'],
    ['GET', '/me/team-accounts'],
    ['POST', '/companies', company],
    ['POST', '/contacts', { contact_type: 'sponsor', company_id: 1 }],
  ];
  for (const one of client.some('forbidden', asked, 3)) {
    await send(client, one, { as, headers: one[0] === 'GET' ? {} : keyed(client) });
  }
  await client.ask('GET', '/me/team-accounts', { as: client.homeless() });
  if (client.chance(2)) await client.ask('GET', '/companies?limit=5', { as: client.primary() });
}
