// How a lawful client reads lists: from beginning to end by cursor or offset, with limits and fields of all sorts.
import type { Caller, Client } from './client.ts';
import { given } from './exchange.ts';
import { companies, companyPath, deleteNote, makeNote } from './flows-of-records.ts';

const longestWalk = 8;
const fields = ['name', 'id,name', 'name,company_type,website', 'city,state', 'id', 'company_type'] as const;
const contactFields = ['last_name', 'id,last_name,email', 'phones', 'company_id,title', 'id'] as const;

function listOf(client: Client, as: Caller): { path: string; fields: readonly [string, ...string[]] | undefined } {
  const known = client.known(as.account);
  const company = client.chance(2) ? known[0] : client.one(known);
  return client.deal('lists', [
    { path: '/companies', fields },
    { path: '/contacts', fields: contactFields },
    company === undefined
      ? { path: '/companies', fields }
      : { path: `${companyPath(company)}/notes`, fields: undefined },
  ]);
}

const withQuery = (path: string, query: readonly string[]): string =>
  query.length === 0 ? path : `${path}?${query.join('&')}`;

/** The limit as it stands in a query, of a list of about so many. */
function limitFrom(client: Client, total: number): string[] {
  const whole = Math.min(200, Math.max(1, total));
  const half = Math.max(1, Math.floor(total / 2));
  const limit = client.deal('limits', [1, 2, 3, half, 2, 4, whole, 3, 5, half, 1, 10, whole + 1, 3, 200, 2, 0]);
  return limit === 0 ? [] : [`limit=${limit}`];
}

const withoutCursor = (query: readonly string[]): string[] => query.filter((one) => !one.startsWith('cursor=')).sort();

/** A cursor is sent back with the limit and the fields of its page; what becomes of it beside others is not shown. */
const isAskedAlike = (before: readonly string[], query: readonly string[]): boolean =>
  withoutCursor(before).join() === withoutCursor(query).join();

export async function walk(client: Client): Promise<void> {
  const as = client.chance(5) ? client.restricted() : client.anyone();
  const list = listOf(client, as);
  const { pagination: seen } = await client.ask('GET', `${list.path}?limit=1`, { as });
  const limit = limitFrom(client, Number(seen.total ?? 0));
  const chosen = list.fields && client.chance(2) ? [`fields=${client.deal(list.path, list.fields)}`] : [];
  let query = [...limit, ...chosen];
  let before = query;
  for (let page = 0; page < longestWalk; page += 1) {
    const judged = isAskedAlike(before, query) ? 'exact' : 'page';
    // pagination-fields-later-pages: what is named on the first page may hold for those that do not name it.
    const anyFields = chosen.length > 0 && !query.includes(`${chosen}`);
    const { pagination } = await client.ask('GET', withQuery(list.path, query), { as, judged, anyFields });
    if (pagination.has_more !== true) return;
    before = query;
    if (client.chance(5)) await disturb(client, as);
    const cursor = `cursor=${given('cursor', pagination.next_cursor)}`;
    query = client.deal<string[]>('later pages', [
      [...limit, ...chosen, cursor],
      [...limit, ...chosen, cursor],
      [cursor, ...limit, ...chosen],
      [...limitFrom(client, Number(pagination.total)), cursor],
    ]);
  }
}

/** Something changes between two pages. */
async function disturb(client: Client, as: Caller): Promise<void> {
  const note = client.one(client.notes.filter(({ account }) => account === as.account));
  if (as.who === 'the restricted key') return;
  if (note === undefined || client.chance(3)) {
    await companies(client);
  } else if (client.chance(2)) {
    await makeNote(client, as, note.company);
  } else await deleteNote(client, as, note);
}

const sorts = ['name', '-name', 'created_at', '-created_at'] as const;

export async function sorted(client: Client): Promise<void> {
  const as = client.anyone();
  const list = client.random.pick([
    { path: '/companies', fields },
    { path: '/contacts', fields: contactFields },
  ]);
  const sort = `sort=${client.random.pick(sorts)}`;
  const limit = client.random.pick([1, 2, 3, 5, 50]);
  const chosen = client.chance(3) ? [`fields=${client.deal(list.path, list.fields)}`] : [];
  for (let page = 0; page < 4; page += 1) {
    const offset = page === 0 && client.chance(2) ? [] : [`offset=${page * limit}`];
    const query = [sort, ...(limit === 50 ? [] : [`limit=${limit}`]), ...offset, ...chosen];
    const { pagination } = await client.ask('GET', withQuery(list.path, query), { as });
    if (pagination.has_more !== true) return;
  }
}

/** A cursor and a sort at once, and limits out of bounds. */
export async function refusedLists(client: Client): Promise<void> {
  const as = client.anyone();
  const path = client.random.pick(['/companies', '/contacts']);
  const { pagination } = await client.ask('GET', `${path}?limit=1`, { as });
  if (typeof pagination.next_cursor === 'string') {
    const cursor = given('cursor', pagination.next_cursor);
    await client.ask('GET', `${path}?cursor=${cursor}&sort=${client.random.pick(sorts)}`, { as });
  }
  await client.ask('GET', `${path}?limit=${client.deal('bounds', [0, 201, -1, 100000])}`, { as, judged: 'page' });
}

export async function keyLists(client: Client): Promise<void> {
  const as = client.anyone();
  const limit = client.random.pick([1, 2, 3, 50, 200]);
  for (let offset = 0; offset < 4 * limit; offset += limit) {
    const query = offset === 0 && client.chance(2) ? `?limit=${limit}` : `?limit=${limit}&offset=${offset}`;
    const { pagination } = await client.ask('GET', `/api-keys${query}`, { as });
    if (pagination.has_more !== true) break;
  }
  if (client.chance(3)) await client.ask('GET', '/api-keys', { as });
  if (client.chance(3)) await client.ask('GET', '/api-keys?offset=1', { as });
}
