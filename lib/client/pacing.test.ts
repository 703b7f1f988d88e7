// Pacing: no window of any kind holds more than the limit, and nothing waits without need.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { Pace } from './pace.ts';
import { Pacing, unauthenticated } from './pacing.ts';

const minuteMs = 60_000;

/** Sends at the given gaps with the given delays on the way, and returns when each request arrived at the target. */
async function arrivals(
  limit: number,
  plan: readonly { gap: number; there: number; back: number }[],
): Promise<number[]> {
  const clock = virtualClock(0);
  const pacing = new Pacing(clock, minuteMs);
  pacing.setLimit('account', 'write', limit);
  const arrived: number[] = [];
  const sends: Promise<void>[] = [];
  for (const { gap, there, back } of plan) {
    await clock.sleep(gap);
    sends.push(
      pacing.admit(['account'], 'write').then(async (permit) => {
        await clock.sleep(there);
        arrived.push(clock.now());
        await clock.sleep(back);
        permit.done();
      }),
    );
  }
  await Promise.all(sends);
  return arrived.sort((one, other) => one - other);
}

describe('pacing', () => {
  test('whatever the delays, no minute at the target holds more than the limit', async () => {
    const delay = fc.integer({ min: 0, max: 3000 });
    const request = fc.record({ gap: fc.integer({ min: 0, max: 20_000 }), there: delay, back: delay });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(request, { maxLength: 30 }), async (limit, plan) => {
        const times = await arrivals(limit, plan);
        expect(times).toHaveLength(plan.length);
        for (const [index, time] of times.entries()) {
          const next = times[index + limit];
          if (next !== undefined) expect(next - time).toBeGreaterThanOrEqual(minuteMs);
        }
      }),
      { seed: 7, numRuns: 50 },
    );
  });

  test('a request that fits does not wait', async () => {
    const times = await arrivals(
      30,
      Array.from({ length: 30 }, () => ({ gap: 0, there: 0, back: 0 })),
    );
    expect(new Set(times)).toEqual(new Set([0]));
  });

  test('accounts and classes do not wait for each other', async () => {
    const clock = virtualClock(0);
    const pacing = new Pacing(clock, minuteMs);
    pacing.setLimit('one', 'write', 1);
    (await pacing.admit(['one'], 'write')).done();
    (await pacing.admit(['one'], 'read')).done();
    (await pacing.admit(['other'], 'write')).done();
    expect(clock.now()).toBe(0);
    (await pacing.admit(['one'], 'write')).done();
    expect(clock.now()).toBeGreaterThan(minuteMs);
  });

  test('free requests fit without waiting on every account that counts them', async () => {
    const clock = virtualClock(0);
    const pacing = new Pacing(clock, minuteMs);
    pacing.setLimit('one', 'write', 3);
    pacing.setLimit('other', 'write', 2);
    (await pacing.admit(['one'], 'write')).done();
    expect(pacing.free(['one'], 'write')).toBe(2);
    (await pacing.admit(['other'], 'write')).done();
    expect(pacing.free(['one', 'other'], 'write')).toBe(1);
    expect(clock.now()).toBe(0);
    await clock.sleep(2 * minuteMs);
    expect(pacing.free(['one'], 'write')).toBe(3);
  });

  test('a request that may belong to two accounts counts on both', async () => {
    const clock = virtualClock(0);
    const pacing = new Pacing(clock, minuteMs);
    pacing.setLimit('primary', 'read', 1);
    (await pacing.admit(['session', 'primary'], 'read')).done();
    (await pacing.admit(['primary'], 'read')).done();
    expect(clock.now()).toBeGreaterThan(minuteMs);
    const sent = pacing
      .traffic(0, clock.now())
      .map((one) => [one.account, one.sent.reduce((sum, count) => sum + count)]);
    expect(sent).toEqual([
      ['primary', 2],
      ['session', 1],
    ]);
  });

  test('every request is counted once, also where it belongs to no account', () => {
    const pacing = new Pacing(virtualClock(0), minuteMs);
    pacing.sends('one', 'write');
    pacing.sends(unauthenticated, 'write');
    expect(pacing.spending()).toEqual([
      { account: 'one', class: 'write', limit: 30, sent: 1, throttled: 0 },
      { account: unauthenticated, class: 'write', limit: null, sent: 1, throttled: 0 },
    ]);
  });

  test('a long wait is announced with who waits, why, and until when', async () => {
    const clock = virtualClock(0);
    const waits: unknown[] = [];
    const pacing = new Pacing(clock, minuteMs, (wait) => waits.push(wait));
    pacing.setLimit('account', 'validate', 1);
    (await pacing.admit(['account'], 'validate')).done();
    (await pacing.admit(['account'], 'validate')).done();
    const why = 'account has used its 1 validate requests of this minute';
    expect(waits).toEqual([{ accounts: ['account'], rate: 'validate', why, until: minuteMs + 1 }]);
  });

  test('a quiet minute is counted from the last reply, also of requests that did not wait', async () => {
    const clock = virtualClock(0);
    const pacing = new Pacing(clock, minuteMs);
    const permit = pacing.count(['account'], 'read');
    await clock.sleep(500);
    permit.done();
    await pacing.quiet(['account'], 'read');
    expect(clock.now()).toBe(500 + minuteMs + 1);
  });

  test('once refused within its allowance, an account fits into every window that counts the minute before by weights', async () => {
    const clock = virtualClock(0);
    const pacing = new Pacing(clock, minuteMs);
    pacing.setLimit('account', 'write', 6);
    const send = async (): Promise<number> => {
      const permit = await pacing.admit(['account'], 'write');
      permit.done();
      return clock.now();
    };
    for (let sent = 0; sent < 6; sent += 1) await send();
    const refused = await pacing.admit(['account'], 'write');
    refused.throttled(60);
    refused.done();
    const sentAt: number[] = [];
    while (sentAt.length < 40) sentAt.push(await send());
    const counted = (now: number, start: number): number => {
      const passed = (now - start) / minuteMs;
      const before = sentAt.filter((at) => at >= start - minuteMs && at < start).length;
      return before * (1 - passed) + sentAt.filter((at) => at >= start && at <= now).length;
    };
    for (const now of sentAt)
      for (let start = now - minuteMs + 1; start <= now; start += 500)
        expect(counted(now, start)).toBeLessThanOrEqual(6);
    // Two thirds of the limit, and not less.
    expect(clock.now()).toBeLessThan(13 * minuteMs);
    await pacing.quiet(['account'], 'write');
    expect(clock.now()).toBe((sentAt.at(-1) ?? 0) + 2 * minuteMs + 1);
  });

  test('an interruption ends the wait and counts nothing', async () => {
    const clock = virtualClock(0);
    const pacing = new Pacing(clock, minuteMs);
    pacing.setLimit('account', 'write', 1);
    (await pacing.admit(['account'], 'write')).done();
    const stop = new AbortController();
    const waiting = pacing.admit(['account'], 'write', stop.signal);
    const refused = expect(waiting).rejects.toThrow('stopped');
    stop.abort(new Error('stopped'));
    await refused;
    (await pacing.admit(['account'], 'write')).done();
    const [sent] = pacing.traffic(0, clock.now());
    expect(sent?.sent.reduce((sum, count) => sum + count)).toBe(2);
  });

  test('a reservation keeps others waiting until it is released or the run is interrupted', async () => {
    const pacing = new Pacing(virtualClock(0), minuteMs);
    const served: string[] = [];
    const ask = (name: string) => pacing.admit(['account'], 'read').then(() => served.push(name));
    const leave = await pacing.reserve(['account'], 'read', 2);
    const first = ask('once given up');
    await new Promise(setImmediate);
    expect(served).toEqual([]);
    leave();
    await first;
    const stop = new AbortController();
    await pacing.reserve(['account'], 'read', 2, stop.signal);
    const second = ask('once interrupted');
    await new Promise(setImmediate);
    expect(served).toEqual(['once given up']);
    stop.abort(new Error('interrupted'));
    await second;
    await pacing.reserve(['account'], 'read', 2, stop.signal);
    await ask('after an interruption');
    expect(served).toEqual(['once given up', 'once interrupted', 'after an interruption']);
  });

  test('requests of no account are unlimited until the target throttles them, and then keep its pace', async () => {
    const clock = virtualClock(0);
    const pacing = new Pacing(clock, minuteMs);
    for (let sent = 0; sent < 3; sent += 1) (await pacing.admit([unauthenticated], 'read')).done();
    const refused = await pacing.admit([unauthenticated], 'read');
    refused.throttled(60);
    refused.done();
    expect(clock.now()).toBe(0);
    (await pacing.admit([unauthenticated], 'read')).done();
    expect(clock.now()).toBeGreaterThan(minuteMs);
    expect(pacing.spending()).toEqual([]);
  });

  test('a learned limit is forgotten after a quiet minute, and later the second time', async () => {
    const clock = virtualClock(0);
    const pacing = new Pacing(clock, minuteMs);
    const send = async () => {
      const permit = await pacing.admit([unauthenticated], 'read');
      permit.done();
      return permit;
    };
    const limits: number[] = [];
    for (const learned of [true, false, true, false, false]) {
      const permit = await send();
      if (learned) permit.throttled(60);
      else limits.push(pacing.limit(unauthenticated, 'read'));
      await clock.sleep(minuteMs + 1);
    }
    expect(limits).toEqual([Number.POSITIVE_INFINITY, 1, Number.POSITIVE_INFINITY]);
  });
});

