// The lists of a session, on its own account and on one that a header names: the same rules, whoever asks.
import { type Api, conforms, identifiersIn, type Membership } from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { judgeCollection } from './collections.ts';
import { traversalIds } from './judge.ts';
import { ask, type List } from './lists.ts';
import { pageDuties } from './pages.ts';
import { judgeSortedCallers } from './sorted-callers.ts';

const collections = ['GET /companies', 'GET /contacts'] as const;

/** In which form the header names an account is open, and a session may have no stored one: the first that opens its lists. */
async function opening(api: Api, accounts: readonly (string | undefined)[]): Promise<Omit<List, 'operation'>[]> {
  for (const account of accounts) {
    const one = account === undefined ? { api } : { api, account };
    if (wasAccepted(await ask({ operation: 'GET /companies', ...one }, { limit: 1 }))) return [one];
  }
  return [];
}

const namesOf = ({ slug, record }: Membership): readonly string[] => [slug, ...identifiersIn(record)];

/** Where there is no session the primary key is the caller: some account's lists are read in any case. */
export const callers = conforms(
  [...traversalIds, 'pagination-cursor-with-sort'],
  {
    wants: ['session', 'memberships', 'restricted'],
    perhaps: [...traversalIds, 'pagination-cursor-with-sort'],
    feeds: pageDuties,
    visits: collections,
  },
  async ({ api, session, memberships, restricted, random, effort, check }) => {
    const own = session ? await opening(api.as(session), [undefined]) : [];
    const named = session && memberships ? await opening(api.as(session), namesOf(random.pick(memberships.all))) : [];
    const found = [...own, ...named];
    for (const one of found.length > 0 ? found : [{ api }])
      for (const operation of collections) await judgeCollection({ operation, ...one }, { check, random });
    if (effort === 'quick') return;
    const clerk = restricted ? [{ api: api.as(restricted) }] : [];
    const callers = [{ api }, ...clerk, ...found] as const;
    // Each caller costs a dozen reads a list.
    await judgeSortedCallers(effort === 'thorough' ? callers : [random.pick(callers)], { check, random });
  },
);
