// Tests of the rules over pages: correct pages pass, and each fault violates its own requirement.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofLists, ofPagination } from '../rules.test-data.ts';

const notes = '/companies/7/notes';

const company: Exchange = { operation: 'POST /companies', path: '/companies', status: 201, json: { data: { id: 7 } } };
const made = (id: number, text: string): Exchange => ({
  operation: 'POST /companies/{company_id}/notes',
  path: notes,
  body: { text },
  status: 201,
  json: { data: { id, text } },
});
const listing = (query: string, ids: readonly number[], pagination: object): Exchange => ({
  operation: 'GET /companies/{company_id}/notes',
  path: `${notes}${query}`,
  json: {
    data: ids.map((id) => ({ id, text: `note ${id}` })),
    pagination: { limit: Number(/limit=(\d+)/.exec(query)?.[1] ?? 50), ...pagination },
  },
});

const begun = [company, made(1, 'note 1'), made(2, 'note 2'), made(3, 'note 3')] as const;
const whole = listing('', [1, 2, 3], { total: 3, has_more: false });
const found = (...exchanges: readonly Exchange[]) => ofLists(historyOf(...begun, ...exchanges)).map(({ id }) => id);

test('correct pages are no violations', () => {
  const first = listing('?limit=2', [1, 2], { total: 3, has_more: true, next_cursor: 'c' });
  const last = listing('?limit=2&cursor=c', [3], { total: 3, has_more: false });
  expect(found(whole, first, last)).toEqual([]);
});

test('a wrong total, has_more or page violates its own requirement', () => {
  expect(found(whole, listing('', [1, 2, 3], { total: 4, has_more: false }))).toEqual(['pagination-total-exact']);
  expect(found(whole, listing('', [1, 2, 3], { total: 3, has_more: true }))).toEqual(['pagination-has-more-last']);
  expect(found(listing('?limit=2', [1, 2], { total: 3, has_more: false }), whole)).toEqual([
    'pagination-has-more-remains',
  ]);
  expect(found(listing('', [1, 3], { total: 3, has_more: false }), whole)).toEqual(['pagination-traversal-complete']);
});

test('an empty list has total 0 and has_more false', () => {
  const none = historyOf(company, listing('', [], { total: 0, has_more: false }));
  expect(ofLists(none)).toEqual([]);
  for (const wrong of [
    { total: 0, has_more: true },
    { total: 1, has_more: false },
  ])
    expect(ofLists(historyOf(company, listing('', [], wrong))).map(({ id }) => id)).toEqual(['pagination-list-empty']);
});

test('a note by a caller that may not see the company may be in its list, or in that of another company', () => {
  const other = { ...made(4, 'note 4'), credential: 'COVENANT_API_KEY_RESTRICTED' };
  expect(found(other, whole)).toEqual([]);
  expect(found(other, listing('', [1, 2, 3, 4], { total: 4, has_more: false }))).toEqual([]);
  expect(found(other, listing('', [1, 2, 3, 4], { total: 5, has_more: false }))).toEqual(['pagination-total-exact']);
});

test('a note shown again under its key existed before, whoever created it', () => {
  const other = { ...made(4, 'note 4'), credential: 'COVENANT_API_KEY_RESTRICTED' };
  const again: Exchange = { ...made(4, 'note 4'), mayReplay: true };
  expect(found(other, listing('', [1, 2, 3, 4], { total: 4, has_more: false }), again)).toEqual([]);
});

test('the total under a foreign cursor is open', () => {
  const known = listing('?limit=2', [1, 2], { total: 3, has_more: true, next_cursor: 'c' });
  const later = (cursor: string) => listing(`?limit=1&cursor=${cursor}`, [3], { total: 9, has_more: false });
  expect(found(whole, known, later('c'))).toEqual(['pagination-total-exact']);
  expect(found(whole, known, later('d'))).toEqual([]);
});

const gone = (id: number, path = notes): Exchange => ({
  operation: 'DELETE /companies/{company_id}/notes/{note_id}',
  path: `${path}/${id}`,
  json: { data: { deleted: true } },
});

