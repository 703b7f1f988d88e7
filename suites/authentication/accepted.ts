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
import { errorDuties, protectedReads, readsById, recordOperations, successDuties } from '../shared/groups.ts';
import { unauthenticatedCallers } from '../shared/invalid-tokens.ts';
import { keyPrefix, revokeByItself } from '../shared/keys.ts';
import { keyOrNone } from '../shared/optional-headers.ts';
import { type Dialled, input } from '../shared/phone.ts';
import { numbers } from '../shared/phone-numbers.ts';
import { fullRecord, plainTexts } from '../shared/sent-records.ts';
import { switchTo, withAccountRestored } from '../shared/switch.ts';
import type { ActorRole } from '../walk/actor.ts';
import { repeatNoteScripts } from '../walk/note-scripts.ts';
import { randomWalk, stepsEach } from '../walk/random-walk.ts';
import { type Caller, callOn, nodeMs } from '../walk/reads.ts';
import type { SentCompany } from '../walk/record-generators.ts';

type SendAs = (operation: OperationId, call?: Call) => Promise<Reply>;

/** The identifier of no record; a 404 accepts the token as well. */
const unknownId = 2_147_483_000;
const reads = [...protectedReads, ...readsById];
const writes = recordOperations.filter((id) => operations[id].rate === 'write');

const senderOf =
  ({ api, under }: Caller): SendAs =>
  (operation, call) =>
    api.send(operation, { ...under, ...call });

async function sendReads(api: Api): Promise<void> {
  let company: number | string = unknownId;
  for (const operation of reads) {
    const reply = await api.send(operation, operation.includes('{') ? { path: { company_id: company } } : {});
    if (operation === 'GET /companies') company = identifierOf('company', itemsOf(reply)[0]) ?? company;
  }
}

/** Creates a company and a contact; neither can be deleted. */
async function sendCreations(send: SendAs, { make, random }: Pick<Tools, 'make' | 'random'>): Promise<SentCompany> {
  const bare = { name: make.name('company'), company_type: random.pick(['lender', 'sponsor']) };
  const create = (body: JsonObject) => send('POST /companies', { body, ...keyOrNone(random) });
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
  await send('POST /contacts', { body: contact, ...keyOrNone(random), exactly: true });
  return { id, sent: company };
}

/** Edits a company without a change; creates and deletes a note and a key. `meanwhile` runs while the key exists. */
async function sendWrites(
  send: SendAs,
  company: SentCompany,
  { api, invalid, make, random }: Pick<Tools, 'api' | 'invalid' | 'make' | 'random'>,
  maker: Credential,
  meanwhile: (key: Credential | undefined) => Promise<void> = async () => {},
) {
  const onCompany = { company_id: company.id };
  await send('PATCH /companies/{company_id}', { path: onCompany, body: company.sent });
  const text = { text: make.name('note') };
  const creation = { path: onCompany, body: text, key: random.uuid() };
  // Like a client whose token has expired: it repeats the request under the same Idempotency-Key.
  await api.as(invalid('a key that nobody has', `${keyPrefix}${random.uuid()}`)).send(createNote, creation);
  const created = await send(createNote, creation);
  const onNote = { ...onCompany, note_id: identifierOf('note', dataOf(created)) ?? unknownId };
  await send('PATCH /companies/{company_id}/notes/{note_id}', { path: onNote, body: text });
  await send('DELETE /companies/{company_id}/notes/{note_id}', { path: onNote });

  const createdKey = await send('POST /api-keys', { body: { label: make.name('key') } });
  const isKey = typeof at(dataOf(createdKey), 'api_key') === 'string';
  await meanwhile(isKey ? make.credential(maker, createdKey) : undefined);
  await send('DELETE /api-keys/{key_id}', {
    path: { key_id: identifierOf('key', dataOf(createdKey)) ?? unknownId },
  });
}

const emptied: readonly [JsonObject, ...JsonObject[]] = [
  { address: '', zip: null },
  { city: null, state: '' },
  { address: null, city: '' },
];

/** How many note scripts a session runs; its accounts have writes left. */
const scriptsEach = { quick: 0, standard: 2, thorough: 8 } as const;

/**
 * An account other than the stored one, if X-Active-Account accepts its slug: in a third of the runs, and always if the
 * session shares its account with a key, which needs the writes.
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
 * Stores another account, then creates a company under X-Active-Account in the former one, so that the header matters;
 * `write` writes to it. Undefined if the header does not accept the slug.
 */
