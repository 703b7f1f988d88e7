// The random walk of a thorough run, when everything else is over; after it each caller reads all there is.
import {
  type Api,
  anonymous,
  type Company,
  type Context,
  type Credential,
  conforms,
  createNote,
  dataOf,
  deleteNote,
  expectSuccess,
  type Fixtures,
  idempotencyKey,
  identifierOf,
  knownOrganization,
  lagMsMax,
  listNotes,
  type Memberships,
  type Reply,
  type Tools,
  usualText,
  wasAccepted,
} from '../../lib/index.ts';
import { ifPossible, orPassedOver } from '../shared/attempt.ts';
import { unauthenticatedCallers } from '../shared/invalid-tokens.ts';
import { keyBy, longLabels, revokeByItself, revokedToken, revokeKey } from '../shared/keys.ts';
import { perhapsKeyed, similarKeys } from '../shared/optional-headers.ts';
import { switchTo } from '../shared/switch.ts';
import { foreignTexts, longText, trickyTexts } from '../shared/tricky-texts.ts';
import type { ActorRole } from '../walk/actor.ts';
import { randomWalk } from '../walk/random-walk.ts';
import { type Caller, Reader, readSample } from '../walk/reads.ts';
import { remarkable, wholly } from '../walk/record-generators.ts';

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

type ReadTools = Pick<Context<'api-keys-made-rights', never>, 'api' | 'check' | 'clock' | 'make' | 'random'>;

const samplesEach = 4;
const pagesMax = 16;

/** Made and revoked at once; whether it could be made. */
async function isMadeBy(maker: Api, label: string, tools: ReadTools): Promise<boolean> {
  const key = await keyBy(maker, label, tools.make);
  if (key) await orPassedOver(revokeByItself(maker, key.credential, key.id, tools));
  return key !== undefined;
}

/**
 * Texts of every class as labels of keys that a made key makes. What it is refused is its right where its own maker is
 * served, and where it makes keys with other labels, so that there is room for them.
 */
async function labelKeys(maker: Api, made: Api, tools: ReadTools): Promise<void> {
  const { check, make, random } = tools;
  const labels = [...trickyTexts(random, 3), ...foreignTexts(random, 1), longText(random), usualText(random, 12, 200)];
  for (const label of labels) {
    if (await isMadeBy(made, label, tools)) continue;
    if (!(await isMadeBy(maker, label, tools)) || !(await isMadeBy(made, make.label('key'), tools))) continue;
    const again = await made.send('POST /api-keys', { body: { label } });
    await check('api-keys-made-rights', () => expectSuccess(again));
    if (wasAccepted(again)) await revokeKey(maker, identifierOf('key', dataOf(again)));
  }
}

/** What lacks a label is no key, whoever asks; that it is not forbidden shows the one that is made right afterwards. */
async function refuseKeys(api: Api, tools: ReadTools): Promise<void> {
  const { make, random } = tools;
  const [long] = random.shuffled(longLabels);
  for (const label of random.shuffled([undefined, 7, '', long?.(make.name('key'))]))
    await api.send('POST /api-keys', { body: label === undefined ? {} : { label }, ...perhapsKeyed(random) });
  await isMadeBy(api, make.label('key'), tools);
}

/** One note, and an equal one under each key that differs from the first in one group only; all are deleted again. */
async function underSimilarKeys(api: Api, company_id: number | string, random: Tools['random']): Promise<void> {
  const path = { company_id };
  const body = { text: remarkable(random) };
  const first = idempotencyKey(random);
  const made: Reply[] = [];
  for (const key of [first, ...similarKeys(first, random)])
    made.push(await api.send(createNote, { path, body, key, exactly: true }));
  for (const note_id of new Set(made.filter(wasAccepted).map((reply) => identifierOf('note', dataOf(reply)))))
    if (note_id !== undefined) await api.send(deleteNote, { path: { company_id, note_id } });
}

/** Written to, and then read page after page. */
async function tryNotes(api: Api, company_id: number | string, random: Tools['random']): Promise<void> {
  await underSimilarKeys(api, company_id, random);
  const query = { limit: random.int(1, 4) };
  await new Reader(random).pages({ api }, { operation: listNotes, call: { path: { company_id }, query } }, pagesMax);
}

/** All of it under each name of an account. */
async function readEverything(
  reader: Api,
  { site, accounts }: { readonly site: ActorRole['site']; readonly accounts: readonly (string | undefined)[] },
  random: Tools['random'],
): Promise<void> {
  if (site) await orPassedOver(tryNotes(reader, site.company.id, random));
  for (const account of accounts)
    for (let round = 0; round < samplesEach; round += 1)
      await orPassedOver(readSample(reader, random, account, pagesMax));
}

/** `session`: it reads, as do the keys of its making, also under the name of each of its `accounts`. */
async function readAtEnd(
  roles: readonly ActorRole[],
  { session, accounts: named }: { readonly session?: Credential | undefined; readonly accounts: readonly string[] },
  tools: ReadTools,
): Promise<void> {
  const { api, clock, make, random } = tools;
  const callers = roles.flatMap(({ caller, site }) => (caller && !caller.under ? [[caller.api, site] as const] : []));
  const readers = await Promise.all(
    callers.map(async ([maker, site], place) => {
      const key = await make.furtherKey(maker);
      const accounts = [undefined, ...(maker.credential === session ? named : [])];
      const own = { ...tools, random: random.derive(`look round ${place}`) };
      return { maker, made: key && api.as(key.credential), all: { site, accounts }, own };
    }),
  );
  // What lists may lag behind is over.
  await clock.sleep(lagMsMax);
  const together = (work: (one: (typeof readers)[number]) => Promise<void>) => Promise.all(readers.map(work));
  await together(async ({ maker, made, all, own }) => {
    await readEverything(maker, all, own.random);
    if (made) await readEverything(made, all, own.random);
  });
  // Keys come and go from here on, first for one caller after the other: what lists of them count is not known any more.
  for (const { maker, made, own } of readers)
    for (const api of made ? [maker, made] : [maker]) await orPassedOver(refuseKeys(api, own));
  await together(async ({ maker, made, own }) => {
    if (made) await labelKeys(maker, made, own);
  });
}
