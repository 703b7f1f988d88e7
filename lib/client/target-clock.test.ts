// A clock that is put is noticed; slow replies, drift and several machines are not taken for it.
import { expect, test } from 'vitest';
import { TargetClock } from './target-clock.ts';

const start = Date.UTC(2026, 2, 1);

/** Replies that took `tookMs`, at so many milliseconds, from a clock that is so far ahead. */
function seen(replies: readonly (readonly [at: number, ahead: number, tookMs?: number])[]): TargetClock {
  const clock = new TargetClock();
  for (const [at, ahead, tookMs = 50] of replies) {
    const date = new Date(start + at + ahead).toUTCString();
    clock.saw({ headers: { date }, sentAt: start + at, receivedAt: start + at + tookMs });
  }
  return clock;
}

const steady = [0, 400, 900, 1500, 2100, 3300].map((at) => [at, 700] as const);

test.each([-3000, 3000])('a clock that is put by %i ms is noticed, for as long as it matters', (ms) => {
  const clock = seen([...steady, [4000, 700 + ms]]);
  expect(clock.jumpedSince(start + 3500)).toBe(true);
  expect(clock.jumpedSince(start + 4100)).toBe(false);
});

test.each([
  ['a reply that takes long', [...steady, [4000, 700, 9000], [14_000, 700]]],
  ['a drift', [...steady, [400_000, 1100], [800_000, 1500]]],
  ['machines that do not agree', Array.from({ length: 20 }, (_, at) => [at * 1000, at % 2 === 0 ? 0 : 5000])],
  ['no Date', []],
] as const)('%s is no clock that was put', (_, replies) => {
  expect(seen(replies as never).jumpedSince(start)).toBe(false);
});
