// Whose billing a reply shows: what one node shows alone, what moves by itself, and balances that lie close say nothing of it.
import { expect, test } from 'vitest';
import { replyOf } from '../../lib/client/reply.test-data.ts';
import type { Reply } from '../../lib/index.ts';
import { agrees, movingIn, showsItsTime, sidesOf, type View, type Views } from './account-view.ts';

const timestamp = '2026-03-02T09:00:00.500Z';
const shows = (data: object): Reply => replyOf({ json: { request_id: 'req_1', timestamp, data } });

const twice = (data: object): View => [shows(data), shows(data)];
const none = new Set<string>();
const viewsOf = (a: object, b: object, moving: ReadonlySet<string> = none): Views => ({
  a: twice(a),
  b: twice(b),
  follows: [true, true],
  moving: [moving, moving],
});

test('a member that one of two nodes shows alone is no word of another account', () => {
  const old = shows({ balance: 4200 });
  const fresh = shows({ balance: 4200, schema_version: 2 });
  expect(agrees(old, [fresh, fresh])).toBe(true);
  expect(agrees(fresh, [old, old])).toBe(true);
  expect(agrees(shows({ balance: 900 }), [old, old])).toBe(false);
  expect(agrees(shows({}), [old, old])).toBe(false);
  expect(agrees(shows({ credit: { amount: 4200 } }), [old, old])).toBe(true);
  const views = viewsOf({ balance: 4200, schema_version: 2, etag: 'one' }, { balance: 900 });
  expect(sidesOf(twice({ balance: 4200 }), views)).toEqual(['a', 'a']);
});

test('balances distinguish accounts only where they lie apart', () => {
  expect(sidesOf(twice({ balance: 4100 }), viewsOf({ balance: 4200 }, { balance: 900 }))).toEqual(['a', 'a']);
  expect(sidesOf(twice({ balance: 98_000 }), viewsOf({ balance: 98_000 }, { balance: 100_000 }))).toEqual([
    undefined,
    undefined,
  ]);
});

test('what none of the earlier replies showed moves by itself; what one of them did may be of its account', () => {
  const [a, b] = [shows({ etag: '1', plan: 'pro' }), shows({ etag: '2', plan: 'free' })];
  expect([...movingIn(shows({ etag: '3', plan: 'pro' }), a, b)]).toEqual(['etag']);
  const views = viewsOf({ etag: '1' }, { etag: '2' }, new Set(['etag']));
  expect(sidesOf(twice({ etag: '1' }), views)).toEqual([undefined, undefined]);
});

test('data as of the time of the reply are known by that', () => {
  expect(showsItsTime(shows({ as_of: '2026-03-02T09:00:00Z' }))).toBe(true);
  expect(showsItsTime(shows({ renews_at: '2027-04-06T09:00:00Z', balance: 1 }))).toBe(false);
});