/** Sends without a pause through a gateway of so many a second; returns when each request was let through, and how many were refused. */
function through(
  aSecond: number,
  pace: Pace,
  lastsMs: number,
): { readonly passed: number[]; readonly refused: number } {
  const passed: number[] = [];
  let refused = 0;
  for (let now = 0; now < lastsMs; now += 1) {
    now += pace.take(now);
    const isFull = passed.filter((at) => at > now - 1000).length >= aSecond;
    if (isFull) refused += 1;
    else passed.push(now);
    if (isFull) pace.refused(now);
    else pace.answeredAt(now);
  }
  return { passed, refused };
}

test('nothing waits before something is refused', () => {
  const pace = new Pace(minuteMs);
  expect([0, 0, 1, 1].map((now) => pace.take(now))).toEqual([0, 0, 0, 0]);
});

test.each([2, 5, 10, 50])('at %i requests a second it soon finds the pace, and keeps most of it', (aSecond) => {
  const { passed, refused } = through(aSecond, new Pace(minuteMs), minuteMs);
  expect(refused).toBeLessThan(60);
  const late = passed.filter((at) => at >= minuteMs / 2).length;
  expect(late / (minuteMs / 2000)).toBeGreaterThan(aSecond * 0.5);
  expect(passed.length).toBeLessThanOrEqual(aSecond * 61);
});

