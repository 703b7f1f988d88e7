// Tests of the substring index: it finds the same as a search for each text.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SubstringIndex } from './duties.ts';

const needle = fc.stringMatching(/^[ab]{8,40}$/);

test('the index finds what a search for each text would find', () => {
  fc.assert(
    fc.property(fc.array(needle, { maxLength: 6 }), fc.stringMatching(/^[ab"]{0,200}$/), (all, text) => {
      const index = new SubstringIndex();
      for (const one of all) index.add(one);
      expect(index.in(text)).toBe(all.find((one) => text.includes(one)));
    }),
  );
});

test.each([0, 1, 7, 31, 32, 33])('the index finds a text at place %i, among longer and shorter ones', (place) => {
  const index = new SubstringIndex();
  for (const one of ['longer-than-the-others-by-far-and-more', 'wanted-needle', 'another-one']) index.add(one);
  expect(index.in(`${'.'.repeat(place)}wanted-needle`)).toBe('wanted-needle');
});

test('a text too short to be found does not break the search', () => {
  const index = new SubstringIndex();
  index.add('short');
  expect(index.in('a short text')).toBeUndefined();
});

test('an empty index finds nothing', () => {
  expect(new SubstringIndex().in('a text without needles')).toBeUndefined();
});
