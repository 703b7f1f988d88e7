// API keys: how they begin, and how one is revoked.
import {
  type Api,
  at,
  type Credential,
  dataOf,
  identifierOf,
  type Reply,
  type Tools,
  wordOf,
} from '../../lib/index.ts';
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

/** Of a key: what revokes it, and what it is sent with. */
export interface Keyed {
  readonly id: number | string | undefined;
  readonly credential: Credential;
}

/** Undefined where it is not made: nobody waits for room, and no requirement is about it. */
export async function keyBy(api: Api, label: string, make: Tools['make']): Promise<Keyed | undefined> {
  const reply = await api.send('POST /api-keys', { body: { label } });
  if (!wasAccepted(reply) || typeof at(dataOf(reply), 'api_key') !== 'string') return undefined;
  return { id: identifierOf('key', dataOf(reply)), credential: make.credential(api.credential, reply) };
}
