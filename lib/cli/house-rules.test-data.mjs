// The house rules of docs/own-rules.md, word for word but for where they import from.
import { conforms, dataOf, everyReply, expectEqual, expectThat, must, observe, suite } from '../index.ts';

const rules = {
  'x-house-health': must('GET /health says ok', { impact: 'The load balancer takes a healthy server out.' }),
  'x-house-request-id': must('Every request_id begins with req_', { impact: 'Our log search finds nothing else.' }),
  'x-house-server': observe('Which software says that it answers?'),
};

export default suite(rules, [
  conforms(['x-house-health', 'x-house-server'], { visits: 'GET /health' }, async ({ api, check, observe }) => {
    const reply = await api.send('GET /health');
    await check('x-house-health', () => expectEqual(dataOf(reply)?.status, 'ok', 'data.status', reply));
    observe('x-house-server', reply.headers.server ?? 'none does', reply);
  }),
  everyReply('x-house-request-id', { over: ['GET /me'], applies: ({ json }) => json !== undefined }, (reply) => {
    const actual = reply.json?.request_id;
    expectThat(/^req_/.test(actual), 'request_id should begin with req_', {
      expected: 'req_...',
      actual,
      replies: reply,
    });
  }),
]);
