// Every view renders every kind of result, the same each time, without changing what it was given; its sentences say what its numbers say, and nothing but a whole, real run is a certificate.
import { describe, expect, test } from 'vitest';
import { rulings } from '../catalogue/index.ts';
import { annotations, outputs } from '../cli/github.ts';
import { UsageError } from '../configuration/settings.ts';
import type { Failure, Report, RunOptions, RunResult } from '../result.ts';
import { readReport } from './read.ts';
import { changed, conformant, incomplete, sample } from './sample.test-data.ts';
import { exchange, failedCase, ofProfile, report, requirement, results } from './terminal/example.test-data.ts';
import { styled } from './terminal/layout.ts';
import { terminal } from './terminal.ts';
import { views } from './views.ts';
import { certificateObstacles, filters, unjudgedByReason, verdictSentence, verdictWord } from './wording.ts';

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

for (const [name, view] of Object.entries(views)) {
  test.each(Object.entries(results))(`${name} of a result %s is a pure function`, (_, result) => {
    const context = frozen({ rulings: { ...rulings }, baseline: conformant().report });
    const text = view.render(frozen(result()), context);
    expect(text.length).toBeGreaterThan(100);
    expect(view.render(result(), context)).toBe(text);
  });
}

test.each(Object.entries(views))('%s names the profile of a run', (_, view) => {
  expect(view.render(ofProfile())).toContain('server-to-server');
});

const body = JSON.stringify({ data: { valid: 'true', name: '', city: 'a  b', code: '401' } });

function failing(message: string, expected: unknown, actual: unknown): Report {
  const failure: Failure = { message, expected, actual, exchanges: [12], curl: [] };
  const row = requirement('failed', { cases: [failedCase({ failure })] });
  return report([row], { exchanges: [exchange(12, 'COVENANT_API_KEY', body)] });
}

