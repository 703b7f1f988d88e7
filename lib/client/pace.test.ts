// The pace of a run: as fast as it likes, then what a gateway lets through, and faster again after a while.
import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

const minuteMs = 60_000;

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

test('where nothing is let through, as in an outage, it is not a matter of pace', () => {
  const pace = new Pace(minuteMs);
  for (let now = 0; now < 3000; now += 100) pace.refused(now);
  expect(pace.take(3000)).toBe(0);
});

test('a way that fails now and then does not slow it down', () => {
  const pace = new Pace(minuteMs);
  let waited = 0;
  for (let now = 0; now < 10 * minuteMs; now += 20) {
    waited += pace.take(now);
    if (now % 1000 < 100) pace.refused(now);
    else pace.answeredAt(now);
  }
  expect(waited).toBe(0);
});

test('it is forgotten after a minute without refusals, and the second time after two', () => {
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
  expect([isSlow(3.9 * minuteMs), isSlow(4.1 * minuteMs)]).toEqual([true, false]);
});
