// A question that was never recorded gets the reply to the one that is most like it.
import { expect, test } from 'vitest';
import type { Entry } from './format.ts';
import { questionOf, RecordedReplies } from './recorded-replies.ts';

const get = (url: string, account?: string) => ({
  method: 'GET',
  url: `http://target.test/api/external/v2${url}`,
  headers: { authorization: 'Bearer <COVENANT_JWT>', ...(account && { 'x-active-account': account }) },
});

/** Each asked by a case and answered at once, with its number in the body. */
const recorded = (...asked: readonly (readonly [owner: string, request: ReturnType<typeof get>])[]): RecordedReplies =>
  new RecordedReplies(
    asked.flatMap(([owner, request], index): Entry[] => [
      { ask: index + 1, case: owner, request },
      { reply: index + 1, status: 200, headers: {}, body: String(index + 1) },
    ]),
  );

const bodyFor = (replies: RecordedReplies, owner: string, request: ReturnType<typeof get>): unknown => {
  const arrival = replies.like(owner, request)?.arrival;
  return arrival && 'reply' in arrival ? arrival.body : undefined;
};

test('the account that a request names makes it another question', () => {
  const replies = recorded(
    ['other case', get('/companies')],
    ['case', get('/companies', 'foreign')],
    ['case', get('/contacts', 'foreign')],
  );
  expect(bodyFor(replies, 'case', get('/companies'))).toBe('1');
  expect(bodyFor(replies, 'other case', get('/companies', 'foreign'))).toBe('2');
  expect(bodyFor(replies, 'case', get('/contacts'))).toBe('3');
  expect(bodyFor(replies, 'case', get('/me'))).toBeUndefined();
});

test('an answer says when its request left and when it came', () => {
  const request = get('/companies');
  const replies = new RecordedReplies([
    { ask: 1, case: 'case', request, now: [1000, 20] },
    { reply: 1, status: 200, headers: {}, body: '', now: [300] },
    { slept: 1, now: [7] },
  ]);
  expect(replies.to(questionOf('case', request))).toMatchObject([{ askedAt: 1020, at: 1327 }]);
});