async function companyUnderHeader(
  own: Api,
  [home, other]: readonly [Membership, Membership],
  tools: Pick<Tools, 'make' | 'random' | 'switching'>,
  write: (caller: Caller, company: SentCompany) => Promise<void>,
): Promise<SentCompany | undefined> {
  const under = { account: home.slug };
  if (!wasAccepted(await own.send('GET /companies', { ...under, query: { limit: 1 } }))) return undefined;
  const company = await withAccountRestored(own, home, tools, async () => {
    if (!wasAccepted(await switchTo(own, other.slug))) return undefined;
    const caller = { api: own, under };
    const send = senderOf(caller);
    const made = await sendCreations(send, tools);
    const path = { company_id: made.id };
    await send('GET /companies/{company_id}', { path });
    await send('PATCH /companies/{company_id}', { path, body: made.sent });
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
  conforms('authentication-key-accepted', { visits: reads, feeds: successDuties }, ({ api }) => sendReads(api)),

  conforms(
    'authentication-key-accepted',
    { wants: ['company', 'contact'], visits: writes, feeds: successDuties, writes: 6, sentElsewhere: true },
    async ({ company, contact, ...tools }) => {
      const send = senderOf(tools);
      const target = company && contact ? company : await sendCreations(send, tools);
      await sendWrites(send, target, tools, tools.api.credential);
    },
  ),

  // A valid slug could change the preference of the key's user.
  conforms(
    'account-active-unknown-slug',
    { visits: 'PATCH /me/active-account', feeds: successDuties, writes: 1, reads: 0 },
    async ({ api, random }) =>
      void (await api.send('PATCH /me/active-account', { body: { slug: `covenant-${random.uuid().slice(0, 8)}` } })),
  ),

  conforms(
    'authentication-jwt-accepted',
    { needs: ['session'], visits: reads, feeds: successDuties },
    ({ api, session }) => sendReads(api.as(session)),
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
    async ({ session, memberships, accountlessSession, ...tools }) => {
      const { api, clock, make, random, effort } = tools;
      const own = api.as(session);
      const accountlessActors = accountlessSession
        ? [{ name: 'a session without an account', caller: { api: api.as(accountlessSession) } }]
        : [];
      const refused = { forged: unauthenticatedCallers(api, tools, session) };
      const walk = (callers: readonly Caller[], company: SentCompany) => {
        const writers = callers.map(
          (caller, place): ActorRole => ({ name: `caller ${place}`, caller, destination: { company } }),
        );
        const steps = stepsEach[effort] * callers.length;
        return randomWalk([...writers, ...accountlessActors], { steps, records: 2, brief: true }, refused, tools);
      };
      const account = effort === 'quick' ? undefined : await otherAccount(own, memberships, tools);
      const under: Call = account === undefined ? {} : { account };
      const send = senderOf({ api: own, under });
      const other = memberships.all.find(({ slug }) => slug !== memberships.active?.slug);
      const pair =
        memberships.active && other && !session.account && !account && effort !== 'quick'
          ? ([memberships.active, other] as const)
          : undefined;
      const madeUnderHeader = pair && (await companyUnderHeader(own, pair, tools, (one, made) => walk([one], made)));
      const company = madeUnderHeader ?? (await sendCreations(send, tools));
      // Empty members may be refused, but not with 401.
      const { name, company_type } = company.sent;
      const whole = { ...fullRecord(String(name), 'second'), name, company_type };
      const edited = { id: company.id, sent: { ...whole, ...random.derive('emptied').pick(emptied) } };
      const stored = account === undefined && effort !== 'quick' ? memberships.active?.slug : undefined;
      const named: readonly Caller[] = stored === undefined ? [] : [{ api: own, under: { account: stored } }];
      await sendWrites(send, edited, tools, session, async (key) => {
        const others: readonly Caller[] = [
          ...(madeUnderHeader ? [] : named),
          ...(key === undefined ? [] : [{ api: api.as(key) }]),
        ];
        const callers = [{ api: own, under }, ...random.shuffled(others)];
        const further = key === undefined || effort === 'quick' ? undefined : await make.furtherKey(api.as(key));
        const all = further ? [...callers, { api: api.as(further.credential) }] : callers;
        await walk(all, company);
        if (further && key) await revokeByItself(api.as(key), further.credential, further.id, { random });
        // One script at least is sent under the header.
        const inOrder = [...named, ...callers.filter((one) => !named.includes(one))];
        const scriptCallers = Array.from(
          { length: scriptsEach[effort] },
          (_, place) => inOrder[place % inOrder.length],
        );
        await repeatNoteScripts(
          scriptCallers.flatMap((one) => one ?? []),
          company.id,
          { clock, random },
        );
      });
      // The active account, so that nothing changes.
      const slug = memberships.active?.slug ?? `covenant-${random.uuid().slice(0, 8)}`;
      if (!madeUnderHeader) await own.send('PATCH /me/active-account', { body: { slug } });
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
