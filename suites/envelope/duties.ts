// Duties of every success, judged on each reply of the run: envelope members and status.
import {
  at,
  dataOf,
  everyReply,
  expectAbsent,
  expectStatus,
  expectThat,
  idempotencyKeyOf,
  isObject,
  type OperationId,
  operationIds,
  operations,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { creations } from '../shared/groups.ts';
import { timestampDuties } from './timestamp.ts';

/** `application/json` and types with the suffix `+json`, with or without parameters. */
const isJsonLabel = (contentType: string | undefined): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
const hasEnvelope = (reply: Reply): boolean => wasAccepted(reply) && isObject(reply.json);
const operationOf = ({ operation }: Reply) => operations[operation ?? 'GET /health'];
const kindOf = (value: unknown): string =>
  value === null ? 'null' : value === undefined ? 'absent' : Array.isArray(value) ? 'an array' : typeof value;
const holdsRecords = (value: unknown): boolean => isObject(value) || Array.isArray(value);

/** The document does not say whether the data of account lists and billing are objects or arrays. */
const kindIsStated = (id: OperationId): boolean => operations[id].list !== 'perhaps' && !id.startsWith('GET /billing/');
const noLists = operationIds.filter((id) => operations[id].list === undefined);

/** Both may be replies to one operation that was sent twice. */
const sameKey = (one: Reply, other: Reply): boolean => {
  const [key, otherKey] = [one, other].map(idempotencyKeyOf);
  return key !== undefined && key === otherKey;
};

function expectOwnRequestId(reply: Reply, past: Map<string, Reply>): void {
  const id = at(reply.json, 'request_id');
  if (typeof id !== 'string' || id.trim() === '') return;
  const earlier = past.get(id);
  past.set(id, earlier ?? reply);
  if (!earlier || sameKey(earlier, reply)) return;
  expectThat(false, 'request_id should be different from that of every other request', {
    expected: 'a request_id that no other reply carries',
    actual: `${id}, which the reply to ${earlier.operation} carries too`,
    replies: [earlier, reply],
  });
}

const envelopes = { over: operationIds, anyInput: true, applies: hasEnvelope } as const;

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

  everyReply('envelope-request-id-present', envelopes, (reply) => {
    const id = at(reply.json, 'request_id');
    expectThat(typeof id === 'string' && id.trim() !== '', 'request_id should be a text that is not empty', {
      expected: 'a non-empty text',
      actual: typeof id === 'string' ? JSON.stringify(id) : kindOf(id),
      replies: reply,
    });
  }),

  everyReply('envelope-request-id-unique', envelopes, expectOwnRequestId),

  ...timestampDuties(hasEnvelope),

  everyReply('envelope-data-present', envelopes, (reply) =>
    expectThat(holdsRecords(dataOf(reply)), 'data should be an object or an array', {
      expected: 'an object or an array',
      actual: kindOf(dataOf(reply)),
      replies: reply,
    }),
  ),

  everyReply(
    'envelope-data-kind',
    {
      over: operationIds.filter(kindIsStated),
      applies: (reply) =>
        hasEnvelope(reply) &&
        holdsRecords(dataOf(reply)) &&
        reply.operation !== undefined &&
        kindIsStated(reply.operation),
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

  everyReply(
    'envelope-status-ok',
    {
      over: operationIds.filter((id) => !creations.includes(id)),
      // The document does not say which 2xx a replay gets.
      applies: (reply) => wasAccepted(reply) && operationOf(reply).success === 200 && !reply.mayReplay,
    },
    (reply) => expectStatus(reply, 200),
  ),

  // Fails in cases that start from a valid request that is refused: only the case knows that it is valid.
  everyReply('envelope-valid-served', { over: [], applies: wasAccepted }, () => {}),

  everyReply(
    'envelope-status-created',
    // A replay creates nothing.
    {
      over: creations,
      applies: (reply) => wasAccepted(reply) && operationOf(reply).success === 201 && !reply.mayReplay,
    },
    (reply) => expectStatus(reply, 201),
  ),
];
