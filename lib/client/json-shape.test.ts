// The shape of JSON, counted without making it.
import { expect, test } from 'vitest';
import { endOfObject, shapeOf } from './json-shape.ts';

test.each([
  ['1', 0, 1],
  ['[]', 1, 2],
  ['[1,2,[3]]', 2, 5],
  ['{"a":{"b":[]},"c":"[{,\\"]"}', 3, 5],
  ['"\\\\",[', 1, 3],
  ['"never ended [', 0, 1],
])('%s has %i levels, %i values', (text, levels, values) => {
  expect(shapeOf(text)).toEqual({ levels, values });
});

test.each([
  ['{}', 2],
  ['{"a":{"b":"}\\""}} more', 17],
  ['{"a":[{}', undefined],
  [' {}', undefined],
  ['[]', undefined],
])('the object with which %s begins ends at %s', (text, end) => {
  expect(endOfObject(text)).toBe(end);
});
