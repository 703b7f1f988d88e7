// A requirement passes only where an exchange could have failed it, and the report says how many could.
import { expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';

test('every requirement that passed was judged on an exchange, and says on how many', async () => {
  const { report } = await examine({ settings: { effort: 'quick' } });
  const passed = report.requirements.filter(({ verdict }) => verdict === 'passed');
  expect(passed.length).toBeGreaterThan(200);
  expect(passed.filter(({ judged = 0 }) => judged === 0)).toEqual([]);
  const envelope = report.requirements.find(({ id }) => id === 'envelope-content-type');
  expect(envelope?.judged).toBeGreaterThan(200);
  for (const { verdict, judged } of report.requirements)
    if (verdict === 'not-tested' || verdict === 'observed') expect(judged).toBe(0);
});
