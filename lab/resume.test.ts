// A run that was cut off and went on comes to the same verdicts as one that was not, wherever it was cut off.
import { describe, expect, test } from 'vitest';
import { type Handler, handlerTransport } from '../lib/client/transports/handler.ts';
import { NoReply, type Transport } from '../lib/client/transports/transport.ts';
import { resumedReport } from '../lib/gate/merge.ts';
import { readReport } from '../lib/report/read.ts';
import type { Report } from '../lib/result.ts';
import { run } from '../lib/run/run.ts';
import { virtualClock } from '../lib/runtime/virtual-clock.ts';
import { suites } from '../suites/index.ts';
import { defaultSettings, targetOf } from './examine.ts';
import { withLeanFetch } from './lean-fetch.test-data.ts';
import { mutants } from './mutants/index.ts';
import { createReference } from './reference/index.ts';

withLeanFetch();

const wrapOf = (id: string) => {
  const mutant = mutants.find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`no mutant is called ${id}`);
  return mutant.wrap;
};

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

const verdicts = (report: Report) => Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict]));

async function expectSame(cut: Cut, atRequest: number, mutant?: string): Promise<void> {
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
    ['interrupted', 60],
    ['interrupted', 300],
    ['interrupted', 650],
    ['interrupted', 900],
    ['killed', 40],
    ['killed', 400],
    ['killed', 800],
    ['without network', 200],
    ['without network', 700],
  ] as const)('%s at request %i', (cut, atRequest) => expectSame(cut, atRequest));

  test.each([
    ['interrupted', 500, 'notes-edit-of-unknown-note-answers-400'],
    ['killed', 700, 'notes-delete-does-nothing'],
    ['without network', 600, 'authentication-accepts-algorithm-none'],
  ] as const)('%s at request %i of the mutant %s', (cut, atRequest, mutant) => expectSame(cut, atRequest, mutant));
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
