// Tests of comparing billing replies: members of one node alone and values that change by themselves do not count.
import { expect, test } from 'vitest';
import { replyOf } from '../../lib/client/reply.test-data.ts';
import type { Reply } from '../../lib/index.ts';
import { agrees, changingPathsIn } from './effect.ts';

const timestamp = '2026-03-02T09:00:00.500Z';
const shows = (data: object): Reply => replyOf({ json: { request_id: 'req_1', timestamp, data } });

test('a member that only one of two nodes shows proves nothing', () => {
  const old = shows({ balance: 4200 });
  const fresh = shows({ balance: 4200, schema_version: 2 });
  expect(agrees(old, [fresh, fresh])).toBe(true);
  expect(agrees(fresh, [old, old])).toBe(true);
  expect(agrees(shows({ balance: 900 }), [old, old])).toBe(false);
  expect(agrees(shows({}), [old, old])).toBe(false);
  expect(agrees(shows({ credit: { amount: 4200 } }), [old, old])).toBe(true);
});

test('a value that no earlier reply showed changes by itself', () => {
  const [a, b] = [shows({ etag: '1', plan: 'pro' }), shows({ etag: '2', plan: 'free' })];
  expect([...changingPathsIn(shows({ etag: '3', plan: 'pro' }), a, b)]).toEqual(['etag']);
});
