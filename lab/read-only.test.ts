// A run that sends no write is green where the target is right: what only a write makes observable is not selected.
import { expect, test } from 'vitest';
import { efforts } from '../lib/configuration/settings.ts';
import { exitCode } from '../lib/gate/exit-code.ts';
import { filters } from '../lib/report/wording.ts';
import { examine } from './examine.ts';

test.each(efforts)('--read-only is conformant with every credential, at %s effort', async (effort) => {
  const { report, transcript } = await examine({ settings: { readOnly: true, effort } });
  expect(report.requirements.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'observed')).toEqual([]);
  expect(exitCode(report, { interrupted: false })).toBe(0);
  expect(report.totals.must.passed).toBeGreaterThan(60);
  expect(filters(report).join()).toContain('nor what only a write makes observable');
  const writes = transcript.filter(
    ({ request, operation }) => request.method !== 'GET' && operation !== 'POST /auth/validate-api-key',
  );
  expect(writes.map(({ operation }) => operation)).toEqual([]);
});

test('what a write makes observable at one operation is still judged at the others', async () => {
  const { report } = await examine({ settings: { readOnly: true, exhaustion: false } });
  const row = report.requirements.find(({ id }) => id === 'pagination-limit-respected');
  const seen = row?.cases.map(({ operation }) => operation);
  expect(seen).toContain('GET /companies');
  expect(seen).not.toContain('GET /companies/{company_id}/notes');
});
