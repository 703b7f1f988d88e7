// Exit codes: green only when everything selected was tested, whatever the totals or the verdict's name suggest.
import { describe, expect, test } from 'vitest';
import { report, requirement } from '../report/terminal/example.test-data.ts';
import type { Report } from '../result.ts';
import { exitCode } from './exit-code.ts';

const passed = requirement('passed');
const failed = requirement('failed');
const notTested = requirement('not-tested', { reason: 'COVENANT_JWT is not set' });
const inconclusive = requirement('inconclusive', { reason: 'the connection broke' });
const running = { interrupted: false };
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
  test('the exit code does not let many passes hide one that did not run', () => {
    expect(exitCode(report([...Array.from({ length: 200 }, () => passed), notTested]), running)).toBe(3);
  });

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
