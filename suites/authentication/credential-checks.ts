// Sends the reads of sessions again at the end of the run, several times because another node may answer.
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
    // One of the session's accounts per round: few reads are left at the end of a run.
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
