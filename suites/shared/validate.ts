// Sends key validations and describes their replies.
import { type Api, anonymous, at, type Call, dataOf, type OperationId, type Reply } from '../../lib/index.ts';

/** Sent with credentials, though none are needed. */
export const validateAs = (api: Api, token: unknown): Promise<Reply> =>
  api.send('POST /auth/validate-api-key', { body: { api_key: token } });

export const validate = (api: Api, token: unknown): Promise<Reply> => validateAs(api.as(anonymous), token);

/** Uses a reservation. After a 429 it releases the reservation first, so as not to wait for itself. */
export async function sendNow(api: Api, operation: OperationId, call: Call, leave: () => void): Promise<Reply> {
  const reply = await api.send(operation, { ...call, throttle: 'accept' });
  if (reply.status !== 429) return reply;
  leave();
  return api.send(operation, call);
}

export const validateNow = (api: Api, token: unknown, leave: () => void): Promise<Reply> =>
  sendNow(api.as(anonymous), 'POST /auth/validate-api-key', { body: { api_key: token } }, leave);

/** Members that only the validation of a valid key returns. */
export const keyFacts = ['user_id', 'account_id', 'scopes', 'tier'] as const;

export const validIn = (reply: Reply): unknown => at(dataOf(reply), 'valid');

/** `200, valid false`. */
export const validationAnswer = (reply: Reply): string =>
  typeof validIn(reply) === 'boolean' ? `${reply.status}, valid ${validIn(reply)}` : String(reply.status);
