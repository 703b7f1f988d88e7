// Takes back what a run made and switched, as far as the interface allows; the ledger shows what stayed.
import type { Api } from './client.ts';
import { digestOf, type Ledger, type Made, textOf } from './ledger.ts';
import { mark } from './maker.ts';
import { slugsIn } from './memberships.ts';
import { at, dataOf, identifierOf } from './reply.ts';
import { traverse } from './traverse.ts';

/** Who speaks for a credential; undefined where it is not configured. */
export type ApiOf = (credential: string) => Api | undefined;

/** A search for a record whose identifier was never told reads no more pages than this. */
const pagesMax = 20;
/** Clocks of target and client may differ by this many milliseconds. */
const skewMs = 5 * 60_000;

/** The X-Active-Account under which a record is looked for; undefined: none. */
type Account = string | undefined;

const companyPath = (made: Made) => ({ company_id: decodeURIComponent(made.company ?? '') });

/** A session's keys may stand in any of its accounts, because its stored active account may have been another one. */
async function accountsOf(api: Api, made: Made): Promise<readonly Account[]> {
  const anywhere = made.kind === 'key' && made.account === undefined && api.credential.kind === 'session';
  if (!anywhere) return [made.account];
  return [undefined, ...slugsIn(await api.send('GET /me/accounts')).map(({ slug }) => slug)];
}

async function remove(api: Api, made: Made, id: string, account: Account): Promise<boolean> {
  const under = account === undefined ? {} : { account };
  const reply =
    made.kind === 'key'
      ? await api.send('DELETE /api-keys/{key_id}', { path: { key_id: id }, ...under })
      : await api.send('DELETE /companies/{company_id}/notes/{note_id}', {
          path: { ...companyPath(made), note_id: id },
          ...under,
        });
  return reply.status < 300 && at(dataOf(reply), 'deleted') !== false;
}

/** The records that a request without reply may have made: same text, and not older than the request. */
async function find(api: Api, made: Made, account: Account): Promise<string[]> {
  const bounds = { limit: 200, pagesMax, ...(account === undefined ? {} : { account }) };
  const { items } = await traverse(
    api,
    made.kind === 'key'
      ? { operation: 'GET /api-keys', mode: 'offset', ...bounds }
      : { operation: 'GET /companies/{company_id}/notes', path: companyPath(made), mode: 'cursor', ...bounds },
  );
  const fits = items.filter((item) => {
    const created = Date.parse(String(item.created_at ?? ''));
    return digestOf(textOf(made.kind, item)) === made.digest && !(created < made.at - skewMs);
  });
  return fits.flatMap((item) => identifierOf(made.kind, item) ?? []).map(String);
}

/** A text without the run's mark may be somebody else's too, unless it stands in a company of the run's own. */
const isOurs = (ledger: Ledger, { name, company }: Made): boolean =>
  name.includes(mark) || (company !== undefined && ledger.hasMadeCompany(decodeURIComponent(company)));

async function takeBack(ledger: Ledger, api: Api, made: Made, n: number): Promise<void> {
  if (made.id === undefined && !isOurs(ledger, made)) return;
  for (const account of await accountsOf(api, made)) {
    const ids = made.id === undefined ? await find(api, made, account) : [made.id];
    for (const id of ids) if ((await remove(api, made, id, account)) && made.id !== undefined) return;
  }
  if (made.id === undefined) ledger.add({ entry: 'refused', n });
}

/** Trouble with one record must not keep the others from being taken back; it stays in the ledger. */
async function attempt(work: Promise<void>): Promise<void> {
  await work.catch(() => {});
}

async function restore(ledger: Ledger, apiOf: ApiOf): Promise<void> {
  for (const { n, change } of ledger.pendingSwitches()) {
    const reply = await apiOf(change.credential)?.send('PATCH /me/active-account', { body: { slug: change.slug } });
    if (reply?.status === 200) ledger.add({ entry: 'restored', n });
  }
}

/** Restores what was switched and deletes what can be deleted. */
export async function cleanUp(ledger: Ledger, apiOf: ApiOf): Promise<void> {
  await attempt(restore(ledger, apiOf));
  for (const [n, made] of ledger.deletable()) {
    const api = apiOf(made.credential);
    if (api) await attempt(takeBack(ledger, api, made, n));
  }
}
