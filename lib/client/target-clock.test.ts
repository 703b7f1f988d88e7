// A clock that is put is noticed; slow replies, drift, one wrong time and several machines are not taken for it.
import { expect, test } from 'vitest';
import { type ClockPut, TargetClock } from './target-clock.ts';

const start = Date.UTC(2026, 2, 1);

type Row = readonly [at: number, ahead: number, tookMs?: number];
type Shown = (ms: number) => { headers: Record<string, string>; json: unknown; mayReplay?: true };

const dated: Shown = (ms) => ({ headers: { date: new Date(ms).toUTCString() }, json: {} });
const stamped: Shown = (ms) => ({ headers: {}, json: { timestamp: new Date(ms).toISOString() } });

/** Replies that took `tookMs`, at so many milliseconds, from a clock that is so far ahead; by the milliseconds since the start. */
function putsSeen(replies: readonly Row[], shown: Shown = dated): readonly ClockPut[] {
  const clock = new TargetClock();
  for (const [at, ahead, tookMs = 50] of replies)
    clock.saw({ status: 200, ...shown(start + at + ahead), sentAt: start + at, receivedAt: start + at + tookMs });
  return clock.puts.map(({ at, backMs }) => ({ at: at - start, backMs: Math.floor(backMs / 1000) }));
}

const steady = [0, 400, 900, 1500, 2100, 3300].map((at): Row => [at, 700]);
const put = (ms: number): readonly Row[] => [...steady, [4000, 700 + ms], [4400, 700 + ms]];

test.each([
  ['Date', dated],
  ['timestamp', stamped],
] as const)('a clock that is put is noticed at the first %s, and how far back', (_, shown) => {
  expect(putsSeen(put(-3000), shown)).toEqual([{ at: 4050, backMs: 3 }]);
  expect(putsSeen(put(-3000).slice(0, -1), shown)).toEqual([{ at: 4050, backMs: 3 }]);
  expect(putsSeen(put(3000), shown)).toEqual([{ at: 4050, backMs: 0 }]);
  expect(putsSeen([...put(-3000), [5000, 700], [5500, 700]], shown).map(({ at }) => at)).toEqual([4050, 5050]);
});

test.each<readonly [string, readonly Row[]]>([
  ['a reply that takes long', [...steady, [4000, 700, 9000], [14_000, 700]]],
  ['a drift', [...steady, [400_000, 1100], [800_000, 1500]]],
  ['one wrong time', [...steady, [4000, 60_000], [5000, 700]]],
  ['machines in turn', Array.from({ length: 21 }, (_, at): Row => [at * 1000, at % 2 === 0 ? 0 : 5000])],
  ['machines that do not agree', Array.from({ length: 20 }, (_, at): Row => [at * 1000, at % 4 < 2 ? 0 : 5000])],
  ['nothing', []],
])('%s is no clock that was put', (_, replies) => {
  expect(putsSeen(replies)).toEqual([]);
  expect(putsSeen(replies, stamped)).toEqual([]);
});

test('the timestamp of a stored reply that is sent again, and of a refusal, is no clock', () => {
  const clock = new TargetClock();
  const saw = (at: number, more: object) =>
    clock.saw({ status: 200, ...stamped(start), sentAt: start + at, receivedAt: start + at + 50, ...more });
  saw(0, {});
  saw(60_000, { mayReplay: true });
  saw(60_500, { ...dated(start), mayReplay: true });
  saw(61_000, { status: 404 });
  expect(clock.puts).toEqual([]);
});
