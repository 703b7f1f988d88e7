// The order in which messages are listed: the same whatever the tokens are that they repeat.
import { expect, test } from 'vitest';
import { fewOf } from './answer.ts';

const base64 = (token: string): string => Buffer.from(token).toString('base64');
const [one, other] = ['svc_sk_abcdefghijklmnop', 'svc_sk_zyxwvutsrqponmlk'].map(base64);

test('messages without tokens stand in alphabetical order', () => {
  expect(fewOf(['no token', 'expired', 'invalid signature'])).toEqual(['expired', 'invalid signature', 'no token']);
});

test.each([
  [one, other],
  [other, one],
])('messages with tokens stand as they came, behind those that come before them in the alphabet', (first, second) => {
  const came = [`token ${first} is bad`, `token ${second} is bad`, 'expired'];
  expect(fewOf(came)).toEqual(['expired', ...came.slice(0, 2)]);
});

test('of many the first are listed, and how many more there are', () => {
  expect(fewOf(['7', '6', '5', '4', '3', '2', '1'])).toEqual(['7', '6', '5', '4', '3', 'and 2 more']);
});
