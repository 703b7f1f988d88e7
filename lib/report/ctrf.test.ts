// CTRF is valid by its published schema, and its counts are those of its tests.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { ctrf } from './ctrf.ts';
import { results } from './results.test-data.ts';
import { incomplete, sample } from './sample.test-data.ts';

const ajv = new Ajv({ allErrors: true, strict: false });
ajvFormats.default(ajv);
const folder = dirname(createRequire(import.meta.url).resolve('ctrf'));
const validate = ajv.compile(JSON.parse(readFileSync(join(folder, 'ctrf-schema-0.0.json'), 'utf8')));

for (const [kind, result] of Object.entries(results)) {
  test(`a result ${kind} is valid by the schema`, () => {
    validate(JSON.parse(ctrf(result())));
    expect(validate.errors).toBeNull();
  });
}

test('the schema would refuse a field of ours outside of extra, and a status that it does not know', () => {
  const report = JSON.parse(ctrf(sample()));
  const [first, ...rest] = report.results.tests;
  const withTests = (tests: unknown) => ({ ...report, results: { ...report.results, tests } });
  expect(validate(withTests([{ ...first, requirement: 'x' }, ...rest]))).toBe(false);
  expect(validate(withTests([{ ...first, status: 'warning' }, ...rest]))).toBe(false);
});

test('the summary counts the tests', () => {
  const { summary, tests } = JSON.parse(ctrf(sample())).results;
  const count = (status: string) => tests.filter((one: { status: string }) => one.status === status).length;
  expect(summary).toMatchObject({
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    other: count('other'),
  });
  expect(summary.passed + summary.failed + summary.skipped + summary.other).toBe(tests.length);
  expect(summary.failed).toBeGreaterThan(1);
});

test('an incomplete run has exactly one failed test: the verdict', () => {
  const { tests } = JSON.parse(ctrf(incomplete())).results;
  const failed = tests.filter((one: { status: string }) => one.status === 'failed');
  expect(failed).toMatchObject([{ testId: 'run/verdict', rawStatus: 'error' }]);
});

test('a failure keeps what was expected and received', () => {
  const { report } = sample();
  const row = report.requirements.find(({ verdict }) => verdict === 'failed');
  const found = JSON.parse(ctrf(sample())).results.tests.find(
    (one: { extra: { covenant: { requirement?: string } } }) => one.extra.covenant.requirement === row?.id,
  );
  expect(found.extra.covenant.failure).toEqual(row?.cases[0]?.failure);
  expect(found.trace).toContain('Expected: ');
});
