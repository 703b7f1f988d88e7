// The accounts that a session's user is a member of, and which of them is active: read from records whose shape is open.
import type { Api } from './client.ts';
import { expectSuccess } from './expect.ts';
import type { Maker } from './maker.ts';
import { NotTested } from './outcome.ts';
import { at, dataOf, isObject, type JsonObject, type Reply, walk } from './reply.ts';
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

/** The account's identifier, as validate tells it, stands somewhere in its own record. */
const carries = (record: JsonObject, account: string): boolean =>
  Object.entries(record).some(([name, value]) => /(^|_)id$/i.test(name) && String(value) === account);

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

/** Rejects with NotTested where the session's user has fewer than two memberships. */
export async function readMemberships(api: Api, make: Maker, readOnly: boolean): Promise<Memberships> {
  const reply = await api.send('GET /me/accounts');
  expectSuccess(reply);
  const [first, second, ...more] = slugsIn(reply);
  if (!first || !second)
    throw new NotTested('the user of COVENANT_JWT has fewer than two memberships with a slug in GET /me/accounts');
  const all = [first, second, ...more] as const;
  const marked = all.find(({ record }) => at(record, 'is_active') === true || at(record, 'active') === true);
  if (marked || readOnly) return { all, ...(marked ? { active: marked } : {}) };
  const account = await activeAccount(api, make);
  const active = all.find(({ record }) => account !== undefined && carries(record, account));
  return { all, ...(active ? { active } : {}) };
}
