// A clock that was put excuses what rests on that moment, and nothing before or long after it.
import { expect, test } from 'vitest';
import { replyOf } from '../client/reply.test-data.ts';
import { mayExcuse, wasPutAmid, wasPutSince } from './put-clock.ts';

const s = 1000;
const minute = 60 * s;
const put = { at: 10 * minute, backMs: 3 * s };
const seen = (...times: readonly number[]) =>
  times.map((sentAt) => replyOf({ sentAt: put.at + sentAt, receivedAt: put.at + sentAt + 50 }));

test('what was begun since, or shortly before', () => {
  const since = (ms: number) => wasPutSince([put], put.at + ms);
  expect([since(-minute), since(0), since(12 * s)]).toEqual([true, true, true]);
  expect([since(14 * s), wasPutSince([{ ...put, backMs: 24 * 60 * minute }], put.at + 21 * s)]).toEqual([false, false]);
});

test('replies between which it was put', () => {
  expect(wasPutAmid([put], seen(-minute, minute))).toBe(true);
  expect(wasPutAmid([put], seen(5 * s, 8 * s))).toBe(true);
  expect(wasPutAmid([put], seen(-minute, -s))).toBe(false);
  expect(wasPutAmid([put], seen(11 * s, 20 * s))).toBe(false);
  expect(wasPutAmid([], seen(-minute, minute))).toBe(false);
  expect(wasPutAmid([put], [])).toBe(false);
});

test('of those only where one came soon enough afterwards to be wrong for it', () => {
  expect(mayExcuse([put], seen(-minute, 2 * s, 5 * minute))).toBe(true);
  expect(mayExcuse([put], seen(-minute, 5 * minute))).toBe(false);
  expect(mayExcuse([{ ...put, backMs: 10 * minute }], seen(-minute, 5 * minute))).toBe(true);
  expect(mayExcuse([put], seen(-2 * minute, -minute))).toBe(false);
});
