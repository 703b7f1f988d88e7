// Writes that got no reply at first: which answer to the same request, sent again, says what became of them.
import { expect, test } from 'vitest';
import { replyOf } from '../client/reply.test-data.ts';
import type { Sent } from '../client/reply.ts';
import { unsettled } from './writes.ts';

const keyed = { 'idempotency-key': 'b2c7d0a4-0000-4000-8000-000000000001' };

test.each<[method: string, headers: Sent['headers'], status: number | undefined, isSettled: boolean]>([
  ['POST', keyed, 201, true],
  ['POST', {}, 201, false],
  ['POST', {}, 422, true],
  ['POST', keyed, 409, false],
  ['PATCH', {}, 200, true],
  ['PATCH', {}, 404, true],
  ['PATCH', {}, 429, false],
  ['DELETE', {}, 200, true],
  ['DELETE', {}, 404, false],
  ['DELETE', {}, 503, false],
  ['DELETE', {}, undefined, false],
])('%s with %j, lost and then answered with %s: settled is %s', (method, headers, status, isSettled) => {
  const request: Sent = { method, url: 'https://api.example.com/companies', headers };
  const replies = status === undefined ? [] : [replyOf({ request, status })];
  expect(unsettled([request], replies)).toEqual(isSettled ? [] : [request]);
});
