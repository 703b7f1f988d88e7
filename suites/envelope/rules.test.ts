// Tests of rules for replies: valid and undocumented ones pass, and violations get the right requirement.
import { describe, expect, test } from 'vitest';
import type { History, Violation } from '../../lib/index.ts';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import {
  ofBodies,
  ofDeletions,
  ofIdentifiers,
  ofOrigins,
  ofServed,
  ofSessions,
  ofSwitched,
  ofThrottled,
  ofTypes,
} from '../rules.test-data.ts';

type Json = Readonly<Record<string, unknown>>;

const company = (id: number, name: string): Exchange => ({
  ...{ operation: 'POST /companies', path: '/companies', status: 201, body: { name, company_type: 'lender' } },
  json: { data: { id, name, company_type: 'lender' } },
});
const note = (id: number, text: unknown, status = 201): Exchange => ({
  ...{ operation: 'POST /companies/{company_id}/notes', path: '/companies/7/notes', status, body: { text } },
  json: { data: { id, text } },
});
const removed = (data: Json, id = 3): Exchange => ({
  ...{ operation: 'DELETE /companies/{company_id}/notes/{note_id}', path: `/companies/7/notes/${id}` },
  json: { data },
});
const read = (record: Json): Exchange => ({
  ...{ operation: 'GET /companies/{company_id}', path: '/companies/7' },
  json: { data: record },
});
const listed = (path: string, status = 200): Exchange => ({
  ...{ operation: 'GET /companies', path, status },
  json: { data: [] },
});

const found = (judge: (history: History) => readonly Violation[], ...exchanges: readonly Exchange[]) => {
  const whole = historyOf(...exchanges);
  return judge(whole).map(({ id }) => id);
};

test('deleting an existing note answers with deleted true', () => {
  const made = [company(7, 'Acme'), note(3, 'a')];
  expect(found(ofDeletions, ...made, removed({ deleted: true }))).toEqual([]);
  expect(found(ofDeletions, ...made, removed({ deleted: false }))).toEqual(['notes-delete-result']);
  expect(found(ofDeletions, removed({ deleted: false }))).toEqual([]);
  expect(found(ofDeletions, removed({ deleted: 'yes' }))).toEqual(['notes-delete-result']);
});

test('a text stays a text in the same record', () => {
  const record = { id: 7, name: 'Acme', company_type: 'lender', city: 'Boston' };
  expect(found(ofTypes, read(record), read({ ...record, city: null }))).toEqual([]);
  expect(found(ofTypes, read(record), read({ ...record, city: { text: 'Boston' } }))).toEqual([
    'companies-read-record',
  ]);
  const other = { id: 7, name: 'Northfield', company_type: 'lender', city: 1 };
  expect(found(ofTypes, read(record), read(other))).toEqual([]);
});

test('a number stays a number in the same record', () => {
  const record = { id: 7, name: 'Acme', company_type: 'lender', city: 'Boston' };
  expect(found(ofTypes, read(record), read({ ...record, id: '7' }))).toEqual(['companies-read-record']);
  expect(found(ofTypes, read(record), read({ ...record, id: '7', name: 'Northfield', city: 'Lima' }))).toEqual([]);
});

test('two creations have two identifiers, as long as nothing is deleted', () => {
  expect(found(ofIdentifiers, company(7, 'Acme'), company(8, 'Northfield'))).toEqual([]);
  expect(found(ofIdentifiers, company(7, 'Acme'), company(7, 'Northfield'))).toEqual(['companies-create-id']);
  expect(found(ofIdentifiers, company(7, 'Acme'), company(7, 'Acme'))).toEqual([]);
  expect(found(ofIdentifiers, note(3, 'a'), note(3, 'a'))).toEqual(['idempotency-key-none']);
  expect(found(ofIdentifiers, note(3, 'a'), removed({ deleted: true }), note(3, 'b'))).toEqual([]);
});

