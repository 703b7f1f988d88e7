// The table of choices: how many there are, and that every value is drawn by some seed.
import { describe, expect, test } from 'vitest';
import { choiceTable, drawChoices } from './choices.ts';
import { createSecondReading } from './index.ts';

const seeds = Array.from({ length: 400 }, (_, index) => index);

describe('the table of choices', () => {
  test('has at least 150 rows, each with different values and a sentence', () => {
    expect(choiceTable.length).toBeGreaterThanOrEqual(150);
    expect(new Set(choiceTable.map((row) => row.name)).size).toBe(choiceTable.length);
    for (const { sentence, values } of choiceTable) {
      expect(sentence.length).toBeGreaterThan(20);
      expect(values.length).toBeGreaterThanOrEqual(2);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  test('draws every value for some of 400 seeds', () => {
    const drawn = seeds.map((seed) => drawChoices(seed));
    for (const { name, values } of choiceTable) {
      const seen = new Set<string>(drawn.map((choices) => choices[name]));
      expect([name, [...seen].sort()]).toEqual([name, [...values].sort()]);
    }
  });

  test('draws the same from the same seed, and keeps what is fixed', async () => {
    const one = await createSecondReading({ seed: 9, now: () => 1_770_000_000_000 });
    const two = await createSecondReading({ seed: 9, now: () => 1_770_000_000_000 });
    expect(two.choices).toEqual(one.choices);
    expect(two.env).toEqual(one.env);
    const fixed = await createSecondReading({ seed: 9, choices: { jsonIndent: 'tab' } });
    expect(fixed.choices.jsonIndent).toBe('tab');
  });
});
