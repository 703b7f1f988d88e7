// Reading the list of keys: whole, within a bound, and without trusting what is judged.
import {
  type Api,
  at,
  identifierOf,
  type JsonObject,
  type MadeKey,
  type Maker,
  NotTested,
  type Page,
  type Reply,
  readPage,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { orNothing } from '../shared/attempt.ts';
import { revokeKey } from '../shared/keys.ts';

const limitMax = 200;
const pagesMax = 5;

export interface Keys {
  readonly items: readonly JsonObject[];
  readonly ids: readonly unknown[];
  readonly replies: readonly Reply[];
}

export const idOf = (item: unknown): number | string | undefined => identifierOf('key', item);

/** One page of keys. */
export const readKeyPage = (api: Api, limit: number, offset: number): Promise<Page> =>
  readPage(api, { operation: 'GET /api-keys', limit }, { offset });

/** The limit that the reply says is in effect, or else the one asked for: it leads to the next offset. */
export function stepOf({ pagination }: Page, asked: number): number {
  const limit = at(pagination, 'limit');
  return typeof limit === 'number' && Number.isInteger(limit) && limit > 0 && limit < asked ? limit : asked;
}

/** All keys, whatever total and has_more say. Rejects with NotTested where there are more than a thousand. */
export async function readKeys(api: Api): Promise<Keys> {
  const pages: Page[] = [];
  for (let offset = 0; pages.length < pagesMax; ) {
    const page = await readKeyPage(api, limitMax, offset);
    pages.push(page);
    const step = stepOf(page, limitMax);
    if (page.items.length < step) {
      const items = pages.flatMap((one) => one.items);
      return { items, ids: items.map(idOf), replies: pages.map(({ reply }) => reply) };
    }
    offset += step;
  }
  throw new NotTested(`the list of keys is longer than ${pagesMax} pages`);
}

/**
 * Where each account numbers its keys itself, the caller may have a key of the same identifier, which is not to be revoked.
 * Who may not list keys is shown none.
 */
export async function hasNamesake(api: Api, { id, label }: Pick<MadeKey, 'id' | 'label'>): Promise<boolean> {
  const first = await api.send('GET /api-keys', { query: { limit: 1 } });
  if (first.status === 403) return false;
  const { items } = await readKeys(api);
  return items.some((item) => idOf(item) === id && item.label !== label);
}

/** Whether a plain key can be made: what else is refused may be so because the account has its maximum, if only for a moment. */
async function canMakeKeys(api: Api, make: Maker): Promise<boolean> {
  const made = await orNothing(make.key(api, make.name('key')));
  if (made !== undefined) await revokeKey(api, made.id);
  return made !== undefined;
}

const triesMax = 3;

/** A key under a label; a refusal counts only while a plain one can be made: the account may have had its maximum for a moment. */
export async function tryLabel(
  maker: Api,
  label: string,
  { api, make }: { readonly api: Api; readonly make: Maker },
): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await maker.send('POST /api-keys', { body: { label } });
    if (wasAccepted(reply)) return reply;
    if (!(await canMakeKeys(api, make)))
      throw new NotTested(`the target makes no keys now: it answers ${reply.status}`);
    if (attempt === triesMax) return reply;
  }
}

export const sameKeys = (one: Keys, other: Keys): boolean =>
  [...one.ids].map(String).sort().join() === [...other.ids].map(String).sort().join();
