// Sessions once more when everything else is over, by whichever node: what they may read, and what they ask for in vain.
import { conforms } from '../../lib/index.ts';
import { errorDuties, protectedReads } from '../shared/groups.ts';
import type { Caller } from '../walk/caller.ts';
import { callOn, nodeMs } from '../walk/reads.ts';

const rounds = { quick: 0, standard: 2, thorough: 4 } as const;

export const credentialChecks = conforms(
  'authentication-jwt-accepted',
  {
    needs: ['session', 'memberships'],
    wants: ['secondary', 'accountlessSession'],
    visits: protectedReads,
    feeds: errorDuties,
    reads: [0, 78, 138],
    beyondQuick: true,
  },
  async ({ api, session, memberships, secondary, accountlessSession, clock, random, effort, atEnd }) => {
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
        await Promise.all(
          callersIn(round).map((one, place) => callOn(one, random.derive(`${round} ${place}`), round === 0)),
        );
      }
    });
  },
);
