// Runs are found as a pattern finds them, wherever they begin, end, or are cut.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { codesOf, nextRun, type Run, tableOf } from './runs.ts';

const table = tableOf('ab_');

function runsOf(text: string, least: number, from: number, to: number): Run[] {
  const codes = codesOf(text);
  const runs: Run[] = [];
  for (let run = nextRun(table, codes, least, from, to); run; run = nextRun(table, codes, least, run.end, to))
    runs.push(run);
  return runs;
}

test('each run of a text is found once, as a pattern finds it', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '_', '.', 'ä', '\u{1f600}'), maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 6 }), fc.nat(70), fc.nat(70), (text, least, from, length) => {
      const to = Math.min(text.length, from + length);
      const part = text.slice(from, to);
      const expected = Array.from(
        part.matchAll(new RegExp(`[ab_]{${least},}`, 'g')),
        ({ index, 0: { length: long } }) => ({
          start: from + index,
          end: from + index + long,
        }),
      );
      expect(runsOf(text, least, from, to)).toEqual(expected);
    }),
    { seed: 5, numRuns: 3000 },
  );
});

test('without an end the text is read to its own', () => {
  expect(nextRun(table, codesOf('..aabb'), 3, 0)).toEqual({ start: 2, end: 6 });
  expect(nextRun(table, codesOf('..aabb'), 5, 0)).toBeUndefined();
});
