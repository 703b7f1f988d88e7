// Annotations name what failed, and nothing that a target sent can be a command; outputs are a line each.
import { expect, test } from 'vitest';
import { annotations, outputs } from './github.ts';
import { results } from './results.test-data.ts';
import { failedCase, report, requirement } from './terminal/example.test-data.ts';

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
