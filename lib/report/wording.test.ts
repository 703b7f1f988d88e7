// The sentences of a report say what its numbers say, and nothing but a whole, real run is a certificate.
import { expect, test } from 'vitest';
import type { RunOptions, RunResult } from '../result.ts';
import { ofProfile, results } from './results.test-data.ts';
import { changed, conformant, incomplete, sample } from './sample.test-data.ts';
import { filters, obstacles, unjudgedByReason, verdictSentence, verdictWord } from './wording.ts';

const withOptions = (options: Partial<RunOptions>): RunResult => {
  const { run } = conformant().report;
  return changed(conformant(), { run: { ...run, options: { ...run.options, ...options } } });
};

test('each verdict has its sentence', () => {
  const all = (passed: string, failed: string, open: string): RegExp =>
    new RegExp(`^${passed} of \\d+ selected MUST requirements hold, ${failed} failed and ${open} open\\.$`);
  expect(verdictSentence(conformant().report)).toMatch(all('(\\d+)', 'none', 'none is'));
  expect(verdictSentence(sample().report)).toMatch(all('\\d+', '\\d+', '\\d+ are'));
  expect(verdictSentence(incomplete().report)).toMatch(all('\\d+', 'none', '\\d+ (?:is|are)'));
  const aborted = results['that was aborted before anything was judged'];
  expect(aborted && verdictSentence(aborted().report)).toMatch(
    /^The run could not judge the target: the target could not be reached/,
  );
  const { report } = conformant();
  const stopped = { ...report, verdict: 'aborted' as const, reason: 'interrupted' };
  expect(verdictSentence(stopped)).toMatch(/^The run was interrupted .* covenant run --resume goes on with it\.$/);
});

test('a whole run with a real minute in which everything passed is a certificate', () => {
  expect(obstacles(conformant().report)).toEqual([]);
});

test.each<[string, Partial<RunOptions>]>([
  ['an area', { area: ['notes'] }],
  ['a requirement', { requirement: ['notes-create-id'] }],
  ['--read-only', { read_only: true }],
  ['--no-exhaustion', { exhaustion: false }],
  ['--effort quick', { effort: 'quick' }],
])('%s rules out a certificate', (_, options) => {
  const { report } = withOptions(options);
  expect(obstacles(report)).toHaveLength(1);
  expect(filters(report)).toEqual(obstacles(report));
});

test('a shortened minute, another verdict, and something undecided rule out a certificate', () => {
  const { report } = conformant();
  expect(obstacles({ ...report, run: { ...report.run, minute_ms: 2000 } })).toEqual([
    "the target's rate-limit minute was set to 2000 ms, not 60000 ms",
  ]);
  expect(obstacles(incomplete().report)).toEqual(['the verdict is incomplete']);
  expect(obstacles({ ...incomplete().report, verdict: 'conformant' })).toEqual([
    expect.stringMatching(/^\d+ MUST requirements could not be judged$/),
  ]);
});

test('the verdict names the profile and what it leaves out, and rules out no certificate', () => {
  const { report } = ofProfile();
  expect(verdictWord(report)).toBe('conformant (server-to-server profile)');
  expect(verdictSentence(report)).toMatch(
    /selected MUST requirements of the server-to-server profile hold, .* Out of its scope by declaration: \d+ requirements, \d+ of them MUST\.$/,
  );
  expect(obstacles(report)).toEqual([]);
  const { must } = report.totals;
  expect(verdictSentence({ ...report, totals: { ...report.totals, must: { ...must, passed: 0 } } })).toMatch(
    /^Nothing was selected that the server-to-server profile includes/,
  );
});

test('what was not judged stands together by its reason, the commonest first', () => {
  const groups = unjudgedByReason(sample().report);
  const sizes = groups.map(([, rows]) => rows.length);
  expect(groups.map(([reason]) => reason)).toContain('COVENANT_JWT is not set, so nothing was sent with a JWT session');
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
});
