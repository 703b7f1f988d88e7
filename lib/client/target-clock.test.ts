// Tests that a clock set during a run is noticed; slow replies, drift, one wrong time and several machines are not mistaken for it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secondsToWait } from './seconds-to-wait.ts';
import { type ClockChange, TargetClock } from './target-clock.ts';

const start = Date.UTC(2026, 2, 1);

type Row = readonly [at: number, ahead: number, tookMs?: number];
type Shown = (ms: number) => { headers: Record<string, string>; json: unknown; mayReplay?: true };

const dated: Shown = (ms) => ({ headers: { date: new Date(ms).toUTCString() }, json: {} });
const stamped: Shown = (ms) => ({ headers: {}, json: { timestamp: new Date(ms).toISOString() } });

/** Replies that took `tookMs`, at so many milliseconds, from a clock that is so far ahead; by the milliseconds since the start. */
function putsSeen(replies: readonly Row[], shown: Shown = dated): readonly ClockChange[] {
  const clock = new TargetClock();
  for (const [at, ahead, tookMs = 50] of replies)
    clock.saw({ status: 200, ...shown(start + at + ahead), sentAt: start + at, receivedAt: start + at + tookMs });
  return clock.changes.map(({ at, backMs }) => ({ at: at - start, backMs: Math.floor(backMs / 1000) }));
}

const steady = [0, 400, 900, 1500, 2100, 3300].map((at): Row => [at, 700]);
const put = (ms: number): readonly Row[] => [...steady, [4000, 700 + ms], [4400, 700 + ms]];

test.each([
  ['Date', dated],
  ['timestamp', stamped],
] as const)('a clock that is set is noticed at the first %s, and how far back', (_, shown) => {
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
])('%s is no clock that was set', (_, replies) => {
  expect(putsSeen(replies)).toEqual([]);
  expect(putsSeen(replies, stamped)).toEqual([]);
});

test('a Date that is kept for seconds while the timestamp goes on is no clock that was set', () => {
  const kept = (ms: number) => ({ ...dated(start + 700), ...{ json: stamped(ms).json } });
  expect(putsSeen(steady, kept)).toEqual([]);
  expect(putsSeen([...steady, [4700, 700], [5000, 700], [5600, 700]], kept)).toEqual([]);
});

test('the timestamps of a replayed reply and of a refusal do not count', () => {
  const clock = new TargetClock();
  const saw = (at: number, more: object) =>
    clock.saw({ status: 200, ...stamped(start), sentAt: start + at, receivedAt: start + at + 50, ...more });
  saw(0, {});
  saw(60_000, { mayReplay: true });
  saw(60_500, { ...dated(start), mayReplay: true });
  saw(61_000, { status: 404 });
  expect(clock.changes).toEqual([]);
});

fc.configureGlobal({ seed: 1 });

describe('the seconds to wait in the message of a 429', () => {
  test.each([
    ['Rate limit exceeded. Please wait 12 seconds before retrying.', 12],
    ['Rate limit exceeded. Wait for another 12s.', 12],
    ['Too many requests, wait: 12', 12],
    ['Retry after 12 seconds', 12],
    ['Retry-After: 12', 12],
    ['retry_after=12', 12],
    ['retryAfter 12', 12],
    ['Try again in 12 seconds.', 12],
    ['Try again in about 12 s', 12],
    ['Limit of 30 requests per minute reached; try again in 12 more seconds', 12],
    ['You made 31 requests in 60 seconds. Please wait 12 seconds.', 12],
    ['Refused after 30 requests; 12 seconds remain', 12],
    ['429: 12 seconds left', 12],
    ['200 requests per minute exceeded, 12 sec to go', 12],
    ['Seconds until the next request: 12', 12],
    ['Error 429, limit 200, back off: 12', 12],
    ['wait 0.5 seconds', 0.5],
    ['WAIT 12 SECONDS', 12],
    ['wait 0 seconds', 0],
    ['12', 12],
    ['60', 60],
    ['Request 7f3a-55 refused at 2026-11-20T23:54:30Z, 12 seconds', 12],
    ['5 or 12 seconds, or 7 seconds', 12],
    ['Zu viele Anfragen: bitte 62 Sekunden Geduld.', 62],
    ['Limite de 200 requêtes atteinte, encore 61 secondes', 61],
    ['200 回を超えました。61秒お待ちください', 61],
  ])('the seconds to wait are read from %j', (message, seconds) => {
    expect(secondsToWait(message)).toBe(seconds);
  });

  test.each([
    '',
    'Rate limit exceeded',
    'Slow down, please wait',
    'Rate limit of 30 requests per minute exceeded',
    'Wait until 2026-11-20T23:54:30Z',
    'Try again in 1 minute',
    'Wait 5000 ms',
    'Error 429',
    '95% of the limit',
  ])('the seconds to wait are not read from %j', (message) => {
    expect(secondsToWait(message)).toBeUndefined();
  });

  test('the seconds to wait are found in any phrasing of a keyword, a number and a unit', () => {
    const before = fc.constantFrom('wait ', 'please wait for ', 'retry after ', 'Retry-After: ', 'try again in ');
    const unit = fc.constantFrom('', 's', ' s', ' sec', ' seconds', ' seconds.', ' more seconds!');
    fc.assert(
      fc.property(before, fc.integer({ min: 0, max: 600 }), unit, fc.boolean(), (keyword, seconds, after, long) => {
        const reason = long ? 'Limit of 200 requests per minute exceeded. ' : '';
        expect(secondsToWait(`${reason}${keyword}${seconds}${after}`)).toBe(seconds);
      }),
    );
  });

  test('the seconds to wait are never read from a text without a digit, and no text is an error', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const seconds = secondsToWait(text);
        expect(seconds === undefined || seconds >= 0).toBe(true);
        expect(secondsToWait(text.replace(/\d/g, ''))).toBeUndefined();
      }),
    );
  });
});
