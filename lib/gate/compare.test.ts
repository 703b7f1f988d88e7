// The comparison: what is worse, what is reported, and what is never compared.
import { describe, expect, test } from 'vitest';
import { conformant, incomplete, sample } from '../report/sample.test-data.ts';
import { failedCase, report, requirement } from '../report/terminal/example.test-data.ts';
import { styled } from '../report/terminal/layout.ts';
import { changed } from '../report/terminal/summary.ts';
import type { Report, RequirementResult } from '../result.ts';
import { changes } from './changes.ts';
import { attribution, changeSections, checkBaseline, compare, comparisonSentence } from './compare.ts';
import { withWaivers } from './waivers.ts';

const row = (id: string, verdict: RequirementResult['verdict'], more: Partial<RequirementResult> = {}) =>
  requirement(verdict, { id, ...(verdict === 'not-tested' ? { reason: 'COVENANT_JWT is not set' } : {}), ...more });
const passed = report([row('a', 'passed'), row('b', 'passed')]);
const newer = (of: Report): Report => ({ ...of, suite: { version: '0.2.0', catalogue: 'f'.repeat(64) } });
const titles = (before: Report, after: Report) =>
  changeSections(changes(before, after), after).map(({ title }) => title);

describe('the exit code', () => {
  test.each<[string, Report, Report, number]>([
    ['the same', passed, passed, 0],
    ['a MUST newly fails', passed, report([row('a', 'failed'), row('b', 'passed')]), 1],
    [
      'a MUST failed before as well',
      report([row('a', 'failed'), row('b', 'passed')]),
      report([row('a', 'failed'), row('b', 'passed')]),
      0,
    ],
    [
      'a MUST was untested and fails',
      report([row('a', 'not-tested'), row('b', 'passed')]),
      report([row('a', 'failed'), row('b', 'passed')]),
      1,
    ],
    [
      'a SHOULD newly fails',
      report([row('a', 'passed', { level: 'should' }), row('b', 'passed')]),
      report([row('a', 'failed', { level: 'should' }), row('b', 'passed')]),
      0,
    ],
    ['a MUST is not tested any more', passed, report([row('a', 'not-tested'), row('b', 'passed')]), 3],
    [
      'a MUST is inconclusive now',
      passed,
      report([row('a', 'inconclusive', { reason: 'reset' }), row('b', 'passed')]),
      3,
    ],
    ['a MUST is not selected any more', passed, report([row('b', 'passed')], { options: { requirement: ['b'] } }), 3],
    [
      'an untested MUST is not selected any more',
      report([row('a', 'not-tested'), row('b', 'passed')]),
      report([row('b', 'passed')], { options: { requirement: ['b'] } }),
      0,
    ],
    [
      'a new question fails: it was never asked before',
      passed,
      newer(report([...passed.requirements, row('c', 'failed')])),
      0,
    ],
    ['a question is gone from the suite', passed, newer(report([row('a', 'passed')])), 0],
    ['nothing in common', passed, newer(report([row('c', 'passed')])), 3],
    ['the later run was aborted', passed, { ...passed, verdict: 'aborted', reason: 'unreachable' }, 3],
    ['a MUST passes now', report([row('a', 'failed'), row('b', 'passed')]), passed, 0],
  ])('the exit code of a comparison: %s', (_, before, after, code) => {
    const found = compare(before, after);
    expect(found.exitCode).toBe(code);
    expect(comparisonSentence(found, after)).toMatch(code === 0 ? /^Nothing is worse/ : /^Worse than before: .+\.$/);
  });

  test('a failure does not hide that the next operation fails as well', () => {
    const held = { operation: 'GET /me', verdict: 'passed', duration_ms: 1 } as const;
    const before = report([row('a', 'failed', { cases: [failedCase(), held] })]);
    const after = report([row('a', 'failed', { cases: [failedCase(), failedCase({ operation: 'GET /me' })] })]);
    const found = compare(before, after);
    expect(found.failing.map(({ operations }) => operations)).toEqual([['GET /me']]);
    expect(found.exitCode).toBe(1);
    const waiver = { requirement: 'a', operation: 'GET /me', reason: 'r', owner: 'o', expires: '2027-01-01' };
    expect(compare(before, withWaivers(after, [waiver], 0)).exitCode).toBe(0);
    const elsewhere = report([row('a', 'failed', { cases: [failedCase({ operation: 'GET /credits' })] })]);
    expect(compare(before, elsewhere).failing, 'which reply shows a failure may vary').toEqual([]);
  });

  test('a newly failing MUST is let through by a waiver, and not by a stale one', () => {
    const after = report([row('a', 'failed', { cases: [failedCase()] }), row('b', 'passed')]);
    const waiver = { requirement: 'a', reason: 'r', owner: 'o', expires: '2027-01-01' };
    expect(compare(passed, withWaivers(after, [waiver], 0)).exitCode).toBe(0);
    expect(compare(passed, withWaivers(after, [waiver, { ...waiver, requirement: 'b' }], 0)).exitCode).toBe(1);
  });

  test('a baseline that judged nothing is refused', () => {
    expect(() => checkBaseline({ ...passed, verdict: 'aborted' }, 'old.json')).toThrow('old.json');
    expect(() => checkBaseline(report([row('a', 'not-tested')]), 'old.json')).toThrow('judged nothing');
    expect(() => checkBaseline(passed, 'old.json')).not.toThrow();
  });
});

