// Which lists lack what their reader has made: the order of the replies decides, also where all happens at one moment.
import { expect, test } from 'vitest';
import { lackingKinds } from './belonging.ts';
import { type Exchange, story } from './story.test-data.ts';

const moment = { at: 1000 };
const creation: Exchange = {
  ...moment,
  operation: 'POST /companies',
  path: '/companies',
  status: 201,
  json: { data: { id: 7 } },
};
const list = (...ids: readonly number[]): Exchange => ({
  ...moment,
  operation: 'GET /companies',
  path: '/companies',
  json: { data: ids.map((id) => ({ id })), pagination: { total: ids.length, limit: 50, has_more: false } },
});

test('a list that came before a creation of the same millisecond lacks nothing', () => {
  expect(lackingKinds(story(list(), creation, list(7)))).toEqual(new Set());
});

test('a list that was asked for after a creation lacks it, if only for a moment', () => {
  expect(lackingKinds(story(creation, list(), list(7)))).toEqual(new Set(['company']));
});
