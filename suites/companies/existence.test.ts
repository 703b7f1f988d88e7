// Tests of the existence rules: existing companies and notes are served, unknown ones get 404.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofExistence } from '../rules.test-data.ts';

const company = { id: 7, name: 'Covenant abc company', company_type: 'lender' };
const { id: _, ...sent } = company;
const textOf = (id: number): string => `Covenant abc note ${id}`;
const note = (id: number): Exchange => ({
  ...{ operation: 'POST /companies/{company_id}/notes', path: '/companies/7/notes' },
  ...{ body: { text: textOf(id) }, status: 201, json: { data: { id, company_id: 7, text: textOf(id) } } },
});
const read = (id: number, status: number, more: Partial<Exchange> = {}): Exchange => ({
  ...{ operation: 'GET /companies/{company_id}', path: `/companies/${id}`, status },
  ...{ json: status < 300 ? { data: { ...company, id } } : {}, ...more },
});
const edit = (path: string, status: number, more: Partial<Exchange> = {}): Exchange => ({
  ...{ operation: 'PATCH /companies/{company_id}/notes/{note_id}', path: `/companies/${path}`, status },
  ...{ body: { text: 'some text' }, json: { data: { id: Number(path.split('/').at(-1)), text: 'some text' } } },
  ...more,
});
const deletion = (path: string, status = 200): Exchange => ({
  ...{ operation: 'DELETE /companies/{company_id}/notes/{note_id}', path: `/companies/${path}`, status },
  json: status < 300 ? { data: { deleted: true } } : {},
});
const rename = (status: number, more: Partial<Exchange> = {}): Exchange => ({
  ...{ operation: 'PATCH /companies/{company_id}', path: '/companies/7', status },
  ...{ body: { ...sent, name: 'Covenant abc renamed' }, json: { error: {} }, ...more },
});
const contact = (status: number, more: Partial<Exchange> = {}): Exchange => ({
  ...{ operation: 'POST /contacts', path: '/contacts', status, json: { error: {} } },
  ...{ body: { contact_type: 'sponsor', company_id: 7 }, ...more },
});
/** A company with two notes and a deleted one, and each operation accepted once. */
const before: readonly Exchange[] = [
  { operation: 'GET /companies', path: '/companies', json: { data: [] } },
  { operation: 'POST /companies', path: '/companies', body: sent, status: 201, json: { data: company } },
  ...[8, 9, 10].map(note),
  ...[read(7, 200), edit('7/notes/8', 200), deletion('7/notes/10')],
];
const error = { json: { error: {} } };

test.each<[what: string, exchange: Exchange, found: readonly string[]]>([
  ['a company that nobody has is gone', read(500_000, 410), ['companies-read-unknown']],
  ['or an outage', read(500_000, 500, error), ['companies-read-unknown']],
  ['a deletion at no company', deletion('500000/notes/9', 422), ['notes-unknown-company']],
  ['an edit of no note', edit('7/notes/500000', 400), ['notes-unknown-note']],
  ['an edit that makes it', edit('7/notes/500000', 200), ['notes-unknown-note']],
  ['a second deletion', deletion('7/notes/10', 410), ['notes-deleted-unknown']],
  ['not found', read(500_000, 404), []],
  ['withheld', read(500_000, 403), []],
  ['shown, as it may be somebody’s', read(500_000, 200), []],
  ['below one that was seen', read(5, 400), []],
  ['beyond what every target can read', read(5_000_000_000, 400), []],
  ['an edit at the company of somebody else', edit('5/notes/500000', 200), []],
  ['an edit of no note without a text', edit('7/notes/500000', 400, { body: { text: '' } }), []],
  ['an edit that is not found, since another note was deleted', edit('7/notes/9', 404), ['notes-others-untouched']],
  ['an edit that ends in an outage', edit('7/notes/9', 500, error), ['envelope-valid-served']],
  ['a deletion that is malformed', deletion('7/notes/9', 400), ['envelope-valid-served']],
  ['an edit in conflict', edit('7/notes/9', 409), []],
  ['an edit without the right', edit('7/notes/9', 403), []],
  ['an edit that may be a repeat', edit('7/notes/9', 422, { mayReplay: true }), []],
  ['an edit of a company that is not found', rename(404), ['envelope-valid-served']],
  ['an edit that is refused for its body', rename(422), []],
  ['an edit of which the organization may not be found', rename(404, { body: { ...sent, org_id: 1 } }), []],
  ['an edit by another user', rename(404, { credential: 'COVENANT_API_KEY_RESTRICTED' }), []],
  ['a contact at a company that is not found', contact(404), ['envelope-valid-served']],
  ['a contact that is refused for its body', contact(422), []],
  ['a contact by another user', contact(404, { credential: 'COVENANT_API_KEY_RESTRICTED' }), []],
  ['somebody who is served nothing', edit('7/notes/9', 404, { credential: 'OTHER' }), []],
])('%s', (_, exchange, found) => {
  expect(ofExistence(historyOf(...before, exchange)).map(({ id }) => id)).toEqual(found);
});

test('a request without a reply may have been carried out', () => {
  const { replies } = historyOf(...before, edit('7/notes/9', 404));
  const lost = [{ method: 'DELETE', url: 'https://target.test/api/external/v2/companies/7/notes/9', headers: {} }];
  expect(ofExistence({ replies, lost })).toEqual([]);
});
