// Phones are found again in a reply by what they carry, and by their place where that says nothing.
import { expect, test } from 'vitest';
import { replyOf } from '../../lib/client/reply.test-data.ts';
import { type Dialled, returnedPhone } from './phone.ts';

const fax: Dialled = { raw: '(212) 555-0161', e164: '+12125550161', type: 'fax', extension: '7' };
const mobile: Dialled = { raw: '+33 1 44 55 66 61', e164: '+33144556661' };
const shown = (...phones: readonly object[]) => replyOf({ operation: 'POST /contacts', json: { data: { phones } } });
const found = (one: Dialled, ...phones: readonly object[]) => returnedPhone(shown(...phones), [fax, mobile], one);

test('a phone is found by its number, whatever its place', () => {
  const [first, second] = [{ number: mobile.e164 }, { number: fax.e164, type: 'office' }];
  expect(found(fax, first, second)).toEqual(second);
});

test('phones without numbers may come in another order', () => {
  const [first, second] = [{ type: 'mobile' }, { type: 'fax', extension: '7' }];
  expect(found(fax, first, second)).toEqual(second);
  expect(found(mobile, second, first)).toEqual(first);
});

test('a phone that lost what it was given is found by its place', () => {
  const [first, second] = [{ type: 'fax', extension: null }, { type: 'mobile' }];
  expect(found(fax, first, second)).toEqual(first);
});
