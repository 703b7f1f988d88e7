// Tests of rules for companies and contacts: valid replies pass, and violations get the right requirement.
import { describe, expect, test } from 'vitest';
import { type History, members, type Violation } from '../../lib/index.ts';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofExistence, ofListed, ofNewContacts, ofPrimary, ofRecords, ofSorted } from '../rules.test-data.ts';

type Json = Readonly<Record<string, unknown>>;

const name = 'Covenant 0123ab company 1a 1';
const plain = { name, company_type: 'lender' };
const made = (id: number, body: Json = plain, record: Json = body): Exchange => ({
  ...{ operation: 'POST /companies', path: '/companies', status: 201, body },
  json: { data: { id, ...record } },
});
const edited = (body: Json, record: Json): Exchange => ({
  ...{ operation: 'PATCH /companies/{company_id}', path: '/companies/7', body },
  json: { data: { id: 7, ...record } },
});
const read = (path: string, status: number, data?: unknown): Exchange => ({
  ...{ operation: path.endsWith('/notes') ? 'GET /companies/{company_id}/notes' : 'GET /companies/{company_id}' },
  ...{ path, status, json: { data } },
});
const listing = (query: string, data: readonly unknown[], pagination: Json = {}): Exchange => ({
  ...{ operation: 'GET /companies', path: `/companies${query}` },
  json: { data, pagination: { total: data.length, limit: 50, has_more: false, ...pagination } },
});
const whole = { id: 7, ...plain };

const idsOf = (judge: (history: History) => readonly Violation[], ...exchanges: readonly Exchange[]) =>
  judge(historyOf(...exchanges)).map(({ id }) => id);

describe('whole lists', () => {
  const found = (...exchanges: readonly Exchange[]) => idsOf(ofListed, ...exchanges);

  test('show created records and no refused ones', () => {
    expect(found(made(7), listing('', [whole]))).toEqual([]);
    expect(found(made(7), listing('', [{ ...whole, id: 5 }]))).toEqual(['companies-list-contains']);
    const mark = 'Covenant 0123ab refused 1a 2';
    const refused: Exchange = { ...made(8, { name: mark }), status: 422, json: {} };
    expect(found(made(7), refused, listing('', [whole]))).toEqual([]);
    expect(found(made(7), refused, listing('', [whole, { id: 8, name: mark }]))).toEqual([
      'companies-create-refused-effect',
    ]);
  });

  test('show one record per creation', () => {
    const twice = listing('', [whole, { ...whole, id: 8 }]);
    expect(found(made(7), twice)).toEqual(['companies-create-once']);
    expect(found(made(7), made(8), twice)).toEqual([]);
  });

  test('with a total above their records are judged by other rules', () => {
    expect(found(made(7), listing('', [{ ...whole, id: 5 }], { total: 2 }))).toEqual([]);
  });
});

describe('records', () => {
  const found = (...exchanges: readonly Exchange[]) => idsOf(ofRecords, ...exchanges);

  test('show after a partial edit what was sent, or the former value', () => {
    const city = { city: 'Boston' };
    for (const more of [{}, { website: null }, { website: 'https://example.com/a' }])
      expect(
        found(made(7, { ...plain, website: 'https://example.com/a' }), edited(city, { ...plain, ...more, ...city })),
      ).toEqual([]);
    expect(found(made(7), edited(city, { ...plain, city: { text: 'Boston' } }))).toEqual(['companies-edit-reply']);
    expect(found(made(7), edited(city, { ...city, name }))).toEqual(['companies-edit-reply']);
  });

  test('may keep their type if no edit of the run ever changed one', () => {
    const full = { ...Object.fromEntries(members.company.map((member) => [member, 'a'])), ...plain };
    const sponsor = { ...full, company_type: 'sponsor' };
    const kept = edited(sponsor, full);
    expect(found(made(7), kept)).toEqual([]);
    expect(found(made(7), kept, edited(sponsor, { ...full, company_type: 'bank' }))).toEqual(['companies-edit-reply']);
    expect(found(made(7), edited(sponsor, sponsor), kept)).toEqual(['companies-edit-reply']);
  });

  test('show later what the reply to their creation showed, also for members that were not sent', () => {
    const read7 = (more: Json) => read('/companies/7', 200, { ...whole, ...more });
    expect(found(made(7), read7({ website: null }))).toEqual([]);
    expect(found(made(7), read7({ website: 'https://example.com/b' }))).toEqual(['companies-read-record']);
  });

  test('show their identifier in lists without fields', () => {
    expect(found(made(7), listing('', [plain]))).toEqual(['companies-list-contains']);
    expect(found(made(7), listing('?fields=name', [{ name }]))).toEqual([]);
  });
});

