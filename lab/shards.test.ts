// Shards that are merged come to the same verdicts as one run: on the reference, and on mutants of every kind.
import { describe, expect, test } from 'vitest';
import { exitCode } from '../lib/gate/exit-code.ts';
import { merged } from '../lib/gate/merge.ts';
import { readReport } from '../lib/report/read.ts';
import type { Report } from '../lib/result.ts';
import { type Examination, examine } from './examine.ts';
import { withLeanFetch } from './lean-fetch.test-data.ts';
import { mutants } from './mutants/index.ts';

withLeanFetch();

const verdicts = (report: Report) => Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict]));

async function shards(examination: Examination, of: number): Promise<Report[]> {
  const reports: Report[] = [];
  for (let index = 1; index <= of; index += 1) {
    const settings = { ...examination.settings, shard: { index, of } };
    reports.push((await examine({ ...examination, settings })).report);
  }
  return reports;
}

const joined = (reports: readonly Report[]): Report =>
  merged(reports.map((report, index) => ({ file: `${index + 1}/report.json`, report })));

async function expectSame(examination: Examination, of: number): Promise<void> {
  const { report: whole } = await examine(examination);
  const report = joined(await shards(examination, of));
  expect(verdicts(report)).toEqual(verdicts(whole));
  expect(report.requirements.map(({ id }) => id)).toEqual(whole.requirements.map(({ id }) => id));
  expect(report.totals).toEqual(whole.totals);
  expect(exitCode(report, { interrupted: false })).toBe(exitCode(whole, { interrupted: false }));
  expect(report.observations.map(({ id }) => id).sort()).toEqual(whole.observations.map(({ id }) => id).sort());
  readReport(JSON.stringify(report), 'the joined report');
}

const broken = [
  'billing-hides-credits-without-scope-as-not-found',
  'notes-edit-of-unknown-note-answers-400',
  'idempotency-simultaneous-repeats-pass',
  'public-validate-tells-one-user-for-all-of-an-account',
  'authentication-accepts-algorithm-none',
];

describe('merged shards and one whole run', () => {
  test.each([2, 3, 5])('%i shards of the reference', (of) => expectSame({}, of));

  test.each(broken)('a quick run of %s in 3 shards', async (id) => {
    const mutant = mutants.find((one) => one.id === id);
    if (mutant === undefined) throw new Error(`no mutant is called ${id}`);
    await expectSame({ wrap: mutant.wrap, settings: { effort: 'quick' } }, 3);
  });
});

test('the shards share the work, and one of them exceeds the limits', async () => {
  const reports = await shards({ settings: { effort: 'quick' } }, 3);
  const writes = reports.map(({ budget }) =>
    budget
      .filter(({ class: rate, account }) => rate === 'write' && /^COVENANT_(?!RATE)/.test(account))
      .reduce((sum, { sent }) => sum + sent, 0),
  );
  // The first waits for the validations that it spends, and writes less meanwhile.
  const [exceeding = 0, ...others] = writes;
  expect(exceeding).toBeLessThan(Math.min(...others));
  expect(Math.max(...others)).toBeLessThan(1.2 * Math.min(...others));
  const exhausting = reports.filter(({ requirements }) =>
    requirements.some(({ id, verdict }) => id === 'rate-limits-read-enforced' && verdict === 'passed'),
  );
  expect(exhausting.length).toBe(1);
  for (const report of reports) {
    expect(report.verdict).toBe('incomplete');
    expect(report.totals.must.not_tested).toBeGreaterThan(0);
  }
});

describe('what cannot be merged', () => {
  test('a report that is not of a shard, one shard twice, another seed', async () => {
    const settings = { effort: 'quick', requirements: ['billing-summary-scope'] } as const;
    const [one, two] = await shards({ settings }, 2);
    const [other] = await shards({ settings: { ...settings, seed: 2 } }, 2);
    const { report: whole } = await examine({ settings });
    if (!one || !two || !other) throw new Error('a shard is missing');
    expect(() => joined([one, whole])).toThrow('2/report.json is not of a shard');
    expect(() => joined([one, one])).toThrow('both of shard 1 of 2');
    expect(() => joined([two, other])).toThrow('the seed is 1 in one and 2 in the other');
    expect(() => joined([one])).toThrow('name two or more');
  });

  test('what a missing shard would have run stays not tested', async () => {
    const [one, two] = await shards({ settings: { areas: ['billing', 'notes'] } }, 3);
    if (!one || !two) throw new Error('a shard is missing');
    const report = joined([one, two]);
    expect(report.verdict).toBe('incomplete');
    const open = report.requirements.filter(({ verdict }) => verdict === 'not-tested');
    expect(new Set(open.map(({ reason }) => reason))).toEqual(new Set(['shard 3 runs it']));
  });
});