test('a plain read is served to a caller that is served otherwise', () => {
  expect(found(ofServed, listed('/companies'), listed('/companies?limit=20'))).toEqual([]);
  expect(found(ofServed, listed('/companies'), listed('/companies?limit=20', 422))).toEqual(['envelope-valid-served']);
  expect(found(ofServed, listed('/companies'), listed('/companies?limit=200', 422))).toEqual([
    'pagination-limit-bounds',
  ]);
  expect(found(ofServed, listed('/companies'), listed('/companies?fields=city', 400))).toEqual([]);
  expect(found(ofServed, listed('/companies'), listed('/companies?sort=name', 400))).toEqual([]);
  expect(found(ofServed, listed('/companies?limit=20', 422))).toEqual([]);
  expect(found(ofServed, listed('/companies?limit=20', 500), listed('/companies'))).toEqual(['envelope-valid-served']);
  expect(found(ofServed, listed('/companies?limit=20', 500))).toEqual([]);
  expect(found(ofServed, listed('/companies?limit=20', 503), listed('/companies'))).toEqual([]);
  expect(found(ofServed, listed('/companies?limit=0', 500), listed('/companies'))).toEqual([]);
  const made = [company(7, 'Acme'), note(3, 'a')];
  const later = listed('/companies');
  expect(found(ofServed, ...made, { ...removed({}), status: 500 }, later)).toEqual(['envelope-valid-served']);
  expect(found(ofServed, ...made, { ...removed({}, 4), status: 500 }, later)).toEqual([]);
});

test('a caller is served under every name of its application', () => {
  const under = (name: string, status = 200): Exchange => ({
    ...listed('/companies?limit=1', status),
    headers: { 'x-origin-app': name },
  });
  const last = under('covenant');
  expect(found(ofOrigins, under('covenant'), under('A & B'), last)).toEqual([]);
  expect(found(ofOrigins, under('covenant'), under('A & B', 400), last)).toEqual(['envelope-origin-app-text']);
  // Refused once and taken once, the name is not the cause; and so is a call that is never served.
  expect(found(ofOrigins, under('A & B', 400), under('A & B'), last)).toEqual([]);
  expect(found(ofOrigins, under('A & B', 400), listed('/contacts'))).toEqual([]);
  expect(found(ofOrigins, under('A & B', 500), last)).toEqual([]);
});

