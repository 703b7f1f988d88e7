// A verdict says who caused it, and no pass hides what did not run.
import { describe, expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import { Inconclusive, Mismatch, NotTested, Unanswered } from '../client/errors.ts';
import type { RequirementResult } from '../result.ts';
import { decide, overall, runVerdict, totalsOf } from './verdict.ts';

const mismatch = new Mismatch({ message: 'the status should be 404', expected: 404, actual: 200 });
const result = (level: RequirementResult['level'], verdict: RequirementResult['verdict']): RequirementResult => ({
  id: `${level}-${verdict}`,
  level,
  area: 'notes',
  section: 'Endpoints / Companies',
  statement: 'a statement',
  verdict,
  cases: [],
});

describe('what was thrown decides', () => {
  test('a mismatch inside a check is the failure of the target', () => {
    expect(decide(mismatch, 'check')).toMatchObject({ verdict: 'failed', difference: { expected: 404, actual: 200 } });
  });

  test('a mismatch in the preparation blocks and does not accuse the target', () => {
    expect(decide(mismatch, 'preparation')).toMatchObject({
      verdict: 'not-tested',
      reason: 'what this starts from did not hold: the status should be 404',
      replies: [],
    });
  });

  test.each(['check', 'preparation'] as const)('a missing credential is not tested, also in a %s', (where) => {
    const decision = decide(new NotTested('COVENANT_JWT is not set'), where);
    expect(decision).toEqual({ verdict: 'not-tested', reason: 'COVENANT_JWT is not set', replies: [] });
  });

  test.each([new Inconclusive('no reply'), new Unanswered('no reply')])(
    'trouble of the network does not accuse the target: %s',
    (error) => {
      expect(decide(error, 'check')).toEqual({ verdict: 'inconclusive', reason: 'no reply' });
    },
  );

  test('an exception of our own is inconclusive and says so, never the failure of the target', () => {
    const decision = decide(new TypeError('x is undefined'), 'check');
    expect(decision.verdict).toBe('inconclusive');
    expect(decision.reason).toBe('an error of the suite itself: TypeError: x is undefined');
  });
});

describe('the cases of a requirement', () => {
  test.each([
    [['passed', 'passed'], 'passed'],
    [['passed', 'not-tested'], 'not-tested'],
    [['passed', 'inconclusive', 'not-tested'], 'inconclusive'],
    [['passed', 'inconclusive', 'failed'], 'failed'],
    [[], 'not-tested'],
  ] as const)('%j together are %s', (verdicts, expected) => {
    expect(overall(verdicts.map((verdict) => ({ verdict })))).toBe(expected);
  });
});

describe('the verdict of a run', () => {
  const of = (...results: RequirementResult[]) => runVerdict(totalsOf(results));

  test('conformant needs every MUST passed', () => {
    expect(of(result('must', 'passed'), result('should', 'failed'))).toBe('conformant');
    expect(of(result('must', 'passed'), result('must', 'not-tested'))).toBe('incomplete');
    expect(of(result('must', 'passed'), result('must', 'inconclusive'))).toBe('incomplete');
    expect(of(result('must', 'failed'), result('must', 'inconclusive'))).toBe('non-conformant');
  });

  test('nothing selected is incomplete, not green', () => {
    expect(of()).toBe('incomplete');
    expect(of(result('observe', 'observed'))).toBe('incomplete');
  });

  test('the totals count each verdict once', () => {
    const totals = totalsOf([result('must', 'passed'), result('must', 'failed'), result('observe', 'not-tested')]);
    expect(totals).toEqual({
      must: { passed: 1, failed: 1, not_tested: 0, inconclusive: 0 },
      should: { passed: 0, failed: 0, not_tested: 0, inconclusive: 0 },
      observe: { observed: 0, not_tested: 1 },
    });
  });
});

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
