// The random walk of a thorough run, when everything else is over: every caller, at every turn after another one.
import {
  type Api,
  anonymous,
  type Company,
  type Context,
  type Credential,
  conforms,
  type Fixtures,
  knownOrganization,
  type Memberships,
  type Tools,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { ifPossible } from '../shared/attempt.ts';
import { revokedToken } from '../shared/keys.ts';
import { switchTo } from '../shared/switch.ts';
import type { ActorRole } from '../walk/actor.ts';
import { type Caller, unauthenticatedCallers } from '../walk/caller.ts';
import { randomWalk } from '../walk/random-walk.ts';
import { wholly } from '../walk/record-generators.ts';
import { readAtEnd } from './final-reads.ts';

/** How long the way is, and what it may leave behind. */
const budget = { steps: 4500, records: 120 } as const;

const ids = ['notes-unknown-company', 'notes-unknown-note', 'api-keys-made-rights'] as const;

/** A company of an organization, where one may be had; undefined where none is made so. */
const linkedCompany = async (api: Api, make: Tools['make'], account?: string): Promise<Company | undefined> =>
  ifPossible(make.company(api, { org_id: await knownOrganization(api, account) }, account));

/** The session, a key of its making, and the session in another account by the header. */
async function ofSession(
  own: Api,
  { all, active }: Memberships,
  { make, random, foreignSlug }: Pick<Tools, 'make' | 'random'> & Partial<Pick<Fixtures, 'foreignSlug'>>,
): Promise<readonly ActorRole[]> {
  const siteOf = async ({ api, under }: Caller): Promise<ActorRole['site']> => {
    const linked = await linkedCompany(api, make, under?.account);
    const made = linked ?? (await ifPossible(make.company(api, {}, under?.account)));
    return made && { company: wholly(made) };
  };
  const home = active && wasAccepted(await switchTo(own, active.slug)) ? active.slug : undefined;
  const other = random.shuffled(all).find(({ slug }) => slug !== active?.slug) ?? random.pick(all);
  const here: Caller = { api: own };
  const there: Caller = { api: own, under: { account: other.slug } };
  const site = await siteOf(here);
  // A header opens no account of others, and of a key it says nothing.
  const foreign =
    foreignSlug === undefined ? {} : { beside: [{}, {}, { account: foreignSlug, undocumented: true } as const] };
  const beside = [{}, ...all.map(({ slug }) => ({ account: slug }))];
  return [
    { name: 'the session', caller: here, site, home, elsewhere: other.slug, ...foreign },
    { name: "the session's key", makers: ['the session'], site, beside },
    { name: 'the session elsewhere', caller: there, site: await siteOf(there) },
    // In which account it lands is judged, and not relied on: it writes nothing.
    { name: "the session's key elsewhere", makers: ['the session elsewhere'], beside },
  ];
}

const wants = [
  ...(['secondary', 'foreignCompany', 'restricted', 'session', 'memberships', 'foreignSlug'] as const),
  ...(['accountlessSession', 'expiredSession', 'exhaustible', 'exhaustibleCompany', 'sibling'] as const),
] as const;
type WalkContext = Context<(typeof ids)[number], 'company'> & Partial<Pick<Fixtures, (typeof wants)[number]>>;

/** Keys that are configured, each followed by those that come of it. */
async function ofKeys(context: WalkContext): Promise<readonly ActorRole[]> {
  const { api, company, secondary, foreignCompany, restricted, exhaustible, exhaustibleCompany, sibling } = context;
  const home = (await linkedCompany(api, context.make)) ?? company;
  const rolesOf = (at: Company | undefined, key: Credential | undefined, ...names: readonly string[]): ActorRole[] => {
    const site: ActorRole['site'] = at && { company: wholly(at), isShared: true };
    if (key === undefined || site === undefined) return [];
    return names.map((name, place) => {
      const maker = names[place - 1];
      return { name, site, ...(maker === undefined ? { caller: { api: api.as(key) } } : { makers: [maker] }) };
    });
  };
  return [
    ...rolesOf(home, api.credential, 'the key', 'a made key', 'a grandchild', "a grandchild's key"),
    ...rolesOf(home, restricted, 'the restricted key', "the restricted's key"),
    ...rolesOf(exhaustibleCompany, exhaustible, 'the key for limits'),
    ...rolesOf(exhaustibleCompany, sibling, 'its sibling'),
    ...rolesOf(foreignCompany, secondary, 'the secondary key', "the secondary's key"),
  ];
}

async function walkAll(context: WalkContext): Promise<void> {
  const { api, session, memberships, accountlessSession, expiredSession } = context;
  const roles = [...(await ofKeys(context))];
  if (accountlessSession) roles.push({ name: 'nobody at home', caller: { api: api.as(accountlessSession) } });
  if (session && memberships) roles.push(...(await ofSession(api.as(session), memberships, context)));
  const refused = {
    anonymous: [anonymous],
    forged: unauthenticatedCallers(api, context, session),
    revoked: await revokedToken(context, api),
    ...(expiredSession ? { expired: [expiredSession] } : {}),
  };
  await randomWalk(roles, budget, refused, context);
  const accounts = memberships?.all.map(({ slug }) => slug) ?? [];
  await readAtEnd(roles, { session, accounts }, context);
}

export const randomWalks = conforms(
  ids,
  {
    needs: ['company'],
    wants,
    perhaps: ids,
    writes: [0, 0, 1600],
    reads: [0, 0, 4000],
    validates: [0, 0, 40],
    leaves: { companies: [0, 0, 40], contacts: [0, 0, 100] },
    beyondQuick: true,
    forgets: true,
  },
  async (context) => {
    if (context.effort === 'thorough') context.atEnd(() => walkAll(context));
  },
);
