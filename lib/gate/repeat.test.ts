// Several runs as one: every exchange is found under its new number, and what one run could not judge is not forgotten.
import { expect, test } from 'vitest';
import { exchange, failedCase, report, requirement } from '../report/terminal/example.test-data.ts';
import type { RunResult } from '../result.ts';
import { repeatedResult } from './repeat.ts';

const result = (...rows: Parameters<typeof report>[0]): RunResult => {
  const exchanges = [exchange(12, 'COVENANT_API_KEY_RESTRICTED', '{}')];
  return { report: report(rows, { exchanges }), transcript: exchanges };
};

test('failures of later runs point at their own exchanges', () => {
  const bad = requirement('failed', { cases: [failedCase()] });
  const joined = repeatedResult([result(requirement('passed')), result(bad)]);
  const pointed = joined.report.requirements.flatMap(({ cases }) =>
    cases.flatMap((one) => one.failure?.exchanges ?? []),
  );
  expect(pointed).toHaveLength(1);
  for (const list of [joined.report.exchanges, joined.transcript]) {
    expect(list.map(({ id }) => id)).toEqual([12, ...pointed]);
  }
  expect(joined.report.totals.must.failed).toBe(1);
});

test('one run that could not judge makes the whole incomplete', () => {
  const open = requirement('inconclusive', { reason: 'the connection was reset' });
  const { report: joined } = repeatedResult([result(requirement('passed')), result(open)]);
  expect(joined.verdict).toBe('incomplete');
  expect(joined.requirements[0]?.reason).toContain('not judged in 1');
  expect(joined.requirements[0]?.reason).toContain('the connection was reset');
});

test('an aborted run aborts the whole, and one run stays as it is', () => {
  const good = result(requirement('passed'));
  const aborted: RunResult = { ...good, report: { ...good.report, verdict: 'aborted', reason: 'interrupted' } };
  expect(repeatedResult([good, aborted]).report).toMatchObject({ verdict: 'aborted', reason: 'interrupted' });
  expect(repeatedResult([good])).toBe(good);
});
