// What every creation and every page of keys owes, whatever case asked for it.
import {
  at,
  dataOf,
  everyReply,
  expectEqual,
  expectSchema,
  isObject,
  itemsOf,
  type Reply,
  wordOf,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { expectInteger } from '../shared/fields.ts';
import { expectDateTime, expectPrefix, expectSecret } from './record.ts';

const createdBy = (reply: Reply) => {
  const data = dataOf(reply);
  const record = isObject(data) ? data : {};
  return { record, label: wordOf(record.label), reply };
};
const creations = {
  over: [],
  applies: (reply: Reply) =>
    reply.operation === 'POST /api-keys' && wasAccepted(reply) && !reply.mayReplay && isObject(dataOf(reply)),
};

export const duties = [
  everyReply('api-keys-create-secret', creations, (reply) => expectSecret(createdBy(reply))),
  everyReply(
    'api-keys-create-key-prefix',
    { ...creations, applies: (reply) => creations.applies(reply) && typeof at(dataOf(reply), 'api_key') === 'string' },
    (reply) => expectPrefix(createdBy(reply)),
  ),
  everyReply('api-keys-create-created-at', creations, (reply) =>
    expectDateTime(at(dataOf(reply), 'created_at'), 'created_at', reply),
  ),
  everyReply('api-keys-create-id', creations, (reply) =>
    expectInteger(at(dataOf(reply), 'id'), 'the identifier of a new key', reply),
  ),
  everyReply(
    'api-keys-list-record',
    { over: [], applies: (reply) => reply.operation === 'GET /api-keys' && wasAccepted(reply) },
    (reply) => {
      // A secret in the list is a matter of its own.
      for (const [index, { api_key: _, ...item }] of itemsOf(reply).entries())
        expectSchema(reply, 'api-key', item, `/data/${index}`);
    },
  ),
  everyReply(
    'api-keys-list-pagination',
    {
      over: [],
      applies: (reply) =>
        reply.operation === 'GET /api-keys' && wasAccepted(reply) && isObject(at(reply.json, 'pagination')),
    },
    (reply) => {
      const pagination = at(reply.json, 'pagination');
      for (const name of ['total', 'limit', 'offset']) expectInteger(at(pagination, name), `pagination.${name}`, reply);
      expectEqual(typeof at(pagination, 'has_more'), 'boolean', 'the type of pagination.has_more', reply);
    },
  ),
];