test('a note missing in a whole list was never listed, or lost with another one', () => {
  const short = listing('', [1, 3], { total: 2, has_more: false });
  expect(found(short, whole)).toEqual(['notes-list-contains', 'pagination-total-exact']);
  expect(found(whole, gone(3), listing('', [1], { total: 1, has_more: false }))).toEqual(['notes-others-untouched']);
  const denied = { ...gone(2), status: 401, credential: 'a_key' };
  expect(found(whole, denied, gone(3), listing('', [1], { total: 1, has_more: false }))).toEqual([]);
  expect(found(whole, denied, short)).toEqual(['authentication-refused-effect']);
  expect(found(whole, { ...denied, status: 429 }, short)).toEqual([]);
  expect(found(whole, gone(1), gone(3), listing('', [2], { total: 1, has_more: false }))).toEqual([]);
});

test('a note of another company is not mistaken for a refused one', () => {
  const other: Exchange = { ...company, json: { data: { id: 8 } } };
  const elsewhere: Exchange = { ...made(9, 'elsewhere'), path: '/companies/8/notes' };
  const leak: Exchange = {
    ...whole,
    json: { data: [{ id: 9, text: 'elsewhere' }], pagination: { total: 4, has_more: false } },
  };
  expect(found(other, elsewhere, leak)).toEqual(['notes-list-own-company']);
});

test('an unknown note and a deleted one are violations', () => {
  const copy = {
    ...listing('', [1, 2, 3, 9], { total: 4, has_more: false }),
    json: { data: [{ id: 9, text: 'note 3' }], pagination: { total: 4, has_more: false } },
  };
  expect(found(copy)).toEqual(['notes-create-once']);
  expect(found(gone(3), whole)).toEqual(['notes-delete-effect']);
});

test('a deleted note that comes back is a violation, unless its creation was repeated', () => {
  const repeated = (id: number): Exchange => ({ ...made(id, `note ${id}`), mayReplay: true });
  expect(found(gone(3), repeated(2), whole)).toEqual(['notes-delete-effect']);
  expect(found(gone(3), repeated(3), whole)).toEqual([]);
});

test('a list that starts over after its last record should have ended there', () => {
  const page = (query: string, next: string) =>
    listing(query, [1, 2, 3], { total: 3, has_more: true, next_cursor: next });
  const elsewhere: Exchange = { ...made(9, 'note 9'), path: '/companies/8/notes', at: 50_000 };
  expect(found(elsewhere, page('', 'a'), page('?cursor=a', 'b'))).toEqual(['pagination-has-more-last']);
});

const given = (query: string, next?: string): Exchange => ({
  operation: 'GET /contacts',
  path: `/contacts${query}`,
  json: { data: [], pagination: { total: 9, limit: 2, has_more: true, next_cursor: next } },
});
const refusal = (query: string, more: Partial<Exchange> = {}): Exchange => ({
  operation: 'GET /contacts',
  path: `/contacts${query}`,
  status: 400,
  ...more,
});
const foundAlone = (...exchanges: readonly Exchange[]) => ofPagination(historyOf(...exchanges)).map(({ id }) => id);

test('refusing a fresh cursor leaves the traversal incomplete', () => {
  expect(foundAlone(given('?limit=2', 'abc'), refusal('?limit=2&cursor=abc'))).toEqual([
    'pagination-traversal-complete',
  ]);
  expect(foundAlone(given('?limit=2&fields=name', 'abc'), refusal('?cursor=abc&limit=2&fields=name'))).toEqual([
    'pagination-traversal-complete',
    'pagination-fields-later-pages',
  ]);
});

test('a cursor of another query or caller, with a sort, or an old one may be refused', () => {
  expect(foundAlone(given('?limit=2', 'abc'), refusal('?limit=3&cursor=abc'))).toEqual([]);
  expect(foundAlone(given('?limit=2', 'abc'), refusal('?limit=2&cursor=abd'))).toEqual([]);
  expect(foundAlone(given('?limit=2', 'abc'), refusal('?limit=2&cursor=abc&sort=name'))).toEqual([]);
  expect(foundAlone(given('?sort=name', 'abc'), refusal('?sort=name&cursor=abc'))).toEqual([]);
  expect(foundAlone(given('?limit=2', 'abc'), refusal('?limit=2&cursor=abc', { status: 401 }))).toEqual([]);
  expect(
    foundAlone(given('?limit=2', 'abc'), refusal('?limit=2&cursor=abc', { credential: 'COVENANT_API_KEY_SECONDARY' })),
  ).toEqual([]);
  expect(foundAlone(given('?limit=2', 'abc'), refusal('?limit=2&cursor=abc', { at: 60_000 }))).toEqual([]);
});

const page = (query: string, ids: readonly number[], next?: string, total = 4): Exchange =>
  listing(`?limit=2${query}`, ids, { total, has_more: next !== undefined, next_cursor: next ?? null });
