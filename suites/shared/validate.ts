// Asks the validation about a key, and puts its answer in a few words.
import { type Api, anonymous, at, dataOf, type Reply } from '../../lib/index.ts';

/** By a caller that has credentials, though none are needed. */
export const validateAs = (api: Api, token: unknown): Promise<Reply> =>
  api.send('POST /auth/validate-api-key', { body: { api_key: token } });

export const validate = (api: Api, token: unknown): Promise<Reply> => validateAs(api.as(anonymous), token);

/** In room that was kept for it; what others have used of that is waited for, once the room is given up: it would wait for itself. */
export async function validateNow(api: Api, token: unknown, leave: () => void): Promise<Reply> {
  const body = { api_key: token };
  const reply = await api.as(anonymous).send('POST /auth/validate-api-key', { body, throttle: 'accept' });
  if (reply.status !== 429) return reply;
  leave();
  return validate(api, token);
}

/** What the validation returns of a valid key only. */
export const keyFacts = ['user_id', 'account_id', 'scopes', 'tier'] as const;

export const validIn = (reply: Reply): unknown => at(dataOf(reply), 'valid');

/** `200, valid false`. */
export const validationAnswer = (reply: Reply): string =>
  typeof validIn(reply) === 'boolean' ? `${reply.status}, valid ${validIn(reply)}` : String(reply.status);
