// Sends a key and a session to every protected operation; the rules judge that both are accepted.
import {
  type Api,
  at,
  type Call,
  type Credential,
  conforms,
  createNote,
  dataOf,
  identifierOf,
  itemsOf,
  type JsonObject,
  type Membership,
  type Memberships,
  type OperationId,
  operations,
  type Reply,
  type Tools,
  wasAccepted,
} from '../../lib/index.ts';
import { errorDuties, onRecords, protectedReads, readsById, successDuties } from '../shared/groups.ts';
import { unauthenticatedCallers } from '../shared/invalid-tokens.ts';
import { keyPrefix, revokeByItself } from '../shared/keys.ts';
import { keyOrNone } from '../shared/optional-headers.ts';
import { type Dialled, input } from '../shared/phone.ts';
import { numbers } from '../shared/phone-numbers.ts';
import { fullRecord, plainTexts } from '../shared/sent-records.ts';
import { borrowed, switchTo } from '../shared/switch.ts';
import { repeatNoteScripts } from '../walk/note-scripts.ts';
import { randomWalk, stepsEach } from '../walk/random-walk.ts';
import { type Caller, callOn, nodeMs } from '../walk/reads.ts';
import type { SentCompany } from '../walk/record-generators.ts';

type Visit = (operation: OperationId, call?: Call) => Promise<Reply>;

/** The identifier of no record; a 404 accepts the token as well. */
const unknownId = 2_147_483_000;
const reads = [...protectedReads, ...readsById];
const writes = onRecords.filter((id) => operations[id].rate === 'write');

const visitor =
  ({ api, under }: Caller): Visit =>
  (operation, call) =>
    api.send(operation, { ...under, ...call });

async function visitReads(api: Api): Promise<void> {
  let company: number | string = unknownId;
  for (const operation of reads) {
    const reply = await api.send(operation, operation.includes('{') ? { path: { company_id: company } } : {});
    if (operation === 'GET /companies') company = identifierOf('company', itemsOf(reply)[0]) ?? company;
  }
}

/** Creates a company and a contact, which nobody can delete. */
async function visitCreations(visit: Visit, { make, random }: Pick<Tools, 'make' | 'random'>): Promise<SentCompany> {
  const bare = { name: make.name('company'), company_type: random.pick(['lender', 'sponsor']) };
  const create = (body: JsonObject) => visit('POST /companies', { body, ...keyOrNone(random) });
  const full = { ...fullRecord(bare.name, 'first'), ...bare };
  const first = await create(full);
  const [created, company] = wasAccepted(first) ? [first, full] : [await create(bare), bare];
  const id = identifierOf('company', dataOf(created)) ?? unknownId;
  const dialled = random.shuffled<Dialled>([...numbers.mixed, random.pick<Dialled>(numbers.ofCountries)]);
  const count = random.pick([1, 1, 3]);
  // If there is only one, it has an extension.
  const [whole = dialled[0]] = dialled.filter(({ extension }) => extension !== undefined);
  const phones = (count === 1 && whole ? [whole] : dialled.slice(0, count)).map(input);
  const contact_type = random.pick(['lender_contact', 'sponsor']);
  const contact = { contact_type, company_id: id, ...plainTexts(make.name('contact')), phones };
  await visit('POST /contacts', { body: contact, ...keyOrNone(random), exactly: true });
  return { id, sent: company };
}