describe('a comparison', () => {
  test('a comparison compares only the same question, and names the rest', () => {
    const after = newer(report([row('a', 'failed', { statement: 'another question' }), row('c', 'passed')]));
    const found = changes(passed, after);
    expect([found.failing, found.compared, found.cause]).toEqual([[], 0, 'target-or-suite']);
    expect(found.incomparable).toMatchObject({ added: ['c'], removed: ['b'], reworded: ['a'] });
    expect(titles(passed, after)).toEqual(['The runs differ in', 'Not compared']);
  });

  test('a comparison knows what was left out by filters from what the suite dropped', () => {
    const part = report([row('a', 'passed')], { options: { requirement: ['a'] } });
    expect(changes(passed, part).incomparable.unselectedNow.map(({ id }) => id)).toEqual(['b']);
    expect(changes(part, passed).incomparable).toMatchObject({ added: [], unselectedBefore: ['b'] });
    expect(changes(passed, newer(part)).incomparable).toMatchObject({ removed: [] });
  });

  test('a comparison says on which terms the runs differ', () => {
    const after = report(passed.requirements, { options: { effort: 'quick', read_only: true }, minuteMs: 2000 });
    expect(changes(passed, after).terms).toEqual([
      'reads only: before no, now yes',
      'the effort: before standard, now quick',
      'the rate-limit minute: before 60000 ms, now 2000 ms',
    ]);
  });

  test('a comparison of different profiles says so', () => {
    const { id, level, area, section, statement } = row('b', 'passed');
    const part = report([row('a', 'passed')], { options: { profile: 'server-to-server' } });
    const after = { ...part, out_of_scope: [{ id, level, area, section, statement }] };
    const found = compare(passed, after);
    expect([found.exitCode, comparisonSentence(found, after)]).toEqual([
      3,
      'The runs are of different profiles, full before and server-to-server now, and only what both ask is compared. Worse than before: 1 MUST requirement no longer tested.',
    ]);
    expect(found.changes.terms).toEqual(['the profile: before full, now server-to-server']);
    expect(attribution(found.changes)).toContain('may be the target or the credentials');
    expect(changes(newer(passed), after).incomparable).toMatchObject({ removed: [] });
  });

  test('a comparison reports changes of behaviour where the document is silent', () => {
    const observe = row('o', 'observed', { level: 'observe' });
    const answering = (answer: string): Report =>
      report([observe, row('a', 'passed')], { observations: [{ id: 'o', question: 'Which order?', answer }] });
    expect(changes(answering('newest first'), answering('oldest first')).answers).toEqual([
      { id: 'o', question: 'Which order?', before: 'newest first', after: 'oldest first' },
    ]);
    expect(changes(answering('newest first'), answering('newest first')).answers).toEqual([]);
  });

  test('a comparison of two seeds names them, and accuses nobody', () => {
    const seeded = (seed: number, of: Report): Report => ({ ...of, run: { ...of.run, seed } });
    const [before, after] = [seeded(1, passed), seeded(2, passed)];
    expect(changes(before, after).terms).toEqual(['the seed: before 1, now 2']);
    expect(attribution(changes(before, after))).toBe('2 questions asked in both runs. Nothing changed.');
    const failing = seeded(2, report([row('a', 'failed'), row('b', 'passed')]));
    expect(attribution(changes(before, failing))).toContain('the seed is not (before 1, now 2)');
    expect(attribution(changes(seeded(2, passed), failing))).toContain('so what changed is the target.');
  });

  test('a comparison names every MUST that newly fails, and of an answer what differs', () => {
    const rows = (verdict: 'passed' | 'failed') => Array.from({ length: 14 }, (_, index) => row(`a-${index}`, verdict));
    const observe = row('o', 'observed', { level: 'observe' });
    const kept = 'GET /companies names an owner, '.repeat(20);
    const answering = (answer: string, rest: readonly RequirementResult[]) =>
      report([observe, ...rest], {
        observations: [{ id: 'o', question: 'Which?', answer: `${kept}; ${kept}${answer}` }],
      });
    const [before, after] = [answering('old', rows('passed')), answering('new', rows('failed'))];
    const lines = changed(changes(before, after), before, after, styled(false)).join('\n');
    for (const { id } of rows('failed')) expect(lines).toContain(`- ${id}: MUST`);
    expect(lines.replace(/\s+/g, ' ')).toContain('o: Which? Before: … old Now: … new');
  });
});

const ids = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map((row) => row.id);
const withVerdict = ({ requirements }: Report, ...verdicts: readonly string[]): readonly string[] =>
  ids(requirements.filter((row) => verdicts.includes(row.verdict)));

test('a report has not changed from itself', () => {
  const { report } = sample();
  const found = changes(report, report);
  expect(found).toMatchObject({ cause: 'target', terms: [], failing: [], passing: [], undecided: [], answers: [] });
  expect(changeSections(found, report)).toEqual([]);
});

test('newly failing, newly passing and no longer judged are three different changes', () => {
  const [before, after] = [conformant().report, sample().report];
  const forth = changes(before, after);
  expect(ids(forth.failing)).toEqual(withVerdict(after, 'failed'));
  expect(ids(forth.undecided)).toEqual(withVerdict(after, 'not-tested', 'inconclusive'));
  expect(forth.passing).toEqual([]);
  expect(ids(changes(after, before).passing)).toEqual(withVerdict(after, 'failed', 'not-tested', 'inconclusive'));
  expect(changes(incomplete().report, before).failing).toEqual([]);
});
