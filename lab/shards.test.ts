// A run in parts, whether shards that are merged or one that was cut off and gone on with, comes to the verdicts of one run.
import { describe, expect, test } from 'vitest';
import { type Handler, handlerTransport } from '../lib/client/transports/handler.ts';
import { NoReply, type Transport } from '../lib/client/transports/transport.ts';
import { exitCode } from '../lib/gate/exit-code.ts';
import { merged, resumedReport } from '../lib/gate/merge.ts';
import { readReport } from '../lib/report/read.ts';
import type { Report } from '../lib/result.ts';
import { run } from '../lib/run/run.ts';
import { virtualClock } from '../lib/runtime/virtual-clock.ts';
import { suites } from '../suites/index.ts';
import { defaultSettings, type Examination, examine, targetOf } from './examine.ts';
import { withLeanFetch } from './lean-fetch.test-data.ts';
import { mutants } from './mutants/index.ts';
import { createReference } from './reference/index.ts';

withLeanFetch();

const wrapOf = (id: string) => {
  const mutant = mutants.find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`no mutant is called ${id}`);
  return mutant.wrap;
};

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
  'idempotency-simultaneous-repeats-pass',
  'public-validate-tells-one-user-for-all-of-an-account',
];

describe('merged shards and one whole run', () => {
  test('three shards of the reference', () => expectSame({}, 3));

  test.each(broken)('a quick run of %s in 3 shards', async (id) => {
    await expectSame({ wrap: wrapOf(id), settings: { effort: 'quick' } }, 3);
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

/** How a run is cut off at a request. */
type Cut = 'interrupted' | 'killed' | 'without network';

const settings = { ...defaultSettings, effort: 'quick' } as const;

/** One server, and runs against it. */
async function bed(wrap: ReturnType<typeof wrapOf> | undefined) {
  const clock = virtualClock();
  const { handler, env } = await createReference({ clock: clock.inside });
  const served: Handler = wrap ? wrap(handler, clock) : handler;
  const input = { suites, target: targetOf(env), settings, clock };
  const live = handlerTransport(served, clock);
  return {
    whole: async () => (await run({ ...input, transport: live })).report,
    goOn: async (earlier: Report) => {
      const decided = new Set(earlier.run.decided);
      // A run that begins in the same moment under the same seed would send the same keys.
      await clock.inside.sleep(1000);
      return resumedReport(earlier, (await run({ ...input, transport: live, decided })).report);
    },
    cutOff: async (cut: Cut, atRequest: number): Promise<Report> => {
      const stop = new AbortController();
      let sent = 0;
      let checkpoint: Report | undefined;
      const transport: Transport = (request, limits) => {
        sent += 1;
        if (sent >= atRequest && cut !== 'without network') stop.abort(new Error('interrupted'));
        if (sent >= atRequest && cut === 'without network') return Promise.reject(new NoReply('no way there'));
        return live(request, limits);
      };
      const onCheckpoint = (report: Report): void => {
        if (sent < atRequest) checkpoint = report;
      };
      const { report } = await run({ ...input, transport, signal: stop.signal, onCheckpoint });
      if (cut !== 'killed') return report;
      return checkpoint ?? { ...report, run: { ...report.run, decided: [] }, requirements: [] };
    },
  };
}

async function expectResumedSame(cut: Cut, atRequest: number, mutant?: string): Promise<void> {
  const wrap = mutant === undefined ? undefined : wrapOf(mutant);
  const whole = await (await bed(wrap)).whole();
  const { cutOff, goOn } = await bed(wrap);
  const earlier = await cutOff(cut, atRequest);
  const report = await goOn(earlier);
  expect(earlier.verdict).toBe(cut === 'without network' ? 'incomplete' : 'aborted');
  expect(verdicts(report)).toEqual(verdicts(whole));
  expect(report.totals).toEqual(whole.totals);
  expect(report.verdict).toBe(whole.verdict);
  readReport(JSON.stringify(report), 'the report');
}

describe('a run that goes on has the verdicts of one that was not cut off', { timeout: 120_000 }, () => {
  test.each([
    ['interrupted', 3],
    ['interrupted', 300],
    ['interrupted', 900],
    ['killed', 40],
    ['killed', 800],
    ['without network', 200],
    ['without network', 700],
  ] as const)('%s at request %i', (cut, atRequest) => expectResumedSame(cut, atRequest));

  test.each([
    ['interrupted', 500, 'notes-edit-of-unknown-note-answers-400'],
    ['killed', 700, 'notes-delete-does-nothing'],
    ['without network', 600, 'authentication-accepts-algorithm-none'],
  ] as const)('%s at request %i of the mutant %s', (cut, atRequest, mutant) =>
    expectResumedSame(cut, atRequest, mutant),
  );
});

test('what was decided is not asked again, and a second run can be cut off too', { timeout: 120_000 }, async () => {
  const { cutOff, goOn, whole } = await bed(undefined);
  const earlier = await cutOff('interrupted', 600);
  const decided = earlier.run.decided ?? [];
  expect(decided.length).toBeGreaterThan(10);
  const report = await goOn(earlier);
  const sent = (one: Report) => one.budget.reduce((sum, { sent: count }) => sum + count, 0);
  expect(sent(report)).toBeLessThan(1.5 * sent(await whole()));
  expect(report.run.resumes).toBe(earlier.run.id);
  expect(report.run.decided).toBeUndefined();
});
