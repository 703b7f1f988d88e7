// Tests of rules for notes: the list that shows one, and the texts that must be accepted.
import { expect, test } from 'vitest';
import { type Exchange, historyOf } from '../../lib/model/history.test-data.ts';
import { ofNotes } from '../rules.test-data.ts';

const text = 'Covenant x9k2 note 1f 1 - long enough to be nobody else’s';
const company: Exchange = { operation: 'POST /companies', path: '/companies', status: 201, json: { data: { id: 18 } } };
const made = (of: string): Exchange => ({
  operation: 'POST /companies/{company_id}/notes',
  path: '/companies/18/notes',
  body: { text: of },
  status: 201,
  json: { data: { id: 5, text: of } },
});
const listed = (of: number, id: number, shown: string): Exchange => ({
  operation: 'GET /companies/{company_id}/notes',
  path: `/companies/${of}/notes`,
  json: { data: [{ id, text: shown }], pagination: { total: 1, limit: 50, has_more: false } },
});

test.each([
  ['a note of the run under another company', [made(text), listed(1, 5, text)], ['notes-list-own-company']],
  ['under its own', [made(text), listed(18, 5, text)], []],
  ['another note with its text', [made(text), listed(1, 6, text)], []],
  ['a note of its number with another text', [made(text), listed(1, 5, 'Anything else that is long enough')], []],
  ['a text that others may write as well', [made('0'), listed(1, 5, '0')], []],
])('%s', (_, exchanges, ids) => {
  expect(ofNotes(historyOf(company, ...exchanges)).map(({ id }) => id)).toEqual(ids);
});

test('nothing is judged if the reply to the creation of a company was lost', () => {
  const { replies } = historyOf(company, made(text), listed(1, 5, text));
  const lost = [{ method: 'POST', url: 'https://target.test/api/external/v2/companies', headers: {} }];
  expect(ofNotes({ replies, lost })).toEqual([]);
});

const refused = (of: unknown, status: number, more: Partial<Exchange> = {}): Exchange => ({
  ...{ ...made('a'), body: { text: of }, status, json: {} },
  ...more,
});
const other = made('Another text');

test.each<[what: string, exchanges: readonly Exchange[], ids: readonly string[]]>([
  ['a text with special characters', [other, refused('a <b>', 403)], ['notes-text-characters']],
  [
    'a page in place of each reply',
    [other, refused('a <b>', 403, { key: 'k', mayReplay: true })],
    ['notes-text-characters'],
  ],
  ['a replay', [made('a "b"'), refused('a <b>', 422, { key: 'k', mayReplay: true })], []],
  ['a text of 1,000 characters', [other, refused('x'.repeat(1000), 422)], ['notes-text-long']],
  ['a longer one', [other, refused('x'.repeat(1001), 422)], []],
  ['a longer one, as forbidden', [other, refused('x'.repeat(1001), 403)], ['notes-text-long']],
  ['an ordinary text', [other, refused('a', 403)], []],
  ['every text', [refused('a <b>', 403)], []],
  ['what is no text', [other, refused(['a <b>'], 422)], []],
  ['a text for a note that is not found', [other, refused('a <b>', 404)], []],
  ['a text beyond the limit', [other, refused('a <b>', 429)], []],
])('refused texts: %s', (_, exchanges, ids) => {
  expect(ofNotes(historyOf(company, ...exchanges)).map(({ id }) => id)).toEqual(ids);
});
