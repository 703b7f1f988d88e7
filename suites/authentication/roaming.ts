// A thorough run goes a long way in no order when everything else is over: every caller, at every turn after another one.
import { type Api, conforms, type MadeKey } from '../../lib/index.ts';
import { revokeByItself } from '../shared/dead.ts';
import type { Caller } from '../shared/life.ts';
import { begin, type Seat } from '../shared/outcomes.ts';
import { type Roamer, roam } from '../shared/roam.ts';
import { type Kept, wholly } from '../shared/steps.ts';

const stepsOf = { quick: 0, standard: 0, thorough: 700 } as const;

const ids = ['notes-unknown-company', 'notes-unknown-note'] as const;

/** Each with the note that it starts from; whoever may write nothing reads. */
async function roamersOf(seats: readonly Seat[], tools: Parameters<typeof begin>[1]): Promise<readonly Roamer[]> {
  const roamers: Roamer[] = [];
  for (const seat of seats) {
    const bench = await begin(seat, tools);
    roamers.push({ caller: seat.caller, ...(bench ? { bench } : {}) });
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
    const sharing = (one: Api, kept: Kept): Seat => ({ caller: { api: one }, company: kept, isShared: true });
    const own = async (caller: Caller): Promise<Seat> => ({
      caller,
      company: wholly(await make.company(caller.api, {}, caller.under?.account)),
    });
    atEnd(async () => {
      const keys: [maker: Api, key: MadeKey][] = [];
      const keyOf = async (maker: Api): Promise<Api> => {
        const key = await make.key(maker);
        keys.push([maker, key]);
        return maker.as(key.credential);
      };
      const made = await keyOf(api);
      const seats = [api, made, await keyOf(made), ...(restricted ? [api.as(restricted)] : [])].map((one) =>
        sharing(one, wholly(company)),
      );
      if (secondary && foreignCompany) seats.push(sharing(api.as(secondary), wholly(foreignCompany)));
      if (session && memberships) {
        const bySession = await own({ api: api.as(session) });
        const { slug: account } = random.pick(memberships.all);
        const underHeader = await own({ api: api.as(session), under: { account } });
        seats.push(bySession, underHeader, { ...bySession, caller: { api: await keyOf(api.as(session)) } });
      }
      const readers = accountlessSession ? [{ caller: { api: api.as(accountlessSession) } }] : [];
      await roam([...(await roamersOf(seats, tools)), ...readers], count, tools);
      for (const [maker, { credential, id }] of keys.reverse()) await revokeByItself(maker, credential, id, tools);
    });
  },
);
