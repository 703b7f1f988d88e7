// No pass hides what did not run; rules judge a whole history; no filter loses a requirement silently.
import { describe, expect, test } from 'vitest';
import { examine } from '../../lab/examine.ts';
import { suites } from '../../suites/index.ts';
import { catalogue } from '../catalogue/index.ts';
import { Mismatch } from '../client/errors.ts';
import { Recorder } from '../client/recorder.ts';
import { replyOf } from '../client/reply.test-data.ts';
import type { History } from '../model/history.ts';
import { rules, type Violation } from '../model/judge.ts';
import type { RequirementResult } from '../result.ts';
import { Findings } from './findings.ts';
import { judgeHistory } from './judge-history.ts';
import { narrowed, requirementIds, select } from './selection.ts';
import { overall, reasonOf, runVerdict, totalsOf } from './verdict.ts';

const result = (level: RequirementResult['level'], verdict: RequirementResult['verdict']): RequirementResult => ({
  id: `${level}-${verdict}`,
  level,
  area: 'notes',
  section: 'Endpoints / Companies',
  statement: 'a statement',
  verdict,
  cases: [],
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

const id = 'notes-create-text';
const operation = 'POST /companies/{company_id}/notes';
const differing = new Mismatch({ message: 'it differs', expected: 1, actual: 2 });

const unshown = () => ({ verdict: 'not-tested', reason: 'nobody asked' }) as const;

type Find = (history: History) => readonly Violation[];

function found(find: Find, recorder = new Recorder(), putAt = 0): readonly string[] {
  const findings = new Findings(new Set([id] as const));
  const all = rules([id], ({ history }, { violations }) => void violations.push(...find(history)));
  const clockChanges = () => (putAt > 0 ? [{ at: putAt, backMs: 0 }] : []);
  judgeHistory({ rules: [all], history: recorder.history(), findings, clockChanges, unshown });
  return findings.of(id).map(({ verdict }) => verdict);
}

test('what a rule finds is a failure, a few of one kind at most', () => {
  expect(found(() => [])).toEqual(['not-tested']);
  expect(found(() => [{ id, operation, mismatch: differing }])).toEqual(['failed']);
  expect(found(() => Array.from({ length: 9 }, () => ({ id, operation, mismatch: differing })))).toHaveLength(3);
});

test('each exchange that a rule looked at counts once, whether its failure is shown or not', () => {
  const findings = new Findings(new Set([id] as const));
  const all = rules([id], (_, { expect: judge }) => {
    for (const one of [operation, 'PATCH /companies/{company_id}'] as const)
      for (let time = 0; time < 5; time += 1)
        judge(id, replyOf({ operation: one }), time === 0, 'it differs', { expected: 1, actual: 2 });
  });
  judgeHistory({ rules: [all], history: new Recorder().history(), findings, clockChanges: () => [], unshown });
  expect(findings.of(id)).toHaveLength(7);
  expect(findings.judgedOn(id)).toBe(10);
});

test('a failure that rests on replies between which the clock of the target was set is inconclusive', () => {
  const seen = (...times: readonly number[]) =>
    new Mismatch({
      message: 'it differs',
      expected: 1,
      actual: 2,
      replies: times.map((sentAt) => replyOf({ sentAt, receivedAt: sentAt + 50 })),
    });
  const at = (...times: readonly number[]) =>
    found(() => [{ id, operation, mismatch: seen(...times) }], undefined, 60_000);
  expect(at(50_000, 61_000)).toEqual(['inconclusive']);
  expect(at(40_000, 50_000)).toEqual(['failed']);
  expect(at(80_000)).toEqual(['failed']);
});

test('it learns which requests got no reply', () => {
  const recorder = new Recorder();
  const sent = { method: 'POST', url: 'http://target.test/', headers: {} };
  recorder.sending(sent);
  found(({ lost }) => {
    expect(lost).toEqual([sent]);
    return [];
  }, recorder);
});

const everything = { readOnly: false, exhaustion: true, effort: 'standard' } as const;
const testable = requirementIds.filter((id) => catalogue[id].level !== 'untestable');

test('every case has a title of its own', () => {
  const { titles } = select(suites, everything);
  expect(new Set(titles.values()).size).toBe(titles.size);
});

test.each(['standard', 'thorough'] as const)('%s leaves no requirement out', (effort) => {
  expect([...select(suites, { ...everything, effort }).ids]).toEqual(testable);
});

test('quick leaves out only what is observed, never what is judged', () => {
  const { ids } = select(suites, { ...everything, effort: 'quick' });
  const levels = testable.filter((id) => !ids.has(id)).map((id) => catalogue[id].level);
  expect(new Set(levels)).toEqual(new Set(['observe']));
});

describe('filters', () => {
  test('filters narrow each other', () => {
    const { ids } = select(suites, { ...everything, areas: ['notes'], requirements: ['billing-summary-scope'] });
    expect(ids.size).toBe(0);
  });

  test('filters leave out of the totals what they leave without a case', () => {
    const { ids } = select(suites, { ...everything, exhaustion: false });
    expect(ids.has('rate-limits-read-enforced')).toBe(false);
    expect(ids.has('billing-summary-scope')).toBe(true);
  });

  test('filters take along the cases whose replies a selected duty looks at', () => {
    const id = 'envelope-request-id-unique';
    const { cases } = select(suites, { ...everything, requirements: [id] });
    expect(cases.length).toBeGreaterThan(0);
    for (const { ids, feeds = [] } of cases) expect([...ids, ...feeds]).toContain(id);
  });
});

test('of some cases what they judge is judged, and what rules and duties judge in every reply', () => {
  const whole = select(suites, everything);
  const only = new Set([...whole.titles.values()].filter((title) => title.startsWith('notes-create')));
  const { cases, ids, invariants } = narrowed(whole, only);
  expect(cases).toHaveLength(only.size);
  const asked = ['notes-create-id', 'billing-summary-scope', 'billing-credits-agree'] as const;
  expect(asked.map((id) => ids.has(id))).toEqual([true, true, false]);
  expect(invariants).toEqual(whole.invariants);
});

test('a reason names the operations that were not seen, unless it is also that of a case', () => {
  const jwt = { verdict: 'not-tested', reason: 'COVENANT_JWT is not set' } as const;
  const me = { ...jwt, operation: 'GET /me', unseen: true } as const;
  const health = { ...me, operation: 'GET /health' } as const;
  const slow = { verdict: 'not-tested', reason: 'all are slow', operation: 'GET /me' } as const;
  expect(reasonOf([me, { verdict: 'passed' }], 'not-tested')).toBe('GET /me was not seen: COVENANT_JWT is not set');
  expect(reasonOf([me, health, health, slow], 'not-tested')).toBe(
    'GET /me and 2 others were not seen: COVENANT_JWT is not set; all are slow',
  );
  expect(reasonOf([me, jwt], 'not-tested')).toBe('COVENANT_JWT is not set');
  expect(reasonOf([me], 'inconclusive')).toBe('');
});
