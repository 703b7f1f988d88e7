// API keys: how they begin, and how one is revoked.
import { type Api, at, dataOf, type Reply, wordOf } from '../../lib/index.ts';
import { answerOf, wasAccepted } from './answer.ts';

export const keyPrefix = 'svc_sk_';

/** An identifier that is undefined is sent as an empty one. */
export const revokeKey = (api: Api, id: number | string | undefined): Promise<Reply> =>
  api.send('DELETE /api-keys/{key_id}', { path: { key_id: id ?? '' } });

/** `deleted true`, or `refused with 404`. */
export const revocationAnswer = (reply: Reply): string =>
  wasAccepted(reply) ? `deleted ${wordOf(at(dataOf(reply), 'deleted'))}` : answerOf(reply);

/** Whether the reply says that the key is revoked. */
export const isRevoked = (reply: Reply): boolean => wasAccepted(reply) && at(dataOf(reply), 'deleted') === true;
