// The accounts that a session's user is a member of, and which of them is active: read from records whose shape is open.
import type { Api } from './client/client.ts';
import { Mismatch, NotTested } from './client/errors.ts';
import { at, dataOf, isObject, itemsOf, type JsonObject, type Reply, walk } from './client/reply.ts';
import { expectSuccess } from './expect/expect.ts';
import type { Maker } from './maker.ts';
import { validationOf } from './standing.ts';

export interface Membership {
  readonly slug: string;
  readonly record: JsonObject;
}

/** A membership whose slug and account identifier are known: enough to recognise its effect. */
export interface Memberships {
  readonly all: readonly [Membership, Membership, ...Membership[]];
  /** The stored preference before the run touches it; absent where the session had none or it cannot be told. */
  readonly active?: Membership;
}

const slugOf = (record: JsonObject): string | undefined => {
  const found = Object.entries(record).find(([name, value]) => /slug$/i.test(name) && typeof value === 'string');
  return typeof found?.[1] === 'string' ? found[1] : undefined;
};

/** Every record in a reply that carries a member whose name ends in `slug`, once per slug. */
export function slugsIn(reply: Reply): Membership[] {
  const found = new Map<string, Membership>();
  for (const { value } of walk(dataOf(reply))) {
    const slug = isObject(value) ? slugOf(value) : undefined;
    if (slug !== undefined && isObject(value) && !found.has(slug)) found.set(slug, { slug, record: value });
  }
  return [...found.values()];
}

/** The identifiers in an account's record, as texts; the one that validate tells is expected among them. */
export const identifiersIn = (record: JsonObject): string[] =>
  Object.entries(record).flatMap(([name, value]) =>
    /(^|_)id$/i.test(name) && (typeof value === 'number' || typeof value === 'string') ? [String(value)] : [],
  );

/** The account that the session acts on now, by the account of a key that it makes. */
export async function activeAccount(api: Api, make: Maker, account?: string): Promise<string | undefined> {
  const key = await make.key(api, undefined, account);
  const checked = await api.send('POST /auth/validate-api-key', { body: { api_key: key.credential.token } });
  await api.send('DELETE /api-keys/{key_id}', {
    path: { key_id: key.id },
    ...(account === undefined ? {} : { account }),
  });
  return validationOf(checked)?.account;
}

/** A list of accounts is read no further than this. */
const pagesMax = 50;

/** The replies that together are the account list, which may or may not have pages. */
export async function readAccounts(api: Api): Promise<[Reply, ...Reply[]]> {
  const operation = 'GET /me/accounts';
  const first = await api.send(operation);
  expectSuccess(first);
  const replies: [Reply, ...Reply[]] = [first];
  for (let last = first; replies.length < pagesMax; replies.push(last)) {
    const pagination = at(last.json, 'pagination');
    if (at(pagination, 'has_more') !== true) return replies;
    const cursor = at(pagination, 'next_cursor');
    const offset = replies.reduce((sum, reply) => sum + itemsOf(reply).length, 0);
    last = await api.send(operation, { query: typeof cursor === 'string' ? { cursor } : { offset } });
    expectSuccess(last);
  }
  return replies;
}

/** The slug of the current account in GET /me: the only one of these that stands there outside of a list. */
async function currentAmong(api: Api, all: readonly Membership[]): Promise<Membership | undefined> {
  const me = dataOf(await api.send('GET /me'));
  const single = walk(me).filter(({ path }) => path.every((step) => typeof step === 'string'));
  const named = all.filter(({ slug }) =>
    single.some(({ path, value }) => value === slug && /slug$/i.test(String(path.at(-1)))),
  );
  return named.length === 1 ? named[0] : undefined;
}

/** The membership that the session acts on now, by a key that it makes or else by GET /me; undefined where neither tells. */
export async function preferenceAmong(
  api: Api,
  make: Maker,
  all: readonly Membership[],
): Promise<Membership | undefined> {
  const account = await activeAccount(api, make).catch((error: unknown) => {
    // Key creation may be switched off.
    if (error instanceof Mismatch) return undefined;
    throw error;
  });
  const own = all.find(({ record }) => account !== undefined && identifiersIn(record).includes(account));
  return own ?? currentAmong(api, all);
}

/** Rejects with NotTested where the session's user has fewer than two memberships. */
export async function readMemberships(api: Api, make: Maker, readOnly: boolean): Promise<Memberships> {
  const [first, second, ...more] = (await readAccounts(api)).flatMap(slugsIn);
  if (!first || !second)
    throw new NotTested('the user of COVENANT_JWT has fewer than two memberships with a slug in GET /me/accounts');
  const all = [first, second, ...more] as const;
  const marked = all.find(({ record }) => at(record, 'is_active') === true || at(record, 'active') === true);
  const active = marked ?? (readOnly ? undefined : await preferenceAmong(api, make, all));
  return { all, ...(active ? { active } : {}) };
}
