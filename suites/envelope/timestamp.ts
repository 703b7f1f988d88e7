// Duties of the timestamp: a date-time, close to the time of the response, and moving.
import {
  at,
  everyReply,
  expectThat,
  type Instant,
  type Invariant,
  instant,
  operationIds,
  type Reply,
  wordOf,
} from '../../lib/index.ts';
import { plainReads } from '../shared/groups.ts';

const minuteMs = 60_000;
const skewMsMax = 5 * minuteMs;
/** Replies further apart than this, in milliseconds, have different timestamps. */
export const movesWithinMs = 5000;

const textOf = (reply: Reply): unknown => at(reply.json, 'timestamp');
const times = new WeakMap<Reply, { readonly time: Instant | undefined }>();
/** Cached, as several duties need it. */
function timeOf(reply: Reply): Instant | undefined {
  const known = times.get(reply);
  if (known) return known.time;
  const text = textOf(reply);
  const time = typeof text === 'string' ? instant(text) : undefined;
  times.set(reply, { time });
  return time;
}

/** Compares with the Date header, else with the client's clock: if that matched before, one clock was changed. */
function expectNow(reply: Reply, past: Map<string, Reply>): void {
  const date = Date.parse(reply.headers.date ?? '');
  const dated = !Number.isNaN(date);
  const [now, source] = dated ? [date, 'the Date header'] : [reply.receivedAt, "this client's clock"];
  const time = timeOf(reply)?.ms ?? now;
  const apart = Math.abs(time - now);
  if (apart <= skewMsMax && !dated) past.set('right', reply);
  if (apart <= skewMsMax) return;
  const before = dated ? undefined : past.get('right');
  expectThat(false, `timestamp should be within five minutes of ${source}`, {
    expected: `within five minutes of ${new Date(now).toISOString()}`,
    actual: `${wordOf(textOf(reply))}, ${Math.round(apart / minuteMs)} minutes away`,
    replies: before ? [before, reply] : reply,
  });
}

/** More than a second, the resolution that a target may use. */
const againMs = 2000;

/**
 * Fails if two replies of one operation, more than five seconds apart, and one between them have the same timestamp.
 * Two alone prove nothing: the clocks of two nodes may differ by just that time.
 */
function expectMoved(reply: Reply, past: Map<string, Reply>): void {
  const key = `${reply.operation} ${timeOf(reply)?.ms}`;
  const earlier = past.get(key);
  const again = past.get(`${key} again`);
  past.set(key, earlier ?? reply);
  const since = (one: Reply | undefined): number => (one ? reply.sentAt - one.receivedAt : 0);
  if (!again && since(earlier) > againMs) past.set(`${key} again`, reply);
  const apart = since(again) > againMs ? since(earlier) : 0;
  expectThat(apart <= movesWithinMs, 'timestamp should move on', {
    expected: `another time than ${Math.round(apart / 1000)} seconds before`,
    actual: wordOf(textOf(reply)),
    replies: earlier ? [earlier, reply] : reply,
  });
}

export function timestampDuties(hasEnvelope: (reply: Reply) => boolean): readonly Invariant[] {
  // A replay may carry the timestamp of the first reply.
  const own = (reply: Reply) => hasEnvelope(reply) && timeOf(reply) !== undefined && !reply.mayReplay;
  return [
    everyReply('envelope-timestamp-format', { over: operationIds, anyInput: true, applies: hasEnvelope }, (reply) =>
      expectThat(timeOf(reply) !== undefined, 'timestamp should be an ISO 8601 date-time', {
        expected: 'a text such as 2026-03-02T09:00:00Z',
        actual: textOf(reply) ?? 'absent',
        replies: reply,
      }),
    ),
    everyReply(
      'envelope-timestamp-clock',
      { over: operationIds, applies: own, anyInput: true, byClock: true },
      expectNow,
    ),
    everyReply(
      'envelope-timestamp-moves',
      { over: plainReads, applies: own, anyInput: true, byClock: true },
      expectMoved,
    ),
  ];
}
