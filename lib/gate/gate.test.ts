// Waivers and the gate: what covers a failure, what rots, what the exit code says, and that no verdict ever changes.
import { describe, expect, test } from 'vitest';
import { exchange, failedCase, report, requirement } from '../report/terminal/example.test-data.ts';
import type { CaseResult, Report, RequirementResult, RunResult, Waived } from '../result.ts';
import { exitCode } from './exit-code.ts';
import { repeatedResult } from './merge.ts';
import { endOf, gateSentence, readWaivers, type Waiver, withWaivers, writtenWaivers } from './waivers.ts';

const known = {
  'billing-summary-scope': { level: 'must' },
  'billing-summary-fields': { level: 'must' },
  'errors-unknown-route': { level: 'should' },
} as const;
const waiver: Waiver = {
  requirement: 'billing-summary-scope',
  reason: 'repaired in May',
  owner: 'billing team',
  expires: '2026-03-31',
};
const now = Date.parse('2026-03-01T12:00:00Z');
const at = (operation: string, verdict: CaseResult['verdict'] = 'failed'): CaseResult =>
  verdict === 'failed' ? failedCase({ operation }) : { operation, verdict, duration_ms: 1 };
const failing = (...cases: CaseResult[]): RequirementResult => requirement('failed', { cases });
const running = { interrupted: false };

const states = (of: Report, ...waivers: Waiver[]): (Waived['state'] | undefined)[] =>
  (withWaivers(of, waivers, now).waivers ?? []).map(({ state }) => state);
const code = (of: Report, ...waivers: Waiver[]): number => exitCode(withWaivers(of, waivers, now), running);

describe('what a waiver comes to', () => {
  const open = requirement('not-tested', { reason: 'COVENANT_JWT is not set', cases: [] });
  test.each<[string, Report, Waiver, Waived['state']]>([
    ['it fails', report([failing(at('GET /me'))]), waiver, 'applied'],
    ['it fails there', report([failing(at('GET /me'))]), { ...waiver, operation: 'GET /me' }, 'applied'],
    ['it fails elsewhere', report([failing(at('GET /me'))]), { ...waiver, operation: 'GET /credits' }, 'stale'],
    ['it holds', report([requirement('passed')]), waiver, 'stale'],
    ['it was not selected', report([]), waiver, 'idle'],
    ['it was not tested', report([open]), waiver, 'idle'],
    ['the run was aborted', report([requirement('passed')], { verdict: 'aborted' }), waiver, 'idle'],
    [
      'a read-only run cannot show that it holds',
      report([requirement('passed')], { options: { read_only: true } }),
      waiver,
      'idle',
    ],
    [
      'a quick run cannot show that it holds',
      report([requirement('passed')], { options: { effort: 'quick' } }),
      waiver,
      'idle',
    ],
    ['its day is over', report([failing(at('GET /me'))]), { ...waiver, expires: '2026-02-28' }, 'expired'],
    ['it is its last day', report([failing(at('GET /me'))]), { ...waiver, expires: '2026-03-01' }, 'applied'],
  ])('what a waiver comes to where %s', (_, of, one, state) => {
    expect(states(of, one)).toEqual([state]);
    expect(withWaivers(of, [one], now).waivers?.[0]?.note).toMatch(/\.$/);
  });

  test('an operation that was not judged makes nothing stale', () => {
    const of = report([failing(at('GET /me'), at('GET /credits', 'not-tested'))]);
    expect(states(of, { ...waiver, operation: 'GET /credits' })).toEqual(['idle']);
  });
});

describe('the exit code with waivers', () => {
  const one = report([failing(at('GET /me')), requirement('passed', { id: 'billing-summary-fields' })]);
  const two = report([failing(at('GET /me'), at('GET /credits'))]);
  const there = { ...waiver, operation: 'GET /me' };
  test.each<[string, number, number]>([
    ['no waiver', code(one), 1],
    ['every failure waived', code(one, waiver), 0],
    ['one of two operations waived', code(two, there), 1],
    ['both operations waived', code(two, there, { ...waiver, operation: 'GET /credits' }), 0],
    ['expired', code(one, { ...waiver, expires: '2026-02-01' }), 1],
    ['a stale one beside a good one', code(one, waiver, { ...waiver, requirement: 'billing-summary-fields' }), 1],
    ['nothing failed, but a waiver is stale', code(report([requirement('passed')]), waiver), 1],
    ['waived, but something is open', code(report([...two.requirements, requirement('not-tested')]), waiver), 3],
    ['aborted', code(report([failing(at('GET /me'))], { verdict: 'aborted' }), waiver), 4],
  ])('the exit code with waivers: %s', (_, found, wanted) => expect(found).toBe(wanted));

  test('incomplete is allowed only where that was asked for', () => {
    const rows = [...two.requirements, requirement('not-tested')];
    expect(code(report(rows, { options: { allow_incomplete: true } }), waiver)).toBe(0);
  });

  test('the verdict and the totals stay what they are, and the sentence says so', () => {
    const waived = withWaivers(one, [waiver], now);
    expect({ ...waived, waivers: undefined }).toEqual({ ...one, waivers: undefined });
    expect(waived.verdict).toBe('non-conformant');
    expect(gateSentence(waived)).toContain('does not conform');
    expect(gateSentence(one)).toBeUndefined();
  });
});

