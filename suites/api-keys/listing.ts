// Reads the whole list of keys, and creates keys that may be refused because the account has its maximum.
import {
  type Api,
  at,
  identifierOf,
  itemsOf,
  type JsonObject,
  type MadeKey,
  type Maker,
  NotTested,
  type Reply,
  wasAccepted,
} from '../../lib/index.ts';
import { revokeKey } from '../shared/keys.ts';
import { unlessMismatch } from '../shared/unless.ts';
import { triesMax } from './rules.ts';

const limitMax = 200;
const pagesMax = 5;

export const idOf = (item: unknown): number | string | undefined => identifierOf('key', item);

/** Rejects with NotTested if there are more than a thousand keys, or the list is refused. */
export async function readKeys(api: Api): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  for (let [page, offset] = [0, 0]; page < pagesMax; page += 1) {
    const reply = await api.send('GET /api-keys', { query: { limit: limitMax, offset } });
    if (!wasAccepted(reply)) throw new NotTested(`the list of keys is refused with ${reply.status}`, reply);
    items.push(...itemsOf(reply));
    const told = Number(at(reply.json, 'pagination', 'limit'));
    const limit = told >= 1 && told < limitMax ? told : limitMax;
    if (itemsOf(reply).length < limit) return items;
    offset += limit;
  }
  throw new NotTested(`the list of keys is longer than ${pagesMax} pages`);
}

/**
 * Whether the caller itself has a key with this identifier, which must not be revoked: accounts may number their keys
 * separately. A caller that may not list keys sees none.
 */
export async function hasOwnKeyOfId(api: Api, { id, label }: Pick<MadeKey, 'id' | 'label'>): Promise<boolean> {
  if ((await api.send('GET /api-keys', { query: { limit: 1 } })).status === 403) return false;
  return (await readKeys(api)).some((item) => idOf(item) === id && item.label !== label);
}

/** Creates a key with a label; if it is refused, creates and revokes a plain one and tries again. */
export async function tryLabel(
  maker: Api,
  label: string,
  { api, make }: { readonly api: Api; readonly make: Maker },
): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await maker.send('POST /api-keys', { body: { label } });
    if (wasAccepted(reply)) return reply;
    const plain = await unlessMismatch(make.key(api, make.name('key')));
    if (plain === undefined)
      throw new NotTested(`${api.credential.name} makes no keys now: the target answers ${reply.status}`);
    await revokeKey(api, plain.id);
    if (attempt === triesMax) return reply;
  }
}
