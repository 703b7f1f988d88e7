// Root causes: where every reply breaks one requirement, what cannot be tested waits for that one, and no credential is blamed.
import { expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import type { Handler } from '../../lab/reference/index.ts';
import { rootCauses, verdictSentence } from '../report/wording.ts';

/** Everything under another name than `data`. */
const renaming =
  (honest: Handler): Handler =>
  async (request) => {
    const response = await honest(request);
    const text = (await response.text()).replace('"data":', '"payload":');
    return new Response(text, response);
  };

test('what rests on the envelope waits for the requirement that breaks it', async () => {
  const { report } = await examine({ wrap: renaming });
  const byId = new Map(report.requirements.map((row) => [row.id, row]));
  const waiting = report.requirements.filter((row) => row.waits_for !== undefined);
  expect(waiting.length).toBeGreaterThan(100);
  for (const row of waiting) {
    expect(row.verdict).toBe('not-tested');
    expect(byId.get(row.waits_for ?? '')?.verdict).toBe('failed');
    expect(row.reason).toMatch(`waits for ${row.waits_for}, which does not hold: `);
  }
  expect(rootCauses(report)[0]?.[0]).toBe('envelope-data-present');
  expect(byId.get('account-active-switch-effect')?.waits_for).toBe('envelope-data-present');
  const { passed, failed, not_tested, inconclusive } = report.totals.must;
  expect(verdictSentence(report)).toBe(
    `${passed} of ${passed + failed + not_tested + inconclusive} selected MUST requirements hold, ${failed} failed and ${not_tested + inconclusive} are open.`,
  );
});

test('where a credential is not set, nothing else is the cause', async () => {
  const { report } = await examine({ env: ({ COVENANT_JWT: _, ...rest }) => rest });
  expect(report.requirements.some(({ reason }) => reason?.includes('COVENANT_JWT is not set'))).toBe(true);
  expect(rootCauses(report)).toEqual([]);
});
