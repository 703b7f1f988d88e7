// Sessions once more when everything else is over, by whichever node: what they may read, and what they ask for in vain.
import {
  type Call,
  conforms,
  identifierOf,
  itemsOf,
  type OperationId,
  type Random,
  type Reply,
} from '../../lib/index.ts';
import { dutyIds as errorDuties } from '../errors/duties.ts';
import { protectedReads, readsById } from '../shared/groups.ts';
import { unknownIds } from '../shared/unknown.ts';
import type { Caller } from '../walk/note-script.ts';
import { expectAccepted } from './accepted.ts';

const sorted = ['GET /companies', 'GET /contacts'] as const satisfies readonly OperationId[];

/** In which two nodes have taken turns once, in milliseconds. */
export const nodeMs = 1000;
const rounds = { quick: 0, standard: 2, thorough: 4 } as const;

type Ask = readonly [OperationId, Call];

/** What every caller asks for; a company that it was shown, and one of nothing. */
function questions(shown: number | string | undefined, random: Random): readonly Ask[] {
  const [nothing] = unknownIds(random, [Number(shown ?? 0)]);
  const known = [nothing, ...(shown === undefined ? [] : [shown])];
  return random.shuffled([
    ...protectedReads.map((operation): Ask => [operation, {}]),
    ...readsById.flatMap((operation) => known.map((company_id): Ask => [operation, { path: { company_id } }])),
    ...sorted.map((operation): Ask => [operation, { query: { sort: '-created_at', cursor: random.uuid() } }]),
  ]);
}

/** One request after the other; what is answered the duties of every reply and the rules judge. */
export async function callOn({ api, under }: Caller, random: Random, whole = true): Promise<readonly Reply[]> {
  const companies = await api.send('GET /companies', { ...under, query: { limit: 1 } });
  const replies: Reply[] = [];
  const all = questions(identifierOf('company', itemsOf(companies)[0]), random);
  // Again and again only what needs nothing to be named.
  for (const [operation, call] of all.filter(([, { path, query }]) => whole || !(path ?? query)))
    replies.push(await api.send(operation, { ...under, ...call }));
  return replies;
}

export const rollCall = conforms(
  'authentication-jwt-accepted',
  {
    needs: ['session', 'memberships'],
    wants: ['secondary', 'accountlessSession'],
    visits: protectedReads,
    feeds: errorDuties,
    reads: [0, 78, 138],
    beyondQuick: true,
  },
  async ({ api, session, memberships, secondary, accountlessSession, clock, random, effort, check, atEnd }) => {
    const own = api.as(session);
    const others = [secondary, accountlessSession].flatMap((one) => (one ? [{ api: api.as(one) }] : []));
    const named = random.shuffled(memberships.all).map(({ slug }) => ({ api: own, under: { account: slug } }));
    // Of a session's accounts one in each round: at the end of a run there is little room for its reads.
    const callersIn = (round: number): readonly Caller[] => [
      { api: own },
      ...named.slice(round % named.length).slice(0, 1),
      ...others,
    ];
    atEnd(async () => {
      for (let round = 0; round < rounds[effort]; round += 1) {
        if (round > 0) await clock.sleep(nodeMs);
        const [first = []] = await Promise.all(
          callersIn(round).map((one, place) => callOn(one, random.derive(`${round} ${place}`), round === 0)),
        );
        for (const reply of first) {
          const { operation } = reply;
          if (operation !== undefined)
            await check('authentication-jwt-accepted', () => expectAccepted(reply, operation), operation);
        }
      }
    });
  },
);