describe('the file of waivers', () => {
  const file = (...waivers: object[]): string => JSON.stringify({ format: 'covenant-waivers/1', waivers });
  const read = (text: string) => readWaivers(text, 'w.json', known);

  test('the file of waivers is written sorted and read back the same', () => {
    const other = { ...waiver, requirement: 'billing-summary-fields', link: 'https://tracker.example.com/1' };
    const text = writtenWaivers([waiver, { ...waiver, operation: 'GET /me' }, other]);
    expect(read(text)).toEqual([other, waiver, { ...waiver, operation: 'GET /me' }]);
    expect(writtenWaivers(read(text))).toBe(text);
  });

  test('a file of waivers that an editor of Windows saved is the same file', () => {
    const text = writtenWaivers([waiver]);
    expect(read(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(read(text));
  });

  test.each<[string, string, string]>([
    ['no JSON', '{', 'w.json is not JSON'],
    ['another file', '{"waivers":[]}', 'has the format undefined'],
    ['a newer one', '{"format":"covenant-waivers/2"}', 'covenant-waivers/2'],
    ['no owner', file({ ...waiver, owner: undefined }), 'at /waivers/0/owner there should be a non-empty string'],
    ['an empty reason', file({ ...waiver, reason: '  ' }), 'reason is empty'],
    ['a mistyped member', file({ ...waiver, operaton: 'GET /me' }), 'did you mean operation?'],
    [
      'a mistyped requirement',
      file({ ...waiver, requirement: 'billing-sumary-scope' }),
      'did you mean billing-summary-scope?',
    ],
    ['a requirement named like a method', file({ ...waiver, requirement: 'constructor' }), 'no requirement is called'],
    ['a mistyped operation', file({ ...waiver, operation: 'GET /mee' }), 'did you mean GET /me?'],
    ['a SHOULD', file({ ...waiver, requirement: 'errors-unknown-route' }), 'is not a MUST requirement'],
    ['no such day', file({ ...waiver, expires: '2026-02-30' }), 'is not a date'],
    ['the same twice', file(waiver, { ...waiver, owner: 'other' }), 'twice'],
  ])('a file of waivers with %s is refused in one sentence', (_, text, why) => {
    expect(() => read(text)).toThrow(why);
    expect(() => read(text)).toThrow(/^[^\n]+$/);
  });

  test('a waiver holds through its last day, in UTC', () => {
    expect(endOf('2026-03-31')).toBe(Date.parse('2026-04-01T00:00:00Z'));
    expect(endOf('2026-3-31')).toBeUndefined();
  });
});

const passed = requirement('passed');
const failed = requirement('failed');
const notTested = requirement('not-tested', { reason: 'COVENANT_JWT is not set' });
const inconclusive = requirement('inconclusive', { reason: 'the connection broke' });

const allow = { options: { allow_incomplete: true } };

describe('exit code', () => {
  test.each<[string, Report, number]>([
    ['every MUST passed', report([passed, passed]), 0],
    ['one MUST failed', report([passed, failed]), 1],
    ['one failed and others are open', report([failed, notTested, inconclusive]), 1],
    ['one MUST not tested', report([passed, notTested]), 3],
    ['one MUST inconclusive', report([passed, inconclusive]), 3],
    ['incomplete is allowed and none failed', report([passed, notTested, inconclusive], allow), 0],
    ['incomplete is allowed and one failed', report([passed, notTested, failed], allow), 1],
    ['the run was aborted', report([passed], { verdict: 'aborted', reason: 'refused' }), 4],
  ])('the exit code of a run: %s', (_, of, code) => expect(exitCode(of, running)).toBe(code));

  test('the exit code ignores a failed SHOULD and observations', () => {
    const rows = [passed, requirement('failed', { level: 'should' }), requirement('observed', { level: 'observe' })];
    expect(exitCode(report(rows), running)).toBe(0);
  });

  test('the exit code counts a failed SHOULD where the run is strict, unless a waiver covers it', () => {
    const should = requirement('failed', { level: 'should' });
    const strict = { options: { strict: true } } as const;
    expect(exitCode(report([passed, should], strict), running)).toBe(1);
    expect(exitCode(report([passed, requirement('passed', { level: 'should' })], strict), running)).toBe(0);
    const waived = {
      requirement: should.id,
      owner: 'me',
      reason: 'soon',
      expires: '2099-01-01',
      state: 'applied',
    } as const;
    expect(exitCode(report([passed, should], { ...strict, waivers: [waived] }), running)).toBe(0);
  });

  test('the exit code is 130 only where the interruption cut the run short', () => {
    expect(exitCode(report([passed], { verdict: 'aborted' }), { interrupted: true })).toBe(130);
    expect(exitCode(report([passed]), { interrupted: true })).toBe(0);
    expect(exitCode(report([failed]), { interrupted: true })).toBe(1);
  });
});

describe('what other suites got wrong', () => {
  test('the exit code does not count nothing as everything', () => {
    expect(exitCode(report([]), running)).toBe(3);
    expect(exitCode(report([], allow), running)).toBe(3);
    expect(exitCode(report([requirement('passed', { level: 'should' })], allow), running)).toBe(3);
  });

  test('the exit code believes the requirements, not a sum or a verdict that forgot some', () => {
    const forgetful = report([passed]);
    const rows = [passed, notTested];
    expect(exitCode({ ...forgetful, requirements: rows }, running)).toBe(3);
    expect(exitCode({ ...forgetful, requirements: [passed, failed] }, running)).toBe(1);
  });
});

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