describe('an invalid body', () => {
  const start = [company(7, 'Acme'), note(3, 'a')];

  test('is refused as the document says', () => {
    const bare: Exchange = { ...company(8, ''), body: { company_type: 'lender' } };
    expect(found(ofBodies, ...start, { ...bare, status: 422 })).toEqual([]);
    expect(found(ofBodies, ...start, { ...bare, status: 409, key: 'a' })).toEqual([]);
    expect(found(ofBodies, ...start, { ...bare, status: 409 })).toEqual(['companies-create-missing-name']);
    expect(found(ofBodies, ...start, { ...bare, status: 404 })).toEqual(['companies-create-missing-name']);
    expect(found(ofBodies, ...start, { ...bare, status: 500 })).toEqual(['companies-create-missing-name']);
    expect(found(ofBodies, ...start, { ...bare, status: 503 })).toEqual([]);
    expect(found(ofBodies, { ...bare, status: 404 })).toEqual([]);
  });

  test('of a caller without creations is judged if other requests are accepted, unless it gets 404', () => {
    const credential = 'OTHER';
    const bare: Exchange = { ...company(8, ''), body: { company_type: 'lender' }, credential };
    const isServed: Exchange = { ...listed('/companies'), credential };
    expect(found(ofBodies, isServed, { ...bare, status: 500 })).toEqual(['companies-create-missing-name']);
    expect(found(ofBodies, isServed, { ...bare, status: 404 })).toEqual([]);
    expect(found(ofBodies, { ...bare, status: 500 })).toEqual([]);
    expect(found(ofBodies, isServed, { ...bare, status: 500, account: 'other' })).toEqual([]);
  });

  test('may be forbidden, unless a later creation succeeds without a deletion before', () => {
    const key = (label: unknown, status: number): Exchange => ({
      ...{ operation: 'POST /api-keys', path: '/api-keys', body: { label }, status },
      json: { data: { id: 5, label, api_key: 'svc_sk_made' } },
    });
    const revoked: Exchange = { operation: 'DELETE /api-keys/{key_id}', path: '/api-keys/5', json: { data: {} } };
    expect(found(ofBodies, key('a', 201), key(7, 403))).toEqual([]);
    expect(found(ofBodies, key('a', 201), key(7, 403), revoked, key('b', 201))).toEqual([]);
    expect(found(ofBodies, key('a', 201), key(7, 403), key('b', 201), revoked)).toEqual(['api-keys-label-missing']);
  });

  test('may be a contact without a type: 422 if nothing else is odd', () => {
    const contact = (texts: Json, status: number): Exchange => ({
      ...{ operation: 'POST /contacts', path: '/contacts', body: { company_id: 7, ...texts }, status, json: {} },
    });
    const duty = ['contacts-create-missing-type'];
    expect(found(ofBodies, ...start, contact({ last_name: 'Doe' }, 400))).toEqual(duty);
    expect(found(ofBodies, ...start, contact({ last_name: 'Doe' }, 422))).toEqual([]);
    expect(found(ofBodies, ...start, contact({ last_name: '' }, 400))).toEqual([]);
    expect(found(ofBodies, ...start, contact({ company_id: 'seven' }, 400))).toEqual([]);
  });

  test('must not be accepted, whatever else might have refused it', () => {
    const phones = [{ raw: '(212) 555-0170' }, { raw: '+44 20 7946 0970', type: 'pager' }];
    const contact = (status: number, more: Json = {}): Exchange => ({
      ...{ operation: 'POST /contacts', path: '/contacts', status, json: { data: { id: 9 } } },
      body: { company_id: 7, contact_type: 'sponsor', last_name: '', phones, ...more },
    });
    expect(found(ofBodies, ...start, contact(201))).toEqual(['contacts-phone-type-unknown']);
    expect(found(ofBodies, ...start, contact(409), contact(422))).toEqual([]);
    expect(found(ofBodies, ...start, contact(201, { phones: [{ raw: '(212) 555-0170' }] }))).toEqual([]);
  });

  test('is judged by its text if the company is the run’s own', () => {
    expect(found(ofBodies, ...start, note(4, ' ', 422), note(4, '', 400))).toEqual([]);
    expect(found(ofBodies, ...start, note(4, ' ', 400))).toEqual(['notes-create-blank']);
    expect(found(ofBodies, ...start, note(4, ['a']))).toEqual(['notes-create-missing-text']);
    expect(found(ofBodies, note(4, ' ', 400))).toEqual([]);
  });

  test('is judged although a deletion of the note was refused, unless it gets 404', () => {
    const misplaced: Exchange = { ...removed({}), path: '/companies/99/notes/4', status: 404 };
    const emptied = (status: number): Exchange => ({
      ...{ operation: 'PATCH /companies/{company_id}/notes/{note_id}', path: '/companies/7/notes/4', status },
      body: { text: '' },
      json: {},
    });
    const made = [...start, note(4, 'a')];
    expect(found(ofBodies, ...made, misplaced, emptied(400))).toEqual([]);
    expect(found(ofBodies, ...made, misplaced, emptied(422))).toEqual(['notes-edit-empty']);
    expect(found(ofBodies, ...made, emptied(404))).toEqual(['notes-edit-empty']);
    expect(found(ofBodies, ...made, misplaced, emptied(404))).toEqual([]);
    expect(found(ofBodies, ...made, removed({ deleted: true }, 4), emptied(422))).toEqual([]);
  });
});

