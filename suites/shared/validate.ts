// Asking the validation about a key, and its answer in a few words.
import { type Api, anonymous, at, dataOf, type Reply } from '../../lib/index.ts';

export const validate = (api: Api, token: unknown): Promise<Reply> =>
  api.as(anonymous).send('POST /auth/validate-api-key', { body: { api_key: token } });

/** What only a valid key is told. */
export const factNames = ['user_id', 'account_id', 'scopes', 'tier'] as const;

export const toldValid = (reply: Reply): unknown => at(dataOf(reply), 'valid');

/** `200, valid false`. */
export const validationAnswer = (reply: Reply): string =>
  typeof toldValid(reply) === 'boolean' ? `${reply.status}, valid ${toldValid(reply)}` : String(reply.status);
