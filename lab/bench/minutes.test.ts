// The plan under the document's limits, in virtual time: how long each run takes, how near that is to the least time, and to what was foretold.
import { describe, expect, test } from 'vitest';
import { withLeanFetch } from '../lean-fetch.test-data.ts';
import { higherTier, rows, standard, type Timed, type TimedRun, timeOf } from './minutes.ts';

withLeanFetch();

/** A run may be so much longer than its requests need, and so much for replies and for what lists need to catch up. */
const shareMax = 1.1;
const slackMs = 12_000;
/** Where replies are slow and a run is short, they are most of it. */
const slowShareMax = 1.7;
/** What slow replies cost a standard run beyond its four minutes: in time, and of the least time. */
const slowMs = 35_000;
const slowShare = 1.2;
/** A forecast is wrong by no more than a fifth, or by what lists need to catch up. */
const foretoldShare = 0.2;

/** What was said when the accounts were known, beside what came. */
function expectForetold({ report: { plan }, wallMs, stays, undeclared, sent }: Timed): void {
  const { requests = [], residue = [], duration_ms = 0 } = plan ?? {};
  expect(Math.abs(duration_ms - wallMs)).toBeLessThanOrEqual(Math.max(foretoldShare * wallMs, slackMs));
  const foretold = requests.reduce((sum, one) => sum + one.requests, 0);
  expect(Math.abs(foretold - sent)).toBeLessThanOrEqual(foretoldShare * sent);
  for (const [kind, count] of Object.entries(stays)) {
    const announced = residue.find((one) => one.kind === kind)?.count ?? 0;
    expect(count, kind).toBeLessThanOrEqual(announced);
  }
  expect(undeclared).toEqual([]);
}

async function expectInTime(row: TimedRun, share = shareMax): Promise<void> {
  const timed = await timeOf(row);
  const { wallMs, leastMs, unplanned, report } = timed;
  expect(report.totals.must.failed, 'failed requirements').toBe(0);
  if (!row.keyAlone) expect(report.verdict).toBe('conformant');
  expect(unplanned, 'refusals that no case asked for').toBe(0);
  expect(wallMs).toBeLessThanOrEqual(row.maxMs);
  expect(wallMs).toBeLessThanOrEqual(Math.max(leastMs * share, leastMs + slackMs));
  expectForetold(timed);
}

describe('every account has the limits of the document', { timeout: 300_000 }, () => {
  test.each(rows)('$name', (row) => expectInTime(row, row.shareMax));

  /** Milliseconds of each reply, and what a quick run takes then, with the exhaustion and without. */
  test.each([
    ['quick', 50, 135_000],
    ['quick', 200, 165_000],
    ['quick --no-exhaustion', 50, 76_000],
    ['quick --no-exhaustion', 200, 96_000],
  ])('%s with replies that take %i ms', async (name, latencyMs, maxMs) => {
    const row = rows.find((one) => one.name === name);
    if (row) await expectInTime({ ...row, latencyMs, maxMs }, slowShareMax);
    expect(row).toBeDefined();
  });

  test.each([50, 200])('a standard run with replies that take %i ms', async (latencyMs) => {
    await expectInTime({ ...standard, latencyMs, maxMs: standard.maxMs + slowMs }, slowShare);
  });
});

test('under a limiter that counts the minute before by weights a run waits longer, and is conformant', async () => {
  const row = { name: 'quick', effort: 'quick', exhaustion: false, limiter: 'weighted', maxMs: 180_000 } as const;
  const { report, unplanned, wallMs } = await timeOf(row);
  expect(report.verdict).toBe('conformant');
  // Each account and class learns it from the first refusals.
  expect(unplanned).toBeLessThanOrEqual(20);
  expect(wallMs).toBeLessThanOrEqual(row.maxMs);
});

test('a higher tier is used', { timeout: 300_000 }, async () => {
  // What waits for lists to catch up is a larger share of two minutes than of four.
  await expectInTime({ ...standard, limits: higherTier, maxMs: 133_000 }, 1.11);
});

test('where a bucket regains as much as slow replies let pass, a burst ends', { timeout: 300_000 }, async () => {
  const row = { name: 'quick', effort: 'quick', exhaustion: true, limits: higherTier, latencyMs: 200 } as const;
  await expectInTime({ ...row, maxMs: 150_000 }, 1.25);
});
