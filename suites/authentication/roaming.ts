// A thorough run goes a long way in no order when everything else is over: every caller, at every turn after another one.
import { type Api, anonymous, type Context, conforms, type MadeKey, type Memberships } from '../../lib/index.ts';
import { switchTo } from '../account/switch.ts';
import { wasAccepted } from '../shared/answer.ts';
import { ifPossible } from '../shared/attempt.ts';
import { revokeByItself, revokedToken } from '../shared/dead.ts';
import type { Caller } from '../shared/life.ts';
import { strangersOf } from '../shared/onlookers.ts';
import { begin, type Seat } from '../shared/outcomes.ts';
import { type Roamer, roam } from '../shared/roam.ts';
import { type Kept, wholly } from '../shared/steps.ts';

/** How long the way is, and what it may leave behind. */
const ways = { thorough: { steps: 2000, newcomers: 50 } } as const;

const ids = ['notes-unknown-company', 'notes-unknown-note'] as const;
type RoamingContext = Context<(typeof ids)[number], never>;

/** Who writes in which company; without one it reads. */
interface Place {
  readonly caller: Caller;
  readonly seat?: Seat | undefined;
  readonly home?: string | undefined;
}

/** Each with the note that it starts from. */
async function roamersOf(places: readonly Place[], tools: Parameters<typeof begin>[1]): Promise<readonly Roamer[]> {
  const roamers: Roamer[] = [];
  for (const [place, { caller, seat, home }] of places.entries()) {
    const bench = seat && (await begin(seat, tools, place));
    roamers.push({ caller, ...(bench ? { bench } : {}), ...(home === undefined ? {} : { home }) });
  }
  return roamers;
}

/** Keys that are made for the way, and revoked behind it. */
class Keys {
  private readonly all: [maker: Api, key: MadeKey][] = [];
  private readonly tools: RoamingContext;

  constructor(tools: RoamingContext) {
    this.tools = tools;
  }

  async by(maker: Api | undefined): Promise<Api | undefined> {
    const key = maker && (await ifPossible(this.tools.make.key(maker)));
    if (!maker || !key) return undefined;
    this.all.push([maker, key]);
    return maker.as(key.credential);
  }

  async revoke(): Promise<void> {
    for (const [maker, { credential, id }] of this.all.reverse())
      await revokeByItself(maker, credential, id, this.tools);
  }
}

const shared = (api: Api, company: Kept): Place => {
  const caller = { api };
  return { caller, seat: { caller, company, isShared: true } };
};

/** The session, a key of its making, and the session in another account by the header. */
async function placesOf(
  own: Api,
  { all, active }: Memberships,
  keys: Keys,
  { make, random }: RoamingContext,
): Promise<readonly Place[]> {
  const seatOf = async (caller: Caller): Promise<Seat | undefined> => {
    const made = await ifPossible(make.company(caller.api, {}, caller.under?.account));
    return made && { caller, company: wholly(made) };
  };
  const home = active && wasAccepted(await switchTo(own, active.slug)) ? active.slug : undefined;
  const here = { api: own };
  const seat = await seatOf(here);
  const bySession = await keys.by(own);
  const other = random.shuffled(all).find(({ slug }) => slug !== active?.slug) ?? random.pick(all);
  const there: Caller = { api: own, under: { account: other.slug } };
  const ofKey = (api: Api): readonly Place[] => [
    { caller: { api }, seat: seat && { ...seat, caller: { api } } },
    // Of a key the header says nothing.
    { caller: { ...there, api } },
  ];
  return [
    { caller: here, seat, home },
    ...(bySession ? ofKey(bySession) : []),
    { caller: there, seat: await seatOf(there) },
  ];
}

export const roaming = conforms(
  ids,
  {
    needs: ['company'],
    wants: [
      ...(['secondary', 'foreignCompany', 'restricted', 'session', 'memberships'] as const),
      ...(['accountlessSession', 'expiredSession'] as const),
    ],
    perhaps: ids,
    writes: true,
    beyondQuick: true,
  },
  async ({ company, secondary, foreignCompany, restricted, session, memberships, ...tools }) => {
    const { api, effort, atEnd, accountlessSession, expiredSession } = tools;
    if (effort !== 'thorough') return;
    atEnd(async () => {
      const keys = new Keys(tools);
      const made = await keys.by(api);
      const here = [api, made, await keys.by(made), restricted && api.as(restricted)];
      const places = here.flatMap((one) => (one ? [shared(one, wholly(company))] : []));
      if (secondary && foreignCompany) places.push(shared(api.as(secondary), wholly(foreignCompany)));
      if (accountlessSession) places.push({ caller: { api: api.as(accountlessSession) } });
      if (session && memberships) places.push(...(await placesOf(api.as(session), memberships, keys, tools)));
      const former = [...(await revokedToken(tools, api)), ...(expiredSession ? [expiredSession] : [])];
      const strangers = [
        [anonymous, ...strangersOf(api, tools, session)],
        ...former.map((one) => [one] as const),
      ] as const;
      await roam(await roamersOf(places, tools), { ...ways.thorough, strangers }, tools);
      await keys.revoke();
    });
  },
);
