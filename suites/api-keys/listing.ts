// Reading the list of keys to its end, whatever it says of itself; and making keys that may be refused for want of room.
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
import { orNothing } from '../shared/attempt.ts';
import { revokeKey } from '../shared/keys.ts';
import { triesMax } from './rules.ts';

const limitMax = 200;
const pagesMax = 5;

export const idOf = (item: unknown): number | string | undefined => identifierOf('key', item);

/** Rejects with NotTested where there are more than a thousand, or where they are not shown. */
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
 * Where each account numbers its keys itself, the caller may have a key of the same identifier, which is not to be revoked.
 * Who may not list keys is shown none.
 */
export async function hasNamesake(api: Api, { id, label }: Pick<MadeKey, 'id' | 'label'>): Promise<boolean> {
  if ((await api.send('GET /api-keys', { query: { limit: 1 } })).status === 403) return false;
  return (await readKeys(api)).some((item) => idOf(item) === id && item.label !== label);
}

/** A key under a label; where it is refused a plain one is made and revoked, and it is tried again. */
export async function tryLabel(
  maker: Api,
  label: string,
  { api, make }: { readonly api: Api; readonly make: Maker },
): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await maker.send('POST /api-keys', { body: { label } });
    if (wasAccepted(reply)) return reply;
    const plain = await orNothing(make.key(api, make.name('key')));
    if (plain === undefined) throw new NotTested(`the target makes no keys now: it answers ${reply.status}`);
    await revokeKey(api, plain.id);
    if (attempt === triesMax) return reply;
  }
}