/** Edits a company without a change; creates and deletes a note and a key. `meanwhile` runs while the key exists. */
async function visitWrites(
  visit: Visit,
  company: SentCompany,
  { api, invalid, make, random }: Pick<Tools, 'api' | 'invalid' | 'make' | 'random'>,
  maker: Credential,
  meanwhile: (key: Credential | undefined) => Promise<void> = async () => {},
) {
  const onCompany = { company_id: company.id };
  await visit('PATCH /companies/{company_id}', { path: onCompany, body: company.sent });
  const text = { text: make.name('note') };
  const creation = { path: onCompany, body: text, key: random.uuid() };
  // As a client whose token has expired: it repeats the request under the same Idempotency-Key.
  await api.as(invalid('BAD_TOKEN', `${keyPrefix}${random.uuid()}`)).send(createNote, creation);
  const created = await visit(createNote, creation);
  const onNote = { ...onCompany, note_id: identifierOf('note', dataOf(created)) ?? unknownId };
  await visit('PATCH /companies/{company_id}/notes/{note_id}', { path: onNote, body: text });
  await visit('DELETE /companies/{company_id}/notes/{note_id}', { path: onNote });

  const createdKey = await visit('POST /api-keys', { body: { label: make.name('key') } });
  const isKey = typeof at(dataOf(createdKey), 'api_key') === 'string';
  await meanwhile(isKey ? make.credential(maker, createdKey) : undefined);
  await visit('DELETE /api-keys/{key_id}', {
    path: { key_id: identifierOf('key', dataOf(createdKey)) ?? unknownId },
  });
}

const emptied: readonly [JsonObject, ...JsonObject[]] = [
  { address: '', zip: null },
  { city: null, state: '' },
  { address: null, city: '' },
];

/** Note scripts by a session, whose accounts have writes left. */
const livesOf = { quick: 0, standard: 2, thorough: 8 } as const;

/**
 * In a third of the runs another account than the stored one, if X-Active-Account takes its slug; in all of them where
 * the session shares an account with a key, which has writes of its own to send.
 */
async function otherAccount(
  own: Api,
  { all, active }: Memberships,
  { api, random }: Pick<Tools, 'api' | 'random'>,
): Promise<string | undefined> {
  const other = all.find(({ slug }) => slug !== active?.slug);
  const shares = api.credential.accounts.some((one) => own.credential.accounts.includes(one));
  if (active === undefined || other === undefined || (random.int(1, 3) > 1 && !shares)) return undefined;
  const reply = await own.send('GET /companies', { query: { limit: 1 }, account: other.slug });
  return wasAccepted(reply) ? other.slug : undefined;
}

/**
 * Stores another account, and creates a company under X-Active-Account in the one stored before: so the header matters.
 * `write` writes to it. Undefined if the header does not take the slug.
 */
async function companyFromAfar(
  own: Api,
  [home, afar]: readonly [Membership, Membership],
  tools: Pick<Tools, 'make' | 'random' | 'switching'>,
  write: (caller: Caller, company: SentCompany) => Promise<void>,
): Promise<SentCompany | undefined> {
  const under = { account: home.slug };
  if (!wasAccepted(await own.send('GET /companies', { ...under, query: { limit: 1 } }))) return undefined;
  const company = await borrowed(own, home, tools, async () => {
    if (!wasAccepted(await switchTo(own, afar.slug))) return undefined;
    const caller = { api: own, under };
    const visit = visitor(caller);
    const made = await visitCreations(visit, tools);
    const path = { company_id: made.id };
    await visit('GET /companies/{company_id}', { path });
    await visit('PATCH /companies/{company_id}', { path, body: made.sent });
    await write(caller, made);
    return made;
  });
  if (company === undefined) return undefined;
  const seen = await own.send('GET /companies/{company_id}', { path: { company_id: company.id } });
  return wasAccepted(seen) ? company : undefined;
}

/** How often sessions read again at the end of the run: another node may answer. */
const rounds = { quick: 0, standard: 2, thorough: 4 } as const;

