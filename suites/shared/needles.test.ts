// Needles are found wherever they stand, and nothing else is.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Needles } from './needles.ts';

const needle = fc.stringMatching(/^[ab]{8,40}$/);

it('find what a search for each of them would find', () => {
  fc.assert(
    fc.property(fc.array(needle, { maxLength: 6 }), fc.stringMatching(/^[ab"]{0,200}$/), (all, text) => {
      const needles = new Needles();
      for (const one of all) needles.add(one);
      expect(needles.in(text)).toBe(all.find((one) => text.includes(one)));
    }),
  );
});

it.each([0, 1, 7, 31, 32, 33])('find a needle at place %i, among longer and shorter ones', (place) => {
  const needles = new Needles();
  for (const one of ['longer-than-the-others-by-far-and-more', 'wanted-needle', 'another-one']) needles.add(one);
  expect(needles.in(`${'.'.repeat(place)}wanted-needle`)).toBe('wanted-needle');
});

it('come to an end with a needle that is too short', () => {
  const needles = new Needles();
  needles.add('short');
  expect(needles.in('a short text')).toBeUndefined();
});

it('find nothing where there are none', () => {
  expect(new Needles().in('a text without needles')).toBeUndefined();
});
