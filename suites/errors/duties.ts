// Duties of every documented error, judged on each reply of the run: the members of the error body.
import { at, everyReply, expectThat, isObject, type Reply } from '../../lib/index.ts';
import { expectText } from '../shared/answer.ts';
import { protectedIds } from '../shared/groups.ts';

/** The statuses of the error table; other requirements judge 429. */
const named = [400, 401, 403, 404, 422];

const isNamed = ({ status }: Reply): boolean => named.includes(status);
const isBody = (reply: Reply): boolean => isNamed(reply) && isObject(reply.json);
const hasError = (reply: Reply): boolean => isBody(reply) && isObject(at(reply.json, 'error'));

export const duties = [
  everyReply('errors-body-object', { over: protectedIds, applies: isNamed }, (reply) =>
    expectThat(hasError(reply), 'an error should be a JSON object with an object under error', {
      expected: '{"request_id": ..., "error": {"code": ..., "message": ...}}',
      actual: reply.text === '' ? 'no body' : reply.text.slice(0, 200),
      replies: reply,
    }),
  ),

  everyReply('errors-body-request-id', { over: protectedIds, applies: isBody }, (reply) =>
    expectText(reply, 'request_id'),
  ),

  ...(['code', 'message'] as const).map((name) =>
    everyReply(`errors-body-${name}`, { over: protectedIds, applies: hasError }, (reply) =>
      expectText(reply, 'error', name),
    ),
  ),
];