export const accepted = [
  conforms('authentication-key-accepted', { visits: reads, feeds: successDuties }, ({ api }) => visitReads(api)),

  conforms(
    'authentication-key-accepted',
    { wants: ['company', 'contact'], visits: writes, feeds: successDuties, writes: 6, sentElsewhere: true },
    async ({ company, contact, ...tools }) => {
      const visit = visitor(tools);
      const site = company && contact ? company : await visitCreations(visit, tools);
      await visitWrites(visit, site, tools, tools.api.credential);
    },
  ),

  // A valid slug could change the preference of the key's user.
  conforms(
    'account-active-unknown-slug',
    { visits: 'PATCH /me/active-account', feeds: successDuties, writes: 1, reads: 0 },
    async ({ api, random }) =>
      void (await api.send('PATCH /me/active-account', { body: { slug: `covenant-${random.uuid()}` } })),
  ),

  conforms(
    'authentication-jwt-accepted',
    { needs: ['session'], visits: reads, feeds: successDuties },
    ({ api, session }) => visitReads(api.as(session)),
  ),

  conforms(
    'authentication-jwt-accepted',
    {
      needs: ['session', 'memberships'],
      wants: ['accountlessSession'],
      visits: writes,
      feeds: successDuties,
      writes: [9, 55, 160],
      reads: [0, 56, 209],
      refused: [0, 25, 110],
      leaves: { companies: [1, 3, 4], contacts: [1, 2, 5] },
    },
    async ({ session, memberships, accountlessSession: homeless, ...tools }) => {
      const { api, clock, make, random, effort } = tools;
      const own = api.as(session);
      const nobody = homeless ? [{ name: 'a session without an account', caller: { api: api.as(homeless) } }] : [];
      const refused = { forged: unauthenticatedCallers(api, tools, session) };
      const walk = (callers: readonly Caller[], company: SentCompany) => {
        const writers = callers.map((caller, place) => ({ name: `caller ${place}`, caller, site: { company } }));
        const steps = stepsEach[effort] * callers.length;
        return randomWalk([...writers, ...nobody], { steps, records: 2, brief: true }, refused, tools);
      };
      const account = effort === 'quick' ? undefined : await otherAccount(own, memberships, tools);
      const under: Call = account === undefined ? {} : { account };
      const visit = visitor({ api: own, under });
      const afar = memberships.all.find(({ slug }) => slug !== memberships.active?.slug);
      const pair =
        memberships.active && afar && !session.account && !account && effort !== 'quick'
          ? ([memberships.active, afar] as const)
          : undefined;
      const madeAfar = pair && (await companyFromAfar(own, pair, tools, (one, made) => walk([one], made)));
      const company = madeAfar ?? (await visitCreations(visit, tools));
      // Empty members may be refused, but not with 401.
      const { name, company_type } = company.sent;
      const whole = { ...fullRecord(String(name), 'second'), name, company_type };
      const edited = { id: company.id, sent: { ...whole, ...random.derive('emptied').pick(emptied) } };
      const stored = account === undefined && effort !== 'quick' ? memberships.active?.slug : undefined;
      const named: readonly Caller[] = stored === undefined ? [] : [{ api: own, under: { account: stored } }];
      await visitWrites(visit, edited, tools, session, async (key) => {
        const others: readonly Caller[] = [
          ...(madeAfar ? [] : named),
          ...(key === undefined ? [] : [{ api: api.as(key) }]),
        ];
        const callers = [{ api: own, under }, ...random.shuffled(others)];
        const further = key === undefined || effort === 'quick' ? undefined : await make.furtherKey(api.as(key));
        const all = further ? [...callers, { api: api.as(further.credential) }] : callers;
        await walk(all, company);
        if (further && key) await revokeByItself(api.as(key), further.credential, further.id, { random });
        // One script at least is sent under the header.
        const inOrder = [...named, ...callers.filter((one) => !named.includes(one))];
        const lives = Array.from({ length: livesOf[effort] }, (_, place) => inOrder[place % inOrder.length]);
        await repeatNoteScripts(
          lives.flatMap((one) => one ?? []),
          company.id,
          { clock, random },
        );
      });
      // The active account, so that nothing changes.
      const slug = memberships.active?.slug ?? `covenant-${random.uuid()}`;
      if (!madeAfar) await own.send('PATCH /me/active-account', { body: { slug } });
    },
  ),

  conforms(
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
  ),
];