const four = [...begun, made(4, 'note 4')];
const ofFour = (...exchanges: readonly Exchange[]) =>
  ofPagination(historyOf(...four, ...exchanges)).map(({ id }) => id);
const atRest = [page('', [4, 3], 'a'), page('&cursor=a', [2, 1])];
const removed: Exchange = {
  ...{ operation: 'DELETE /companies/{company_id}/notes/{note_id}', path: `${notes}/4` },
  json: { data: { deleted: true } },
};
const edited: Exchange = {
  ...{ operation: 'PATCH /companies/{company_id}/notes/{note_id}', path: `${notes}/4`, body: { text: 'note 4' } },
  json: { data: { id: 4, text: 'note 4' } },
};

test.each<[what: string, change: Exchange, rest: readonly number[], accused: readonly string[]]>([
  ['a record comes', made(5, 'note 5'), [3, 2, 1], ['pagination-stable-inserts']],
  ['a record is deleted', removed, [1], ['pagination-stable-deletes']],
  ['a record is edited', edited, [1], ['pagination-stable-edits']],
  ['a record comes, and all is well', made(5, 'note 5'), [2, 1], []],
  ['a record is edited elsewhere', { ...edited, path: '/companies/8/notes/4' }, [1], ['pagination-traversal-complete']],
])('%s between two pages', (_, change, rest, accused) => {
  const total = change === removed ? 3 : change === edited ? 4 : 5;
  // The skipped record is still listed.
  const last = listing('?limit=3', [3, 2, 1], { total, has_more: true });
  const found = ofFour(...atRest, page('', [4, 3], 'b'), change, page('&cursor=b', rest, undefined, total), last);
  expect(found.filter((id) => /stable|traversal/.test(id))).toEqual(accused);
});

test('faults of a list that is always wrong are not attributed to changes', () => {
  const skipping = [page('', [4, 3], 'a'), page('&cursor=a', [1])];
  const found = ofFour(...skipping, page('', [4, 3], 'b'), made(5, 'note 5'), page('&cursor=b', [1], undefined, 5));
  expect(found.filter((id) => /stable/.test(id))).toEqual([]);
});

test('a cursor refused after a change is attributed to it', () => {
  const refused = { ...page('&cursor=b', []), status: 400, at: 72_000 };
  expect(ofFour(...atRest, page('', [4, 3], 'b'), { ...made(5, 'note 5'), at: 71_000 }, refused)).toEqual([
    'pagination-stable-inserts',
  ]);
  expect(ofFour(...atRest, page('', [4, 3], 'b'), refused)).toEqual(['pagination-traversal-complete']);
});

test('a traversal that returns to an earlier page never ends', () => {
  const again = [page('', [4, 3], 'a'), page('&cursor=a', [2, 1], 'b'), page('&cursor=b', [4, 3], 'a')];
  expect(ofFour(...again)).toContain('pagination-traversal-ends');
  expect(ofFour(...atRest)).toEqual([]);
});

test('a traversal may have empty pages before its last record, but not endlessly after it', () => {
  const turns = Array.from({ length: 25 }, (_, turn) => turn);
  const [before, after] = ['b', 'a'].map((word) => turns.map((turn) => `${word}${turn}`));
  const empty = (cursors: readonly string[] = []) =>
    cursors.slice(1).map((next, index) => page(`&cursor=${cursors[index]}`, [], next));
  const late = [page('', [4, 3], 'b0'), ...empty(before), page('&cursor=b24', [2, 1])];
  expect(ofFour(...late)).toEqual([]);
  const endless = [page('', [4, 3], 'c'), page('&cursor=c', [2, 1], 'a0'), ...empty(after)];
  expect(ofFour(...endless)).toContain('pagination-traversal-ends');
});

test('a cursor may be valid only once', () => {
  const refused = { ...page('&cursor=b', []), status: 400 };
  expect(ofFour(page('', [4, 3], 'b'), page('&cursor=b', [2, 1]), refused)).toEqual([]);
});

test('an empty list of notes is served', () => {
  const refused: Exchange = { ...listing('', [], {}), status: 404, json: {} };
  const found = (...all: readonly Exchange[]) => ofPagination(historyOf(company, ...all)).map(({ id }) => id);
  expect(found(refused)).toEqual(['pagination-list-empty']);
  expect(found(made(1, 'note 1'), refused)).toEqual([]);
  expect(found({ ...refused, path: '/companies/9/notes' })).toEqual([]);
});
