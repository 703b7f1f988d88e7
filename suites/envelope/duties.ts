// Duties of every success, judged on each reply of the run: envelope members, their times, and status.
import {
  at,
  computedOnce,
  dataOf,
  everyReply,
  expectAbsent,
  expectStatus,
  expectThat,
  formerOf,
  idempotencyKeyOf,
  instant,
  isObject,
  type JudgedId,
  operationIds,
  operations,
  type Reply,
  wordOf,
} from '../../lib/index.ts';
import { expectMember, isNonEmptyText, kindOf, wasAccepted } from '../shared/answer.ts';
import { isOf, plainReads } from '../shared/groups.ts';

const minuteMs = 60_000;
const skewMsMax = 5 * minuteMs;
/** Replies further apart than this, in milliseconds, have different timestamps. */
export const movesWithinMs = 5000;

const textOf = (reply: Reply): unknown => at(reply.json, 'timestamp');
/** Computed once, as several duties need it. */
const timeOf = computedOnce((reply: Reply) => {
  const text = textOf(reply);
  return typeof text === 'string' ? instant(text) : undefined;
});

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
  const earlier = formerOf(past, key, reply);
  const again = past.get(`${key} again`);
  const since = (one: Reply | undefined): number => (one ? reply.sentAt - one.receivedAt : 0);
  if (!again && since(earlier) > againMs) past.set(`${key} again`, reply);
  const apart = since(again) > againMs ? since(earlier) : 0;
  expectThat(apart <= movesWithinMs, 'timestamp should move on', {
    expected: `another time than ${Math.round(apart / 1000)} seconds before`,
    actual: wordOf(textOf(reply)),
    replies: earlier ? [earlier, reply] : reply,
  });
}

/** `application/json` and types with the suffix `+json`, with or without parameters. */
const isJsonLabel = (contentType: string | undefined): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
const hasEnvelope = (reply: Reply): boolean => wasAccepted(reply) && isObject(reply.json);
/** A replay may carry the timestamp of the first reply. */
const hasOwnTime = (reply: Reply): boolean => hasEnvelope(reply) && timeOf(reply) !== undefined && !reply.mayReplay;
const operationOf = ({ operation }: Reply) => operations[operation ?? 'GET /health'];
const holdsRecords = (value: unknown): boolean => isObject(value) || Array.isArray(value);

/** The document does not say whether the data of account lists and billing are objects or arrays. */
const statedKinds = operationIds.filter((id) => operations[id].list !== 'perhaps' && !id.startsWith('GET /billing/'));
const noLists = operationIds.filter((id) => operations[id].list === undefined);

/** Both may be replies to one operation that was sent twice. */
const sameKey = (one: Reply, other: Reply): boolean => {
  const [key, otherKey] = [one, other].map(idempotencyKeyOf);
  return key !== undefined && key === otherKey;
};

function expectOwnRequestId(reply: Reply, past: Map<string, Reply>): void {
  const id = at(reply.json, 'request_id');
  if (typeof id !== 'string' || id.trim() === '') return;
  const earlier = formerOf(past, id, reply);
  if (!earlier || sameKey(earlier, reply)) return;
  expectThat(false, 'request_id should be different from that of every other request', {
    expected: 'a request_id that no other reply carries',
    actual: `${id}, which the reply to ${earlier.operation} carries too`,
    replies: [earlier, reply],
  });
}

const envelopes = { over: operationIds, anyInput: true, applies: hasEnvelope } as const;

/** A replay creates nothing, and the document does not say which 2xx it gets. */
const successHas = (id: JudgedId, status: 200 | 201) =>
  everyReply(
    id,
    {
      over: operationIds.filter((one) => operations[one].success === status),
      applies: (reply) => wasAccepted(reply) && operationOf(reply).success === status && !reply.mayReplay,
    },
    (reply) => expectStatus(reply, status),
  );

export const duties = [
  everyReply(
    'envelope-success-object',
    { over: operationIds, anyInput: true, applies: (reply) => wasAccepted(reply) && reply.status !== 204 },
    (reply) =>
      expectThat(isObject(reply.json), 'the body should be one JSON object', {
        expected: 'a JSON object',
        actual: reply.text === '' ? 'no body' : reply.json === undefined ? 'no JSON' : kindOf(reply.json),
        replies: reply,
      }),
  ),

  everyReply(
    'envelope-content-type',
    { over: operationIds, anyInput: true, applies: ({ json }) => json !== undefined },
    (reply) =>
      expectThat(isJsonLabel(reply.headers['content-type']), 'a JSON body should be labelled as JSON', {
        expected: 'Content-Type: application/json',
        actual: reply.headers['content-type'] ?? 'no Content-Type',
        replies: reply,
      }),
  ),

  everyReply('envelope-request-id-present', envelopes, (reply) =>
    expectMember(reply, 'request_id', isNonEmptyText, 'a text that is not empty'),
  ),

  everyReply('envelope-request-id-unique', envelopes, expectOwnRequestId),

  everyReply('envelope-timestamp-format', envelopes, (reply) =>
    expectMember(reply, 'timestamp', () => timeOf(reply) !== undefined, 'a date-time such as 2026-03-02T09:00:00Z'),
  ),

  everyReply('envelope-timestamp-clock', { ...envelopes, applies: hasOwnTime, byClock: true }, expectNow),

  everyReply(
    'envelope-timestamp-moves',
    { ...envelopes, over: plainReads, applies: hasOwnTime, byClock: true },
    expectMoved,
  ),

  everyReply('envelope-data-present', envelopes, (reply) =>
    expectMember(reply, 'data', holdsRecords, 'an object or an array'),
  ),

  everyReply(
    'envelope-data-kind',
    {
      over: statedKinds,
      applies: (reply) => hasEnvelope(reply) && holdsRecords(dataOf(reply)) && isOf(statedKinds, reply),
    },
    (reply) => {
      const expected = operationOf(reply).list === undefined ? 'object' : 'an array';
      const actual = Array.isArray(dataOf(reply)) ? 'an array' : 'object';
      expectThat(actual === expected, `data should be ${expected}`, { expected, actual, replies: reply });
    },
  ),

  everyReply(
    'envelope-pagination-absent',
    { over: noLists, applies: (reply) => hasEnvelope(reply) && operationOf(reply).list === undefined },
    (reply) => expectAbsent(at(reply.json, 'pagination'), 'pagination on a success that is not a list', reply),
  ),

  successHas('envelope-status-ok', 200),

  successHas('envelope-status-created', 201),
];
