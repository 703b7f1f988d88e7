// Two runs against the reference, the second with one broken duty and one choice used otherwise: the comparison names exactly these two.
import { expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import { withLeanFetch } from '../../lab/lean-fetch.test-data.ts';
import companies from '../../lab/mutants/companies/companies.ts';
import { compare, comparisonSentence } from './compare.ts';

withLeanFetch();

test('a comparison finds one mutant and one changed choice, and nothing else', async () => {
  const mutant = companies.find(({ id }) => id === 'companies-create-drops-linkedin');
  if (mutant === undefined) throw new Error('the mutant has another name');
  const settings = { effort: 'quick', exhaustion: false } as const;
  const { report: before } = await examine({ settings });
  const { report: after } = await examine({
    settings,
    reference: { choices: { teamMode: 'offset' } },
    wrap: mutant.wrap,
  });
  const found = compare(before, after);
  expect(found.changes).toMatchObject({ cause: 'target', terms: [], undecided: [], passing: [], withdrawn: [] });
  expect(found.changes.failing.map(({ id }) => id)).toEqual(mutant.breaks);
  expect(found.changes.answers.map(({ id }) => id)).toEqual(['pagination-team-mode']);
  expect(found.exitCode).toBe(1);
  expect(comparisonSentence(found, after)).toBe('Worse than before: 1 MUST requirement newly failing.');
  expect(compare(before, before)).toMatchObject({ exitCode: 0, changes: { answers: [] } });
});
