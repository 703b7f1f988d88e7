// The random walk of a thorough run, after all other cases; then each caller reads everything.
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
  ifPossible,
  knownOrganization,
  lagMsMax,
  listNotes,
  type Memberships,
  type Reply,
  type Tools,
  usualText,
  wasAccepted,
} from '../../lib/index.ts';
import { unauthenticatedCallers } from '../shared/invalid-tokens.ts';
import { keyBy, longLabels, revokeByItself, revokedToken, revokeKey } from '../shared/keys.ts';
import { perhapsKeyed, similarKeys } from '../shared/optional-headers.ts';
import { switchTo } from '../shared/switch.ts';
import { foreignTexts, longText, trickyTexts } from '../shared/tricky-texts.ts';
import { unlessUndecidedOrUnkept } from '../shared/unless.ts';
import type { ActorRole } from '../walk/actor.ts';
import { randomWalk } from '../walk/random-walk.ts';
import { type Caller, Reader, readSample } from '../walk/reads.ts';
import { randomNoteText, withSentBody } from '../walk/record-generators.ts';

/** The length of the walk, and how many records it may leave. */
const budget = { steps: 4500, records: 120 } as const;

const ids = ['notes-unknown-company', 'notes-unknown-note', 'api-keys-made-rights'] as const;

/** A company with an organization; undefined if none can be created. */
const linkedCompany = async (api: Api, make: Tools['make'], account?: string): Promise<Company | undefined> =>
  ifPossible(make.company(api, { org_id: await knownOrganization(api, account) }, account));

/** The session, a key created by it, and the session on another account by the header. */
async function ofSession(
  own: Api,
  { all, active }: Memberships,
  { make, random, foreignSlug }: Pick<Tools, 'make' | 'random'> & Partial<Pick<Fixtures, 'foreignSlug'>>,
): Promise<readonly ActorRole[]> {
  const destinationOf = async ({ api, under }: Caller): Promise<ActorRole['destination']> => {
    const linked = await linkedCompany(api, make, under?.account);
    const made = linked ?? (await ifPossible(make.company(api, {}, under?.account)));
    return made && { company: withSentBody(made) };
  };
  const activeAccount = active && wasAccepted(await switchTo(own, active.slug)) ? active.slug : undefined;
  const other = random.shuffled(all).find(({ slug }) => slug !== active?.slug) ?? random.pick(all);
  const here: Caller = { api: own };
  const there: Caller = { api: own, under: { account: other.slug } };
  const destination = await destinationOf(here);
  // A header opens no foreign account, and does not affect a key.
  const foreign =
    foreignSlug === undefined
      ? {}
      : { optionalHeaders: [{}, {}, { account: foreignSlug, undocumented: true } as const] };
  const optionalHeaders = [{}, ...all.map(({ slug }) => ({ account: slug }))];
  return [
    { name: 'the session', caller: here, destination, activeAccount, otherAccount: other.slug, ...foreign },
    { name: "the session's key", makers: ['the session'], destination, optionalHeaders },
    { name: 'the session elsewhere', caller: there, destination: await destinationOf(there) },
    // Rules judge which account this key is on; the walk does not rely on it, so it writes nothing.
    { name: "the session's key elsewhere", makers: ['the session elsewhere'], optionalHeaders },
  ];
}

const wants = [
  ...(['secondary', 'foreignCompany', 'restricted', 'session', 'memberships', 'foreignSlug'] as const),
  ...(['accountlessSession', 'expiredSession', 'exhaustible', 'exhaustibleCompany', 'sibling'] as const),
] as const;
type WalkContext = Context<(typeof ids)[number], 'company'> & Partial<Pick<Fixtures, (typeof wants)[number]>>;

/** The configured keys, each followed by keys created with it. */
async function ofKeys(context: WalkContext): Promise<readonly ActorRole[]> {
  const { api, company, secondary, foreignCompany, restricted, exhaustible, exhaustibleCompany, sibling } = context;
  const ownCompany = (await linkedCompany(api, context.make)) ?? company;
  const rolesOf = (at: Company | undefined, key: Credential | undefined, ...names: readonly string[]): ActorRole[] => {
    const destination: ActorRole['destination'] = at && { company: withSentBody(at), isShared: true };
    if (key === undefined || destination === undefined) return [];
    return names.map((name, place) => {
      const maker = names[place - 1];
      return { name, destination, ...(maker === undefined ? { caller: { api: api.as(key) } } : { makers: [maker] }) };
    });
  };
  return [
    ...rolesOf(ownCompany, api.credential, 'the key', 'a made key', 'a key made by a made key', 'a key of that key'),
    ...rolesOf(ownCompany, restricted, 'the restricted key', "the restricted's key"),
    ...rolesOf(exhaustibleCompany, exhaustible, 'the key for limits'),
    ...rolesOf(exhaustibleCompany, sibling, 'its sibling'),
    ...rolesOf(foreignCompany, secondary, 'the secondary key', "the secondary's key"),
  ];
}

