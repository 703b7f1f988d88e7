// Tests that messages are listed in an order that does not depend on the tokens in them.
import { expect, test } from 'vitest';
import { firstMessages } from './answer.ts';

const base64 = (token: string): string => Buffer.from(token).toString('base64');
const [one, other] = ['svc_sk_abcdefghijklmnop', 'svc_sk_zyxwvutsrqponmlk'].map(base64);

test('messages without tokens are in alphabetical order', () => {
  expect(firstMessages(['no token', 'expired', 'invalid signature'])).toEqual([
    'expired',
    'invalid signature',
    'no token',
  ]);
});

test.each([
  [one, other],
  [other, one],
])('messages with tokens stand as they came, behind those that come before them in the alphabet', (first, second) => {
  const came = [`token ${first} is bad`, `token ${second} is bad`, 'expired'];
  expect(firstMessages(came)).toEqual(['expired', ...came.slice(0, 2)]);
});

test('only the first of many are listed, with the number of the others', () => {
  expect(firstMessages(['7', '6', '5', '4', '3', '2', '1'])).toEqual(['7', '6', '5', '4', '3', 'and 2 more']);
});
