// Tests of lost writes: which reply to the same request, sent again, shows whether it was carried out.
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

test.each<[deletedBy: string, deleted: number, isSettled: boolean]>([
  ['COVENANT_API_KEY', 1, true],
  ['COVENANT_API_KEY', 3, false],
  ['COVENANT_JWT', 1, false],
])('a deletion without a reply is settled after one by %s in reply %i: %s', (credential, id, isSettled) => {
  const url = 'https://api.example.com/companies/1/notes/2';
  const [earlier, request]: readonly Sent[] = [1, 2].map(() => ({ method: 'DELETE', url, headers: {} }));
  if (earlier === undefined || request === undefined) throw new Error('both are there');
  const lost = { request, status: 404, id: 4, after: 2, credential: 'COVENANT_API_KEY' };
  const replies = [replyOf({ request: earlier, status: 200, id, after: id - 1, credential }), replyOf(lost)];
  expect(unsettled([request], replies)).toEqual(isSettled ? [] : [request]);
});