test('a 429 without an envelope counts if its words are those of others', () => {
  const refused = (message: string): Exchange => ({
    ...{ operation: 'POST /companies', path: '/companies', status: 429 },
    json: { error: { code: 'RATE_LIMITED', message } },
  });
  const enveloped = (one: Exchange): Exchange => ({ ...one, json: { request_id: 'r', ...(one.json as object) } });
  const ids = (all: readonly Exchange[], bare: readonly Exchange[], whole = all.map(enveloped)) =>
    ofThrottled({ ...historyOf(...whole), suspect: historyOf(...bare).replies }).map(({ id }) => id);
  expect(ids([refused('Wait 7 seconds.')], [refused('Wait 9 seconds.')])).toEqual(['rate-limits-refused-envelope']);
  expect(ids([refused('Wait 7 seconds.')], [refused('Slow down.')])).toEqual([]);
  expect(ids([], [refused('Wait 7 seconds.'), refused('Wait 9 seconds.')])).toEqual([]);
});

describe('a session', () => {
  const switched = (slug: string): Exchange => ({
    ...{ operation: 'PATCH /me/active-account', path: '/me/active-account', body: { slug } },
    json: { data: { slug } },
  });
  const seen = (account: number): Exchange => ({
    ...{ operation: 'GET /billing/summary', path: '/billing/summary' },
    json: { data: { account_id: account, plan: 'pro' } },
  });
  const accounts: Exchange = {
    ...{ operation: 'GET /me/accounts', path: '/me/accounts' },
    json: { data: [{ slug: 'east' }, { slug: 'west' }] },
  };
  const ofSession = (...exchanges: readonly Exchange[]): History => {
    const { replies, lost } = historyOf(accounts, ...exchanges);
    return { lost, replies: replies.map((one) => ({ ...one, credential: 'COVENANT_JWT' })) };
  };
  const judged = (...exchanges: readonly Exchange[]) => ofSessions(ofSession(...exchanges));
  const both = [switched('east'), seen(1), seen(1), seen(1), switched('west'), seen(2), seen(2), seen(2)];

  test('shows the account of its switch', () => {
    expect(judged(...both)).toEqual([]);
    const stuck = judged(...both, switched('east'), seen(2), seen(1), seen(1));
    expect(stuck.map(({ id }) => id)).toEqual(['account-active-switch-effect']);
  });

  test('shows the account that X-Active-Account names by slug', () => {
    const under = (account: string, shown: string): Exchange => ({
      ...{ operation: 'GET /me', path: '/me', account },
      json: { data: { account: { slug: shown } } },
    });
    const usual = ['east', 'east', 'east', 'west', 'west', 'west'].map((slug) => under(slug, slug));
    const ids = (...exchanges: readonly Exchange[]) => judged(...exchanges).map(({ id }) => id);
    expect(ids(...usual, under('east', 'west'))).toEqual(['account-header-selects']);
    // The target may accept only identifiers: the reply shows the stored account.
    const deaf = ['west', 'west', 'west', 'east'].map((shown) => under('east', shown));
    const other = ['east', 'east', 'east'].map((shown) => under('west', shown));
    expect(ids(...deaf, ...other)).toEqual([]);
  });

  test('is not judged after a refused switch', () => {
    const refused: Exchange = { ...switched('north'), status: 404 };
    expect(judged(...both, switched('east'), refused, seen(2))).toEqual([]);
  });

  test('has an account after a switch', () => {
    const homeless = (...exchanges: readonly Exchange[]) => ofSwitched(ofSession(...exchanges)).map(({ id }) => id);
    const refused: Exchange = { ...seen(1), status: 400 };
    expect(homeless(refused, switched('east'), seen(1))).toEqual([]);
    expect(homeless(switched('east'), { ...refused, account: 'west' })).toEqual([]);
    expect(homeless(switched('east'), refused)).toEqual(['account-active-switch-effect']);
    expect(homeless({ ...switched('north'), status: 404 }, refused)).toEqual([]);
    const { lost, replies } = ofSession(switched('east'), refused);
    const other = replies.map((one, index) => (index < 2 ? one : { ...one, credential: 'COVENANT_JWT_NO_ACCOUNT' }));
    expect(ofSwitched({ lost, replies: other })).toEqual([]);
  });
});
