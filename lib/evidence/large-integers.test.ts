// Evidence of a target whose identifiers no double holds follows, and shows every digit of them.
import { expect, test } from 'vitest';
import { judge, recordedRun } from '../../lab/recorded-run.ts';
import { countedFrom } from '../../lab/variants/identifiers.ts';

test('identifiers beyond 2^53 stand in ledger, evidence and report as the target sent them', async () => {
  const wrap = countedFrom(2n ** 60n);
  const settings = { effort: 'quick', areas: ['notes'], exhaustion: false } as const;
  const { built, file, reportFile, lines } = await recordedRun({ wrap, settings });
  const digits = [...lines.join('').matchAll(/\\"id\\":(\d{17,})/g)].map(([, id]) => id);
  expect(digits.length).toBeGreaterThan(10);
  const { residue } = built.report;
  expect(residue.length).toBeGreaterThan(0);
  expect(residue.map(({ id }) => digits.includes(id))).not.toContain(false);
  const { outcome, troubles, verdict } = await judge(file, reportFile);
  expect({ outcome, troubles, verdict }).toEqual({ outcome: 'follows', troubles: [], verdict: 'conformant' });
});