test('an existing company is served to its creator, an unknown one is not found', () => {
  const found = (...exchanges: readonly Exchange[]) =>
    idsOf(
      ofExistence,
      made(7),
      listing('', [whole]),
      read('/companies/9', 200),
      read('/companies/9/notes', 200),
      ...exchanges,
    );
  expect(found(read('/companies/7', 200), read('/companies/2147480000', 404))).toEqual([]);
  expect(found(read('/companies/7/notes', 404))).toEqual(['pagination-list-empty']);
  expect(found(read('/companies/7', 404))).toEqual(['envelope-valid-served']);
  expect(found(read('/companies/2147480000', 400))).toEqual(['companies-read-unknown']);
  expect(found(read('/companies/2147480000/notes', 422))).toEqual(['notes-unknown-company']);
});

test('either of two concurrent edits may be the last', () => {
  const all = (text: string) => ({ ...Object.fromEntries(members.company.map((one) => [one, text])), ...plain });
  const [first, second] = [edited(all('first'), all('first')), edited(all('second'), all('second'))];
  const wrong = (shown: string, after: number) => {
    const { replies, lost } = historyOf(made(7), first, second, edited(plain, all(shown)));
    const isSecond = ({ id }: { readonly id: number }) => id === 3;
    return ofRecords({ lost, replies: replies.map((one) => (isSecond(one) ? { ...one, after } : one)) });
  };
  expect(wrong('first', 1)).toEqual([]);
  expect(new Set(wrong('third', 2).map(({ id }) => id))).toEqual(new Set(['companies-edit-reply']));
});

test('a repeated creation shows the record as created, or as edited since', () => {
  const found = (...exchanges: readonly Exchange[]) => idsOf(ofRecords, ...exchanges);
  const full = { ...plain, city: 'Boston' };
  const again = (record: Json): Exchange => ({ ...made(7, full, record), mayReplay: true });
  expect(found(made(7, full), again(full))).toEqual([]);
  expect(found(made(7, full), again(plain))).toEqual(['companies-create-fields']);
  // An edit without the city may have cleared it.
  expect(found(made(7, full), edited(plain, plain), again(plain))).toEqual([]);
  expect(found(made(7, full), edited(plain, plain), again({ ...plain, city: 'Chicago' }))).toEqual([
    'companies-create-fields',
  ]);
  // The effect of an edit that may be a repeat is unknown; its values may be stored.
  const moved = { ...plain, city: 'Chicago' };
  const perhaps: Exchange = { ...edited(plain, plain), mayReplay: true };
  expect(found(made(7, full), perhaps, edited(moved, moved), again(moved))).toEqual([]);
});

