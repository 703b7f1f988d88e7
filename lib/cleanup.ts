// Takes back what a run made and switched, as far as the interface allows; the ledger shows what stayed.
import type { Api } from './client.ts';
import { digestOf, type Ledger, type Made, textOf } from './ledger.ts';
import { mark } from './maker.ts';
import { identifierOf } from './reply.ts';
import { traverse } from './traverse.ts';

/** Who speaks for a credential; undefined where it is not configured. */
export type ApiOf = (credential: string) => Api | undefined;

/** A search for a record whose identifier was never told reads no more pages than this. */
const pagesMax = 20;
/** Clocks of target and client may differ by this many milliseconds. */
const skewMs = 5 * 60_000;

const header = (made: Made) => (made.account === undefined ? {} : { account: made.account });
const companyPath = (made: Made) => ({ company_id: decodeURIComponent(made.company ?? '') });

async function remove(api: Api, made: Made, id: string): Promise<void> {
  if (made.kind === 'key') {
    await api.send('DELETE /api-keys/{key_id}', { path: { key_id: id }, ...header(made) });
  } else {
    const path = { ...companyPath(made), note_id: id };
    await api.send('DELETE /companies/{company_id}/notes/{note_id}', { path, ...header(made) });
  }
}

/** The records that a request without reply may have made: same text, and not older than the request. */
async function find(api: Api, made: Made): Promise<string[]> {
  const { items } = await traverse(
    api,
    made.kind === 'key'
      ? { operation: 'GET /api-keys', mode: 'offset', limit: 200, pagesMax }
      : {
          operation: 'GET /companies/{company_id}/notes',
          path: companyPath(made),
          mode: 'cursor',
          limit: 200,
          pagesMax,
        },
  );
  const fits = items.filter((item) => {
    const created = Date.parse(String(item.created_at ?? ''));
    return digestOf(textOf(made.kind, item)) === made.digest && !(created < made.at - skewMs);
  });
  return fits.flatMap((item) => identifierOf(made.kind, item) ?? []).map(String);
}

async function takeBack(ledger: Ledger, api: Api, made: Made, n: number): Promise<void> {
  if (made.id !== undefined) return remove(api, made, made.id);
  // A text that does not carry the run's mark may be somebody else's too.
  if (!made.name.includes(mark)) return;
  for (const id of await find(api, made)) await remove(api, made, id);
  ledger.add({ entry: 'refused', n });
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
