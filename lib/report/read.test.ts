// Reading a report back: the same report, or one sentence that says why not.
import { describe, expect, test } from 'vitest';
import { UsageError } from '../configuration/settings.ts';
import { readReport } from './read.ts';
import { results } from './results.test-data.ts';
import { views } from './views.ts';

const read = (value: unknown) => readReport(typeof value === 'string' ? value : JSON.stringify(value), 'old.json');
const report = Object.values(results)[0]?.().report;

describe('a report', () => {
  test.each(Object.entries(results))('%s is read as it was written', (_, result) => {
    const written = JSON.parse(JSON.stringify(result().report));
    expect(read(written)).toEqual(written);
  });

  test('of a version that reported less can be shown in every view', () => {
    const { latency: _, traffic, untestable, ...rest } = JSON.parse(JSON.stringify(report));
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
    ['half a report', JSON.stringify(report).slice(0, 500), 'is not JSON'],
    ['a foreign file', { name: 'package' }, 'is no report of Covenant'],
    ['a list', '[]', 'is no report of Covenant'],
    ['a newer one', { format: 'covenant-report/2' }, 'newer'],
    ['a damaged one', { ...report, verdict: 'fine' }, 'at /verdict there should be one of'],
    ['a gutted one', { format: 'covenant-report/1' }, 'but there is absent'],
  ])('%s is one sentence', (_, value, why) => {
    expect(() => read(value)).toThrow(UsageError);
    expect(() => read(value)).toThrow(why);
    expect(() => read(value)).toThrow(/^old\.json [^\n]+\.$/);
  });
});