test('is_primary comes back if the server has no choice', () => {
  const contact = (id: number, given: boolean, shown: unknown): Exchange => ({
    ...{ operation: 'POST /contacts', path: '/contacts', status: 201 },
    body: { company_id: 7, last_name: `c${id}`, is_primary: given },
    json: { data: { id, last_name: `c${id}`, is_primary: shown } },
  });
  const contacts: Exchange = {
    ...{ operation: 'GET /contacts', path: '/contacts' },
    json: { data: [{ id: 2, last_name: 'c2', is_primary: true }], pagination: {} },
  };
  const found = (...exchanges: readonly Exchange[]) => idsOf(ofPrimary, made(7), ...exchanges);
  expect(found(contact(1, true, true), contact(2, false, false), contact(3, true, false))).toEqual([]);
  expect(found(contact(1, true, false))).toEqual(['contacts-create-primary']);
  expect(found(contact(1, true, true), contact(2, false, true))).toEqual(['contacts-create-primary']);
  expect(found(contact(1, true, true), contact(2, false, false), contacts)).toEqual(['contacts-list-record']);
  const without = (query: string): Exchange => ({
    ...{ operation: 'GET /contacts', path: `/contacts${query}` },
    json: { data: [{ id: 2, last_name: 'c2' }], pagination: {} },
  });
  const shownOnce = [contact(1, true, true), contact(2, false, false)] as const;
  expect(found(...shownOnce, without(''))).toEqual(['contacts-list-record']);
  expect(found(...shownOnce, without('?fields=last_name'))).toEqual([]);
  // If it was never shown, it may be derived.
  expect(found(contact(1, true, true), contact(2, false, null), without(''))).not.toContain('contacts-list-record');
});

test('a sort gives offset mode in both directions, and 400 with a cursor', () => {
  const first = listing('?limit=1', [whole], { has_more: true, next_cursor: 'c' });
  const sorted = listing('?sort=-name', [whole], { offset: 0 });
  const both = (status: number): Exchange => ({ ...listing('?sort=-name&cursor=c', []), status, json: {} });
  const found = (...exchanges: readonly Exchange[]) => idsOf(ofSorted, first, sorted, ...exchanges);
  expect(found(both(400), listing('?sort=name', [whole], { offset: 0 }))).toEqual([]);
  expect(found(both(422))).toEqual(['pagination-cursor-with-sort']);
  expect(found(listing('?sort=name', [whole]))).toEqual(['pagination-sort-members']);
  expect(idsOf(ofSorted, first, both(422))).toEqual([]);
});

describe('new contacts', () => {
  const required = { contact_type: 'lender_contact', company_id: 7 };
  const contact = (body: Json, status = 201, record: Json = body): Exchange => ({
    ...{ operation: 'POST /contacts', path: '/contacts', status, body },
    json: status === 201 ? { data: { id: 1, ...record } } : {},
  });
  const found = (...exchanges: readonly Exchange[]) => idsOf(ofNewContacts, made(7), ...exchanges);
  const named = { ...required, last_name: 'Smith' };

  test('need only type and company, if others are created there', () => {
    expect(found(contact(named), contact(required, 422))).toEqual(['contacts-create-required-only']);
    expect(found(contact(required, 422))).toEqual([]);
    expect(found(contact({ ...named, contact_type: 'sponsor' }), contact(required, 422))).toEqual([]);
  });

  test('keep letters of other scripts', () => {
    const body = { ...named, title: '山田 & Söhne' };
    expect(found(contact(body, 201, { ...body, title: '?? & Söhne' }))).toEqual(['contacts-create-unicode']);
    expect(found(contact(body, 201, { ...body, title: '山田 &amp; Söhne' }))).toEqual([]);
    expect(found(contact(body, 201, { ...body, title: null }))).toEqual([]);
  });

  test('show an E.164 number for a phone on which parsers disagree', () => {
    const body = (raw: string, more: Json = {}) => ({ ...named, phones: [{ raw, ...more }] });
    const shown = (number: string) => ({ ...named, phones: [{ e164: number }] });
    expect(found(contact(body('1-800-FLOWERS'), 201, shown('1-800-FLOWERS')))).toEqual(['contacts-phone-odd']);
    expect(found(contact(body('1-800-FLOWERS'), 201, shown('+18003569377')))).toEqual([]);
    expect(found(contact(body('1-800-FLOWERS', { country: 'ZZ' }), 201, shown('1-800-FLOWERS')))).toEqual([]);
    const extended = body('(212) 555-0171 ext. 42');
    expect(found(contact(extended, 201, shown('+1212555017142')))).toEqual(['contacts-phone-odd']);
  });
});