async function walkAll(context: WalkContext): Promise<void> {
  const { api, session, memberships, accountlessSession, expiredSession } = context;
  const roles = [...(await ofKeys(context))];
  if (accountlessSession)
    roles.push({ name: 'a session without an account', caller: { api: api.as(accountlessSession) } });
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

/** Creates a key and revokes it at once; returns whether it could be created. */
async function isMadeBy(maker: Api, label: string, tools: ReadTools): Promise<boolean> {
  const key = await keyBy(maker, label, tools.make);
  if (key) await unlessUndecidedOrUnkept(revokeByItself(maker, key.credential, key.id, tools));
  return key !== undefined;
}

/**
 * Texts of every class as labels of keys created by a created key. A refusal is a violation if its own maker may use
 * the label, and if it can create keys with other labels: then the maximum is not the cause.
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

/** Creations with invalid labels; the valid one at the end shows that the caller may create keys. */
async function refuseKeys(api: Api, tools: ReadTools): Promise<void> {
  const { make, random } = tools;
  const [long] = random.shuffled(longLabels);
  for (const label of random.shuffled([undefined, 7, '', long?.(make.name('key'))]))
    await api.send('POST /api-keys', { body: label === undefined ? {} : { label }, ...perhapsKeyed(random) });
  await isMadeBy(api, make.label('key'), tools);
}

/** Creates a note, and an equal one under each key that differs in one group only; deletes them all. */
async function underSimilarKeys(api: Api, company_id: number | string, random: Tools['random']): Promise<void> {
  const path = { company_id };
  const body = { text: randomNoteText(random) };
  const first = idempotencyKey(random);
  const made: Reply[] = [];
  for (const key of [first, ...similarKeys(first, random)])
    made.push(await api.send(createNote, { path, body, key, exactly: true }));
  for (const note_id of new Set(made.filter(wasAccepted).map((reply) => identifierOf('note', dataOf(reply)))))
    if (note_id !== undefined) await api.send(deleteNote, { path: { company_id, note_id } });
}

/** Writes notes, then reads the list page by page. */
async function tryNotes(api: Api, company_id: number | string, random: Tools['random']): Promise<void> {
  await underSimilarKeys(api, company_id, random);
  const query = { limit: random.int(1, 4) };
  await new Reader(random).pages({ api }, { operation: listNotes, call: { path: { company_id }, query } }, pagesMax);
}

/** Reads samples under each account name. */
async function readEverything(
  reader: Api,
  {
    destination,
    accounts,
  }: { readonly destination: ActorRole['destination']; readonly accounts: readonly (string | undefined)[] },
  random: Tools['random'],
): Promise<void> {
  if (destination) await unlessUndecidedOrUnkept(tryNotes(reader, destination.company.id, random));
  for (const account of accounts)
    for (let round = 0; round < samplesEach; round += 1)
      await unlessUndecidedOrUnkept(readSample(reader, random, account, pagesMax));
}

/** `session`: it reads, as do keys created by it, also under each of its `accounts`. */
async function readAtEnd(
  roles: readonly ActorRole[],
  { session, accounts: named }: { readonly session?: Credential | undefined; readonly accounts: readonly string[] },
  tools: ReadTools,
): Promise<void> {
  const { api, clock, make, random } = tools;
  const callers = roles.flatMap(({ caller, destination }) =>
    caller && !caller.under ? [[caller.api, destination] as const] : [],
  );
  const readers = await Promise.all(
    callers.map(async ([maker, destination], place) => {
      const key = await make.furtherKey(maker);
      const accounts = [undefined, ...(maker.credential === session ? named : [])];
      const own = { ...tools, random: random.derive(`look round ${place}`) };
      return { maker, made: key && api.as(key.credential), all: { destination, accounts }, own };
    }),
  );
  // From here on lists no longer lag.
  await clock.sleep(lagMsMax);
  const together = (work: (one: (typeof readers)[number]) => Promise<void>) => Promise.all(readers.map(work));
  await together(async ({ maker, made, all, own }) => {
    await readEverything(maker, all, own.random);
    if (made) await readEverything(made, all, own.random);
  });
  // From here on keys are created and revoked, one caller after the other: the totals of their lists are no longer
  // known.
  for (const { maker, made, own } of readers)
    for (const api of made ? [maker, made] : [maker]) await unlessUndecidedOrUnkept(refuseKeys(api, own));
  await together(async ({ maker, made, own }) => {
    if (made) await labelKeys(maker, made, own);
  });
}