test('in an outage, when nothing passes, the pace is not the cause', () => {
  const pace = new Pace(minuteMs);
  for (let now = 0; now < 3000; now += 100) pace.refused(now);
  expect(pace.take(3000)).toBe(0);
});

test('occasional network errors do not slow it down', () => {
  const pace = new Pace(minuteMs);
  let waited = 0;
  for (let now = 0; now < 10 * minuteMs; now += 20) {
    waited += pace.take(now);
    if (now % 1000 < 100) pace.refused(now);
    else pace.answeredAt(now);
  }
  expect(waited).toBe(0);
});

test('it is forgotten after a minute without refusals, and the second time after four', () => {
  const pace = new Pace(minuteMs);
  const slowed = (now: number): void => {
    for (let at = 0; at < 4; at += 1) pace.answeredAt(now);
    for (let at = 0; at < 3; at += 1) pace.refused(now);
  };
  const isSlow = (now: number): boolean => {
    pace.take(now);
    return pace.take(now) > 0;
  };
  slowed(0);
  expect([isSlow(minuteMs - 1), isSlow(minuteMs + 2000)]).toEqual([true, false]);
  slowed(2 * minuteMs);
  expect([isSlow(5.9 * minuteMs), isSlow(6.1 * minuteMs)]).toEqual([true, false]);
});
