// A thorough run goes a long way in no order when everything else is over: every caller, at every turn after another one.
import { type Api, conforms, type MadeKey } from '../../lib/index.ts';
import { ifPossible } from '../shared/attempt.ts';
import { revokeByItself } from '../shared/dead.ts';
import type { Caller } from '../shared/life.ts';
import { begin, type Seat } from '../shared/outcomes.ts';
import { type Roamer, roam } from '../shared/roam.ts';
import { type Kept, wholly } from '../shared/steps.ts';

const stepsOf = { quick: 0, standard: 0, thorough: 700 } as const;

const ids = ['notes-unknown-company', 'notes-unknown-note'] as const;

/** Who writes in which company; without one it reads. */
interface Place {
  readonly caller: Caller;
  readonly seat?: Seat | undefined;
}

/** Each with the note that it starts from. */
async function roamersOf(places: readonly Place[], tools: Parameters<typeof begin>[1]): Promise<readonly Roamer[]> {
  const roamers: Roamer[] = [];
  for (const { caller, seat } of places) {
    const bench = seat && (await begin(seat, tools));
    roamers.push({ caller, ...(bench ? { bench } : {}) });
  }
  return roamers;
}

export const roaming = conforms(
  ids,
  {
    needs: ['company'],
    wants: ['secondary', 'foreignCompany', 'restricted', 'session', 'memberships', 'accountlessSession'],
    perhaps: ids,
    writes: true,
    beyondQuick: true,
  },
  async (tools) => {
    const { api, company, secondary, foreignCompany, restricted, session, memberships, accountlessSession } = tools;
    const { effort, make, random, atEnd } = tools;
    const count = stepsOf[effort];
    if (count === 0) return;
    const shared = (one: Api, kept: Kept): Place => {
      const caller = { api: one };
      return { caller, seat: { caller, company: kept, isShared: true } };
    };
    const ownOf = async (caller: Caller): Promise<Kept | undefined> => {
      const made = await ifPossible(make.company(caller.api, {}, caller.under?.account));
      return made && wholly(made);
    };
    atEnd(async () => {
      const keys: [maker: Api, key: MadeKey][] = [];
      const keyOf = async (maker: Api | undefined): Promise<Api | undefined> => {
        const key = maker && (await ifPossible(make.key(maker)));
        if (!maker || !key) return undefined;
        keys.push([maker, key]);
        return maker.as(key.credential);
      };
      const made = await keyOf(api);
      const here = [api, made, await keyOf(made), restricted && api.as(restricted)];
      const places = here.flatMap((one) => (one ? [shared(one, wholly(company))] : []));
      if (secondary && foreignCompany) places.push(shared(api.as(secondary), wholly(foreignCompany)));
      if (accountlessSession) places.push({ caller: { api: api.as(accountlessSession) } });
      if (session && memberships) {
        const own = api.as(session);
        const kept = await ownOf({ api: own });
        const bySession = await keyOf(own);
        for (const caller of [{ api: own }, ...(bySession ? [{ api: bySession }] : [])])
          places.push({ caller, seat: kept && { caller, company: kept } });
        const caller = { api: own, under: { account: random.pick(memberships.all).slug } };
        const there = await ownOf(caller);
        places.push({ caller, seat: there && { caller, company: there } });
      }
      await roam(await roamersOf(places, tools), count, tools);
      for (const [maker, { credential, id }] of keys.reverse()) await revokeByItself(maker, credential, id, tools);
    });
  },
);
