// The order of cases does not matter: shuffled, at any concurrency, and alone, each requirement gets the same verdict.
import { beforeAll, describe, expect, it } from 'vitest';
import { requirementIds } from '../lib/catalogue/index.ts';
import type { Settings } from '../lib/configuration/settings.ts';
import { type Examination, examine } from './examine.ts';
import { mutants } from './mutants/index.ts';

const timeout = 300_000;

async function verdicts(examination: Examination): Promise<Map<string, string>> {
  const { brief } = await examine(examination);
  return new Map(brief.requirements.map(({ id, verdict }) => [id, verdict]));
}

/** What differs from the run in the declared order. */
const changed = (usual: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  [...other].filter(([id, verdict]) => usual.get(id) !== verdict).map(([id, verdict]) => `${id} is ${verdict}`);

const orders: readonly [number, Settings['concurrency']][] = [
  [1, 1],
  [2, 4],
  [3, 4],
  [4, 8],
  [5, 1],
];

/** Every so many of the mutants, so that the sample meets all areas and grows with them. */
const sampled = mutants.filter((_, index) => index % 40 === 7);
const mutantSubject = ({ wrap, reference }: (typeof mutants)[number]): Examination => ({
  wrap,
  ...(reference ? { reference } : {}),
});

let usual: ReadonlyMap<string, string>;
beforeAll(async () => {
  usual = await verdicts({});
}, timeout);

describe('the reference', () => {
  it.each(orders)('shuffled with seed %i, %i cases at a time', async (seed, concurrency) => {
    const other = await verdicts({ shuffled: true, settings: { seed, concurrency } });
    expect(changed(usual, other)).toEqual([]);
  });

  it(
    'each requirement alone',
    async () => {
      const wrong: string[] = [];
      for (const id of requirementIds.filter((one) => usual.has(one))) {
        wrong.push(...changed(usual, await verdicts({ settings: { requirements: [id] } })));
      }
      expect(wrong).toEqual([]);
    },
    timeout,
  );
});

describe.each(sampled.map((one) => [one.id, one] as const))('the mutant %s', (_, mutant) => {
  it('shuffled and alone', async () => {
    const examination = mutantSubject(mutant);
    const whole = await verdicts(examination);
    const shuffled = await verdicts({ ...examination, shuffled: true, settings: { seed: 9, concurrency: 1 } });
    expect(changed(whole, shuffled)).toEqual([]);
    for (const id of mutant.breaks) {
      expect(changed(whole, await verdicts({ ...examination, settings: { requirements: [id] } }))).toEqual([]);
    }
  });
});