/** Every format as plain text, entities and escapes undone. */
function everyFormat(of: Report): readonly (readonly [string, string])[] {
  const [row] = of.requirements;
  const failure = row?.cases[0]?.failure;
  if (row === undefined || failure === undefined) throw new Error('nothing failed');
  const plain = (text: string): string =>
    text
      .replaceAll(/\\?"/g, '"')
      .replaceAll('&quot;', '"')
      .replaceAll('&#34;', '"')
      .replaceAll('\\n', '\n')
      .replaceAll(/<[^>]*>/g, '');
  const shown = Object.entries(views)
    .filter(([name]) => ['html', 'junit', 'markdown'].includes(name))
    .map(([name, view]) => [name, String(view.render({ report: of, transcript: [] }, {}))] as const);
  const reader = { ruling: () => undefined, again: () => 'covenant run' };
  return [
    ...shown,
    ['terminal', terminal(of, reader, styled(false))] as const,
    ['github', annotations(of)] as const,
  ].map(([name, text]) => [name, plain(text)]);
}

test.each([
  ['valid should be true', true, 'true', '"true"'],
  ['The name should be kept', 'a name', '', '""'],
  ['The city should be kept', 'a city', 'a  b', '"a  b"'],
  ['The code should be a number', 401, '401', '"401"'],
])('%s: a received text stands in quotes', (message, expected, actual, quoted) => {
  for (const [name, text] of everyFormat(failing(message, expected, actual))) {
    // On GitHub all is one line, with single blanks.
    const wanted = name === 'github' ? quoted.replace('  ', ' ') : quoted;
    const found = [...text.matchAll(/received(?: in the run)?[:\s]*(?:```text\s*)?("[^"]*")/gi)].map(([, one]) => one);
    expect([name, ...new Set(found)]).toEqual([name, wanted]);
  }
});

test('an expected text stands in quotes, and a sentence of the suite does not', () => {
  const found = failing('error.code should be "UNAUTHORIZED"', 'UNAUTHORIZED', 'absent');
  for (const [name, text] of everyFormat(found)) {
    expect([name, text.includes('"UNAUTHORIZED"')]).toEqual([name, true]);
    expect([name, text.includes('"absent"')]).toEqual([name, false]);
  }
});

for (const [kind, result] of Object.entries(results)) {
  test(`a result ${kind} gives whole commands, at most ten of a kind, and no other line`, () => {
    const lines = annotations(result().report).split('\n');
    expect(lines.pop()).toBe('');
    for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,]+::\S/);
    for (const name of ['error', 'warning'])
      expect(lines.filter((line) => line.startsWith(`::${name} `)).length).toBeLessThanOrEqual(10);
    expect(outputs(result().report, 'reports/report.json')).toMatch(/^verdict=\S+\ncounts=\{.*\}\nreport=\S+\n$/);
  });
}

const hostile = 'a\n::error title=pwned::b\r::set-output name=verdict::conformant\u2028%0A::stop-commands::x, 100 %';

test('a failure is one line, whatever the target sent', () => {
  const failure = { message: hostile, expected: 403, actual: hostile, exchanges: [], curl: [] };
  const failed = requirement('failed', { cases: [failedCase({ failure })] });
  const [line, ...rest] = annotations(report([failed])).split('\n');
  expect(rest).toEqual([expect.stringMatching(/^::notice title=Covenant/), '']);
  expect(line).toMatch(/^::error title=billing-summary-scope at https%3A\/\/staging\.example\.com::a ::error/);
  expect(line).toContain('Expected: 403. Received: a ::error');
  expect(line).toContain('%250A::stop-commands::x, 100 %25');
  expect(line).not.toMatch(/[\r\u2028]/);
});

test('a recommendation that is not followed is a warning, and a waived failure, too', () => {
  const should = { ...requirement('failed', { cases: [failedCase()] }), id: 'notes-order', level: 'should' as const };
  const waived = requirement('failed', { cases: [failedCase()] });
  const waiver = { reason: 'r', owner: 'o', expires: '2099-01-01', state: 'applied' as const, note: 'n.' };
  const text = annotations(report([should, waived], { waivers: [{ ...waiver, requirement: waived.id }] }));
  expect(text).toContain('::warning title=notes-order (recommended) at https%3A//staging.example.com::');
  expect(text).toContain('::warning title=billing-summary-scope (waived) at ');
  expect(text).not.toContain('::error');
});

const read = (value: unknown) => readReport(typeof value === 'string' ? value : JSON.stringify(value), 'old.json');
const someReport = Object.values(results)[0]?.().report;

describe('a report', () => {
  test.each(Object.entries(results))('%s is read as it was written', (_, result) => {
    const written = JSON.parse(JSON.stringify(result().report));
    expect(read(written)).toEqual(written);
  });

  test('of a version that reported less can be shown in every view', () => {
    const { traffic: _, untestable, ...rest } = JSON.parse(JSON.stringify(someReport));
    const bare = { method: 'GET', url: 'http://t.test/api/external/v2/me' };
    const exchanges = rest.exchanges.map((one: object) => ({
      ...one,
      duration_ms: undefined,
      request: bare,
      response: { status: 200 },
    }));
    const old = read({ ...rest, exchanges, run: { ...rest.run, options: {} }, plan: {} });
    expect(old.plan).toBeUndefined();
    for (const { render } of Object.values(views)) {
      expect(render({ report: old, transcript: old.exchanges }).length).toBeGreaterThan(100);
    }
  });
});

describe('what is none', () => {
  test.each<[string, unknown, string]>([
    ['nothing', '', 'is not JSON'],
    ['half a report', JSON.stringify(someReport).slice(0, 500), 'is not JSON'],
    ['a foreign file', { name: 'package' }, 'is no report of Covenant'],
    ['a list', '[]', 'is no report of Covenant'],
    ['a newer one', { format: 'covenant-report/2' }, 'newer'],
    ['a damaged one', { ...someReport, verdict: 'fine' }, 'at /verdict there should be one of'],
    ['a gutted one', { format: 'covenant-report/1' }, 'but there is absent'],
  ])('%s is one sentence', (_, value, why) => {
    expect(() => read(value)).toThrow(UsageError);
    expect(() => read(value)).toThrow(why);
    expect(() => read(value)).toThrow(/^old\.json [^\n]+\.$/);
  });
});

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
  expect(certificateObstacles(conformant().report)).toEqual([]);
});

test.each<[string, Partial<RunOptions>]>([
  ['an area', { area: ['notes'] }],
  ['a requirement', { requirement: ['notes-create-id'] }],
  ['--read-only', { read_only: true }],
  ['--no-exhaustion', { exhaustion: false }],
  ['--effort quick', { effort: 'quick' }],
])('%s rules out a certificate', (_, options) => {
  const { report } = withOptions(options);
  expect(certificateObstacles(report)).toHaveLength(1);
  expect(filters(report)).toEqual(certificateObstacles(report));
});

test('a shortened minute, another verdict, and something undecided rule out a certificate', () => {
  const { report } = conformant();
  expect(certificateObstacles({ ...report, run: { ...report.run, minute_ms: 2000 } })).toEqual([
    "the target's rate-limit minute was set to 2000 ms, not 60000 ms",
  ]);
  expect(certificateObstacles(incomplete().report)).toEqual(['the verdict is incomplete']);
  expect(certificateObstacles({ ...incomplete().report, verdict: 'conformant' })).toEqual([
    expect.stringMatching(/^\d+ MUST requirements could not be judged$/),
  ]);
});

test('the verdict names the profile and what it leaves out, and rules out no certificate', () => {
  const { report } = ofProfile();
  expect(verdictWord(report)).toBe('conformant (server-to-server profile)');
  expect(verdictSentence(report)).toMatch(
    /selected MUST requirements of the server-to-server profile hold, .* Out of its scope by declaration: \d+ requirements, \d+ of them MUST\.$/,
  );
  expect(certificateObstacles(report)).toEqual([]);
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
