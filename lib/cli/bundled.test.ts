// The time of the bundled reference: shared with the run, and shown as the clock on the wall shows it.
import { expect, test } from 'vitest';
import type { RunEvent } from '../events.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { bundledTime, byTheWall } from './bundled.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

test('its clock runs ten times as fast, and so do its waits', async () => {
  const machine = virtualClock();
  const begun = machine.now();
  const { clock, minuteMs } = bundledTime({}, machine);
  if (clock === undefined) throw new Error('no clock that hurries');
  await clock.sleep(5000);
  expect(machine.now() - begun).toBe(500);
  expect(clock.now() - begun).toBe(5000);
  expect(clock.before(clock.now())).toBe(machine.now());
  expect(minuteMs).toBe(10_000);
});

test('whoever watches sees the clock on the wall', () => {
  const machine = virtualClock();
  const begun = machine.now();
  const { clock } = bundledTime({}, machine);
  if (clock === undefined) throw new Error('no clock that hurries');
  const seen: RunEvent[] = [];
  const hear = byTheWall((event) => void seen.push(event), clock);
  const at = iso(begun + 10_000);
  hear({ event: 'wait', at, accounts: [], class: 'read', why: 'the minute is spent', until: iso(begun + 20_000) });
  hear({ event: 'phase', at, phase: 'cases' });
  const none = { passed: 0, failed: 0, not_tested: 0, inconclusive: 0 };
  const totals = { must: none, should: none, observe: { observed: 0, not_tested: 0 } };
  hear({ event: 'finished', at, verdict: 'conformant', totals, duration_ms: 60_000 });
  expect(seen).toMatchObject([
    { at: iso(begun + 1000), until: iso(begun + 2000) },
    { at: iso(begun + 1000), phase: 'cases' },
    { at: iso(begun + 1000), duration_ms: 6000 },
  ]);
});
