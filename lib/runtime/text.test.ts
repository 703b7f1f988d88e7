// Nothing that a target sends leaves `visible` unprintable, and nothing is torn or lost without a word.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, duration, moment, short, visible } from './text.ts';

const forbidden = /[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\u{10000}-\u{10fffd}]/u;

test('whatever comes in, what comes out is printable and well-formed', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (codes) => {
      expect(visible(String.fromCharCode(...codes))).not.toMatch(forbidden);
    }),
  );
});

test('ordinary text is left as it is', () => {
  const text = 'Zürich\n\t<b> & "quotes" 😀 日本';
  expect(visible(text)).toBe(text);
});

test('unprintable characters are spelled out', () => {
  expect(visible('a\u0000b\ud800c\u202ed')).toBe('a\\u{0000}b\\u{d800}c\\u{202e}d');
});

test('cutting says the full size and tears no pair of surrogates', () => {
  expect(cut('abc', 3)).toEqual({ text: 'abc' });
  expect(cut('a😀b', 2)).toEqual({ text: 'a', all: 4 });
  expect(short('abcdef', 3)).toBe('abc … (3 of 6 characters)');
});

test.each([
  [12.4, '12 ms'],
  [12_345, '12.3 s'],
  [59_960, '1 min 00 s'],
  [245_000, '4 min 05 s'],
])('%d ms is said as %s', (ms, said) => {
  expect(duration(ms)).toBe(said);
});

test('moments are shown in UTC', () => {
  expect(moment('2026-03-01T09:30:00.000Z')).toBe('2026-03-01 09:30:00 UTC');
});
