// The table of choices, and what no run waits for; all else of the second reading is examined by the suite itself.
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

test('keeps what came under an Idempotency-Key for 24 hours', async () => {
  const start = 1_770_000_000_000;
  const day = 86_400_000;
  let now = start;
  const choices = { idemCompanies: 'honoured', idemReplay: 'stored-reply' } as const;
  const { handle, env } = await createSecondReading({ seed: 9, choices, now: () => now });
  const headers = {
    authorization: `Bearer ${env.COVENANT_API_KEY}`,
    'x-origin-app': 'test',
    'content-type': 'application/json',
    'idempotency-key': '00000000-0000-4000-8000-000000000001',
  };
  const body = JSON.stringify({ name: 'Once', company_type: 'lender' });
  const sentAt = async (ms: number): Promise<string> => {
    now = ms;
    return (
      await handle(new Request('http://a.test/api/external/v2/companies', { method: 'POST', headers, body }))
    ).text();
  };
  const first = await sentAt(start);
  expect(JSON.parse(first)).toMatchObject({ data: { name: 'Once' } });
  expect(await sentAt(start + day - 60_000)).toBe(first);
  expect(await sentAt(start + day + 60_000)).not.toBe(first);
});
