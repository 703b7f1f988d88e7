// Case that reads the lists of several callers: whole, page by page, sorted, and with fields.
import { conforms, type Fixtures, fieldNames, namesOf, type Random, type Tools, wasAccepted } from '../../lib/index.ts';
import { nextCursorOf } from '../shared/cursor.ts';
import { collections } from '../shared/groups.ts';
import { ask, type List, readCollection, traversalIds } from './lists.ts';
import { pageDuties } from './pages.ts';
import { tryOrders } from './sorting.ts';

/** Whether a total stays constant is known only where records come and go: without writes it is not selected. */
const ids = [
  ...traversalIds.filter((id) => id !== 'pagination-total-constant'),
  'pagination-cursor-with-sort',
] as const;

/** Sorted reads cost a dozen requests a list: only a thorough run sends them as every caller. */
export const readers = conforms(
  ids,
  {
    wants: ['session', 'memberships', 'secondary', 'restricted'],
    perhaps: ids,
    reads: [46, 84, 116],
    feeds: pageDuties,
    visits: collections,
  },
  async ({ secondary, restricted, effort, ...tools }) => {
    const { api, random } = tools;
    const ofSession = await sessionReaders(tools);
    for (const reader of ofSession.length > 0 ? ofSession : [{ api }])
      for (const operation of collections) await readCollection({ operation, ...reader }, random);
    const others: Reader[] = [...ofSession, ...(secondary ? [{ api: api.as(secondary) }] : [])];
    const ofPrimary: Reader[] = [{ api }, ...(restricted ? [{ api: api.as(restricted) }] : [])];
    const some = others.length > 0 ? others : random.shuffled(ofPrimary).slice(0, 1);
    const all = { quick: some.slice(0, 1), standard: some, thorough: [...ofPrimary, ...others] }[effort];
    for (const operation of collections) {
      const { accepted } = await tryOrders({ operation, api, ...all[0] }, ['created_at', '-created_at']);
      for (const reader of accepted.length > 0 ? all : []) await readAs({ operation, ...reader }, accepted, random);
    }
  },
);

/** A caller that reads its own lists. */
type Reader = Pick<List, 'api' | 'account'>;

type Opened = Pick<Tools, 'api' | 'random'> & Partial<Pick<Fixtures, 'session' | 'memberships'>>;

/** The session on its stored account, and with a header for another one, which then matters on every page. */
async function sessionReaders({ api, session, memberships, random }: Opened): Promise<Reader[]> {
  if (session === undefined) return [];
  const others = memberships?.all.filter(({ slug }) => slug !== memberships.active?.slug) ?? [];
  const [other = memberships && random.pick(memberships.all)] = random.shuffled(others);
  const readers: Reader[] = [];
  // The form of the header's value is open, and no account may be stored: the first variant that is accepted.
  for (const accounts of [[undefined], other ? [...namesOf(other).values()] : []])
    for (const account of accounts) {
      const reader = { api: api.as(session), ...(account === undefined ? {} : { account }) };
      if (!wasAccepted(await ask({ operation: 'GET /companies', ...reader }, { limit: 1 }))) continue;
      readers.push(reader);
      break;
    }
  return readers;
}

/** Reads with sort and fields at several offsets, and with cursor and sort together. */
async function readAs(list: List, sorts: readonly string[], random: Random): Promise<void> {
  const [sort = '', turned = sort] = random.shuffled(sorts);
  const fields = () =>
    random
      .shuffled(fieldNames[list.operation] ?? [])
      .slice(0, random.int(1, 4))
      .join(',');
  const queries = random.shuffled([{ limit: 1 }, { limit: 1, fields: fields() }]);
  const first = await ask(list, queries[0]);
  if (!wasAccepted(first)) return;
  await ask(list, { sort: random.pick([sort, turned]), fields: fields(), limit: 5, offset: 0 });
  await ask(list, { sort: turned, fields: fields(), limit: random.int(2, 200) });
  await ask(list, { sort, limit: 2, offset: random.int(1, 4) });
  await ask(list, { sort: turned, offset: 0 });
  const cursor = nextCursorOf(first);
  if (cursor === undefined) return;
  await ask(list, { ...queries[0], cursor });
  for (const query of queries) await ask(list, { ...query, cursor, sort });
}
