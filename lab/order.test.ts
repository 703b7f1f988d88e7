// Neither order nor seed matters: shuffled, at any concurrency, and alone, each requirement gets the same verdict.
import { beforeAll, describe, expect, test } from 'vitest';
import { catalogue, type RequirementId, requirementIds } from '../lib/catalogue/index.ts';
import type { Settings } from '../lib/configuration/settings.ts';
import { type Examination, examine } from './examine.ts';
import { withLeanFetch } from './lean-fetch.test-data.ts';
import { mutants } from './mutants/index.ts';

withLeanFetch();

const timeout = 300_000;

async function verdicts(examination: Examination): Promise<Map<string, string>> {
  const { brief } = await examine(examination);
  return new Map(brief.requirements.map(({ id, verdict }) => [id, verdict]));
}

/** How verdicts differ from those of the run in the declared order. */
const changed = (usual: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  [...other].filter(([id, verdict]) => usual.get(id) !== verdict).map(([id, verdict]) => `${id} is ${verdict}`);

const orders: readonly [number, Settings['concurrency']][] = [
  [1, 1],
  [2, 4],
  [3, 8],
];

/** On a mutant, what rests on what it breaks may stay open in one order and not in another; what is judged is the same. */
const judged = (verdictOf: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...verdictOf].filter(([, verdict]) => verdict === 'passed' || verdict === 'failed'));
const judgedOtherwise = (usual: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] => {
  const before = judged(usual);
  return changed(before, new Map([...judged(other)].filter(([id]) => before.has(id))));
};

/** They show themselves only among the requests of other cases: a requirement alone may pass, and so may one of both orders. */
const byOthers: readonly string[] = [
  'idempotency-eight-keys-are-remembered',
  'notes-deleted-is-edited-later',
  'pagination-companies-are-ordered-by-edit',
  'pagination-total-is-what-remains',
  'public-validate-remembers-invalid-keys-by-their-beginning',
];

/** Every 120th mutant, so that the sample covers all areas and grows with them. */
const sampled = mutants.filter((_, index) => index % 120 === 8);
const areaOf = (id: string): string | undefined => catalogue[id as RequirementId]?.area;
const mutantSubject = ({ wrap, reference, env }: (typeof mutants)[number]): Examination => ({
  wrap,
  ...(reference ? { reference } : {}),
  ...(env ? { env } : {}),
});

let usual: ReadonlyMap<string, string>;
beforeAll(async () => {
  usual = await verdicts({});
}, timeout);

describe('the reference', () => {
  test.each(orders)(
    'the reference gets the same verdicts shuffled with seed %i, %i cases at a time',
    async (seed, concurrency) => {
      const other = await verdicts({ shuffled: true, settings: { seed, concurrency } });
      expect(changed(usual, other)).toEqual([]);
    },
  );

  test(
    'the reference gets the same verdict for each requirement alone',
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

test(
  'a quick run of the reference passes every MUST under any seed',
  async () => {
    const open: string[] = [];
    for (let seed = 101; seed <= 108; seed += 1) {
      const { brief } = await examine({ settings: { effort: 'quick', seed } });
      const quick = brief.requirements.filter(({ level, verdict }) => level === 'must' && verdict !== 'passed');
      open.push(...quick.map(({ id, verdict }) => `${id} is ${verdict} with seed ${seed}`));
    }
    expect(open).toEqual([]);
  },
  timeout,
);

describe.each(sampled.map((one) => [one.id, one] as const))('the mutant %s', (_, mutant) => {
  test(`${mutant.id} gets the same verdicts shuffled and alone`, async () => {
    const examination = mutantSubject(mutant);
    const whole = await verdicts(examination);
    const shuffled = await verdicts({ ...examination, shuffled: true, settings: { seed: 9, concurrency: 1 } });
    // Where its condition holds rests on what other cases have made: in each order one of its own requirements shows it, and
    // whoever meets it by chance is of the same heading.
    const own: readonly string[] = [...mutant.breaks, ...Object.keys(mutant.collateral ?? {})];
    const areas = own.map(areaOf);
    const isElsewhere = (line: string): boolean => !areas.includes(areaOf(line.split(' ')[0] ?? ''));
    expect(judgedOtherwise(whole, shuffled).filter(isElsewhere)).toEqual([]);
    const found = [whole, shuffled].map((one) => own.some((id) => one.get(id) === 'failed'));
    if (byOthers.includes(mutant.id)) expect(found).toContain(true);
    else expect(found).toEqual([true, true]);
    for (const id of byOthers.includes(mutant.id) ? [] : mutant.breaks) {
      expect(judgedOtherwise(whole, await verdicts({ ...examination, settings: { requirements: [id] } }))).toEqual([]);
    }
  });
});
