// The lists of a session, on its own account and on one that a header names: the same rules, whoever asks.
import { type Api, type Credential, conforms, type Memberships, namesOf, type Random } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { collections } from '../shared/groups.ts';
import { judgeCollection } from './collections.ts';
import { traversalIds } from './judge.ts';
import { ask, type List } from './lists.ts';
import { pageDuties } from './pages.ts';
import { judgeSortedCallers } from './sorted-callers.ts';

/** In which form the header names an account is open, and a session may have no stored one: the first that opens its lists. */
async function opening(api: Api, accounts: readonly (string | undefined)[]): Promise<Omit<List, 'operation'>[]> {
  for (const account of accounts) {
    const one = account === undefined ? { api } : { api, account };
    if (wasAccepted(await ask({ operation: 'GET /companies', ...one }, { limit: 1 }))) return [one];
  }
  return [];
}

interface Opened {
  readonly api: Api;
  readonly random: Random;
  readonly session?: Credential | undefined;
  readonly memberships?: Memberships | undefined;
}

/** The lists that the session opens, on its own account and under a header. */
async function openedBy({ api, session, memberships, random }: Opened): Promise<Omit<List, 'operation'>[]> {
  const own = session ? await opening(api.as(session), [undefined]) : [];
  if (session === undefined || memberships === undefined) return own;
  // One that is not stored: there the header says something on every page.
  const others = memberships.all.filter(({ slug }) => slug !== memberships.active?.slug);
  const [first = random.pick(memberships.all)] = random.shuffled(others);
  return [...own, ...(await opening(api.as(session), [...namesOf(first).values()]))];
}

/** Where there is no session the primary key is the caller: some account's lists are read in any case. */
const alike = conforms(
  traversalIds,
  { wants: ['session', 'memberships'], perhaps: traversalIds, feeds: pageDuties, visits: collections },
  async ({ check, ...tools }) => {
    const { api, random, clock } = tools;
    const found = await openedBy(tools);
    for (const one of found.length > 0 ? found : [{ api }])
      for (const operation of collections) await judgeCollection({ operation, ...one }, { check, random, clock });
  },
);

/** Each caller costs a dozen reads a list: a standard run leaves out those of the account that is read most. */
const sorted = conforms(
  'pagination-cursor-with-sort',
  {
    wants: ['session', 'memberships', 'secondary', 'restricted'],
    reads: [0, 54, 86],
    perhaps: ['pagination-cursor-with-sort'],
    beyondQuick: true,
  },
  async ({ check, secondary, restricted, effort, ...tools }) => {
    const { api, random } = tools;
    const others = [...(await openedBy(tools)), ...(secondary ? [{ api: api.as(secondary) }] : [])];
    const ofPrimary = [{ api }, ...(restricted ? [{ api: api.as(restricted) }] : [])] as const;
    const [first = random.pick(ofPrimary), ...more] = others;
    const all = effort === 'thorough' ? ([...ofPrimary, first, ...more] as const) : ([first, ...more] as const);
    await judgeSortedCallers(all, { check, random });
  },
);

export const callers = [alike, sorted];
