// The bundled reference: started for a run and stopped, with a time that both share, shown as the clock on the wall shows it.
import { expect, test } from 'vitest';
import { defaultSettings, targetOf } from '../../lab/examine.ts';
import { listen } from '../../lab/over-http.ts';
import { createReference } from '../../lab/reference/index.ts';
import { direct } from '../configuration/network.ts';
import type { RunEvent } from '../events.ts';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { compose } from './compose.ts';
import { bundledTime, byTheWall } from './run-choices.ts';
import { trial, useFolder } from './trial.test-data.ts';

useFolder();

test('a run starts the reference where no target is configured, says so, and stops it', async () => {
  const { code, out, examined, served, closed } = await trial([]);
  expect(code).toBe(0);
  expect(served).toMatchObject([{ port: 0, host: '127.0.0.1', minuteMs: 10_000, clock: { rate: 10 } }]);
  expect(examined[0]?.target).toMatchObject({
    baseUrl: 'http://127.0.0.1:4999',
    ...{ minuteMs: 10_000, clockRate: 10 },
  });
  expect(examined[0]?.clock).toBe(served[0]?.clock);
  expect(out).toContain('bundled reference');
  expect(out).toContain('10000 ms instead of 60000 of a clock 10 times as fast');
  expect(closed).toBe(1);
});

test('a minute that is configured for the reference is a real one', async () => {
  const { served, examined } = await trial([], { environment: { COVENANT_MINUTE_MS: '2000' } });
  expect(served).toEqual([{ port: 0, host: '127.0.0.1', minuteMs: 2000 }]);
  expect(examined[0]?.target.clockRate).toBeUndefined();
  expect(examined[0]?.clock).toBeUndefined();
});

test('a run stops the reference also when the run breaks', async () => {
  const examine = () => {
    throw new Error('broken');
  };
  const { code, closed } = await trial([], { examine });
  expect(code).toBe(4);
  expect(closed).toBe(1);
});

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

test('its clock stands still while work is under way, and who waits meanwhile waits on', async () => {
  const machine = virtualClock();
  const begun = machine.now();
  const { clock } = bundledTime({}, machine);
  const waited = clock?.sleep(5000).then(() => machine.now() - begun);
  await Promise.all([clock?.during(() => machine.sleep(60_000)), clock?.during(() => machine.sleep(20_000))]);
  expect(clock?.now()).toBe(begun);
  expect(await waited).toBe(60_500);
});

test('limits are judged on a machine that takes two seconds for each reply', async () => {
  const machine = virtualClock();
  const { clock, minuteMs } = bundledTime({}, machine);
  if (clock === undefined) throw new Error('no clock that hurries');
  const { handler, env } = await createReference({ clock, minuteMs });
  const slow = async (request: Request) => {
    await machine.sleep(2000);
    return handler(request);
  };
  const { url, close } = await listen(slow, 'plain');
  try {
    const { report } = await compose().examine({
      clock,
      target: { ...targetOf(env), baseUrl: url, minuteMs, clockRate: clock.rate },
      network: direct,
      settings: { ...defaultSettings, requirements: ['rate-limits-read-allowed', 'rate-limits-read-enforced'] },
      signal: new AbortController().signal,
      onEvent: () => {},
    });
    expect(report.requirements.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([
      ['rate-limits-read-allowed', 'passed', undefined],
      ['rate-limits-read-enforced', 'passed', undefined],
    ]);
  } finally {
    close();
  }
});

test('those who follow a run see the clock on the wall', () => {
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
    { at: iso(begun + 1000), duration_ms: 0 },
  ]);
});
