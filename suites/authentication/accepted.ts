// Every protected operation visited with a key and with a session: both are accepted as Bearer token.
import {
  type Api,
  at,
  type Call,
  type Credential,
  conforms,
  createNote,
  dataOf,
  expectThat,
  identifierOf,
  itemsOf,
  type JsonObject,
  type Membership,
  type Memberships,
  NotTested,
  type OperationId,
  operations,
  type Reply,
  type Tools,
  wasAccepted,
} from '../../lib/index.ts';
import { fullRecord } from '../shared/company-record.ts';
import { plainTexts } from '../shared/contact-record.ts';
import { successDuties } from '../shared/duties.ts';
import { onRecords, protectedReads, readsById } from '../shared/groups.ts';
import { isRevoked, keyPrefix } from '../shared/keys.ts';
import { keyOrNone } from '../shared/optional-headers.ts';
import { input } from '../shared/phone.ts';
import { mixed, ofCountries } from '../shared/phone-numbers.ts';
import { expectClientError } from '../shared/refusals.ts';
import { revokeByItself } from '../shared/revoked-key.ts';
import { borrowed, switchTo } from '../shared/switch.ts';
import type { Caller } from '../walk/caller.ts';
import { repeatNoteScripts } from '../walk/note-scripts.ts';
import { followed, refusedCallers } from '../walk/refused-callers.ts';
import { scriptedDeletions, scriptedWrites } from '../walk/scripted-writes.ts';
import type { Kept, NoteWorkspace } from '../walk/write-actions.ts';

type Visit = (operation: OperationId, call?: Call) => Promise<Reply>;

/** Where the identifier of a record is not known: one of nothing. The token can be accepted all the same. */
const unknownId = 2_147_483_000;
const reads = [...protectedReads, ...readsById];
const writes = onRecords.filter((id) => operations[id].rate === 'write');

/** 403 is for valid credentials only; whether these should have had the permission is not known here. */
export function expectAccepted(reply: Reply, operation: OperationId): void {
  expectThat(reply.status !== 401, `${operation} should accept ${reply.credential} as Bearer token`, {
    expected: 'any status but 401',
    actual: 401,
    replies: reply,
  });
  if (reply.status === 403 && operations[operation].rate === 'read')
    throw new NotTested(`${reply.credential} is refused with 403 at ${operation}`);
}

/** Sends calls of which each must be accepted. */
const visitor =
  (api: Api, judge: (expectation: () => void, operation: OperationId) => Promise<void>): Visit =>
  async (operation, call) => {
    const reply = await api.send(operation, call);
    await judge(() => expectAccepted(reply, operation), operation);
    return reply;
  };

async function visitReads(visit: Visit): Promise<void> {
  let company: number | string = unknownId;
  for (const operation of reads) {
    const reply = await visit(operation, operation.includes('{') ? { path: { company_id: company } } : {});
    if (operation === 'GET /companies') company = identifierOf('company', itemsOf(reply)[0]) ?? company;
  }
}

/** A company and a contact, which stay for ever. */
async function visitCreations(visit: Visit, { make, random }: Pick<Tools, 'make' | 'random'>): Promise<Kept> {
  const company = { name: make.name('company'), company_type: random.pick(['lender', 'sponsor']) };
  const created = await visit('POST /companies', { body: company, ...keyOrNone(random) });
  const id = identifierOf('company', dataOf(created)) ?? unknownId;
  const dialled = random.shuffled([...mixed, random.pick(ofCountries)]);
  const count = random.pick([1, 1, 3]);
  // A single one has an extension.
  const [whole = dialled[0]] = dialled.filter(({ extension }) => extension !== undefined);
  const phones = (count === 1 && whole ? [whole] : dialled.slice(0, count)).map(input);
  const contact_type = random.pick(['lender_contact', 'sponsor']);
  const contact = { contact_type, company_id: id, ...plainTexts(make.name('contact')), phones };
  await visit('POST /contacts', { body: contact, ...keyOrNone(random), exactly: true });
  return { id, sent: company };
}

/** Edits of a company that change nothing, and the short life of a note and a key; `meanwhile` the key is there. */
async function visitWrites(
  visit: Visit,
  company: Kept,
  { api, invalid, make, random }: Pick<Tools, 'api' | 'invalid' | 'make' | 'random'>,
  maker: Credential,
  meanwhile: (key: Credential | undefined) => Promise<void> = async () => {},
) {
  const onCompany = { company_id: company.id };
  await visit('PATCH /companies/{company_id}', { path: onCompany, body: company.sent });
  const text = { text: make.name('note') };
  const creation = { path: onCompany, body: text, key: random.uuid() };
  // Whoever's token has run out gets a new one, and tries again under the same key.
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

/** Short lives of notes by a session, whose accounts have writes to spare. */
const livesOf = { quick: 0, standard: 2, thorough: 8 } as const;

/** Now and then another account than the stored one, where X-Active-Account leads there by its slug. */
async function otherAccount(
  own: Api,
  { all, active }: Memberships,
  random: Tools['random'],
): Promise<string | undefined> {
  const other = all.find(({ slug }) => slug !== active?.slug);
  if (active === undefined || other === undefined || random.int(1, 3) > 1) return undefined;
  const reply = await own.send('GET /companies', { query: { limit: 1 }, account: other.slug });
  return wasAccepted(reply) ? other.slug : undefined;
}

interface Begun {
  readonly company: Kept;
  readonly workspaces: readonly NoteWorkspace[];
}

/**
 * What a session writes under the header for the account that is stored, right after another one was stored instead: so the
 * header says something. Undefined where a slug chooses no account.
 */
async function beginFromAfar(
  own: Api,
  [home, afar]: readonly [Membership, Membership],
  visit: Visit,
  tools: Pick<Tools, 'clock' | 'effort' | 'make' | 'random' | 'switching'>,
): Promise<Begun | undefined> {
  const under = { account: home.slug };
  if (!wasAccepted(await own.send('GET /companies', { ...under, query: { limit: 1 } }))) return undefined;
  const begun = await borrowed(own, home, tools, async () => {
    if (!wasAccepted(await switchTo(own, afar.slug))) return undefined;
    const company = await visitCreations((operation, call) => visit(operation, { ...under, ...call }), tools);
    return { company, workspaces: await scriptedWrites([{ caller: { api: own, under }, company }], tools) };
  });
  if (begun === undefined) return undefined;
  const seen = await own.send('GET /companies/{company_id}', { path: { company_id: begun.company.id } });
  return wasAccepted(seen) ? begun : undefined;
}

export const accepted = [
  conforms('authentication-key-accepted', { visits: reads, feeds: successDuties }, async ({ api, check }) =>
    visitReads(visitor(api, (...judged) => check('authentication-key-accepted', ...judged))),
  ),

  conforms(
    ['authentication-key-accepted', 'account-active-unknown-slug'],
    { wants: ['company', 'contact'], visits: writes, feeds: successDuties, writes: 7 },
    async ({ check, company, contact, ...tools }) => {
      const { api, make, random } = tools;
      const judge = (expectation: () => void, operation: OperationId) =>
        check('authentication-key-accepted', expectation, operation);
      const visit = visitor(api, judge);
      const isMade = company !== undefined && contact !== undefined;
      if (isMade) {
        await judge(() => expectAccepted(company.reply, 'POST /companies'), 'POST /companies');
        await judge(() => expectAccepted(contact.reply, 'POST /contacts'), 'POST /contacts');
      }
      const kept = isMade ? company : await visitCreations(visit, { make, random });
      await visitWrites(visit, kept, tools, api.credential);
      // A key's account is fixed; an unknown slug leaves the preference of the key's user alone.
      const switched = await visit('PATCH /me/active-account', { body: { slug: `covenant-${random.uuid()}` } });
      await check('account-active-unknown-slug', () => expectClientError(switched, 'a switch to no account'));
    },
  ),

  conforms(
    'authentication-jwt-accepted',
    { needs: ['session'], visits: reads, feeds: successDuties },
    async ({ api, session, check }) =>
      visitReads(visitor(api.as(session), (...judged) => check('authentication-jwt-accepted', ...judged))),
  ),

  conforms(
    'authentication-jwt-accepted',
    {
      needs: ['session', 'memberships'],
      wants: ['accountlessSession'],
      visits: writes,
      feeds: successDuties,
      writes: [9, 83, 198],
      reads: [0, 141, 358],
      refused: [0, 156, 156],
      leaves: { companies: [1, 3, 4], contacts: [1, 2, 5] },
    },
    async ({ session, memberships, accountlessSession: homeless, check, ...tools }) => {
      const { clock, make, random, effort } = tools;
      let revoked: Credential | undefined;
      const ask = refusedCallers(tools.api, tools, { homeless, session, revoked: () => revoked });
      const api = effort === 'quick' ? tools.api : followed(tools.api, ask);
      const own = api.as(session);
      const visit = visitor(own, (...judged) => check('authentication-jwt-accepted', ...judged));
      const account = effort === 'quick' ? undefined : await otherAccount(own, memberships, random);
      const under: Call = account === undefined ? {} : { account };
      const visitThere: Visit = (operation, call) => visit(operation, { ...under, ...call });
      const afar = memberships.all.find(({ slug }) => slug !== memberships.active?.slug);
      const pair =
        memberships.active && afar && !session.account && !account && effort !== 'quick'
          ? ([memberships.active, afar] as const)
          : undefined;
      const begun = pair && (await beginFromAfar(own, pair, visit, tools));
      const company = begun?.company ?? (await visitCreations(visitThere, { make, random }));
      // What is emptied may be refused: only the token is judged here, and what the reply shows.
      const whole = { ...fullRecord(String(company.sent.name), 'second'), ...company.sent };
      const edited = { id: company.id, sent: { ...whole, ...random.derive('emptied').pick(emptied) } };
      const stored = account === undefined && effort !== 'quick' ? memberships.active?.slug : undefined;
      const named: readonly Caller[] = stored === undefined ? [] : [{ api: own, under: { account: stored } }];
      await visitWrites(visitThere, edited, tools, session, async (key) => {
        const others: readonly Caller[] = [
          ...(begun ? [] : named),
          ...(key === undefined ? [] : [{ api: api.as(key) }]),
        ];
        const callers = [{ api: own, under }, ...random.shuffled(others)];
        const further = key === undefined || effort === 'quick' ? undefined : await make.furtherKey(api.as(key));
        const all = further ? [...callers, { api: api.as(further.credential) }] : callers;
        const sites = random.shuffled(all).map((caller) => ({ caller, company }));
        await scriptedDeletions([...(begun?.workspaces ?? []), ...(await scriptedWrites(sites, tools))], tools);
        if (further && key) {
          const reply = await revokeByItself(api.as(key), further.credential, further.id, { random });
          revoked = isRevoked(reply) ? further.credential : undefined;
        }
        // Under the header a session lives one in any case.
        const inOrder = [...named, ...callers.filter((one) => !named.includes(one))];
        const lives = Array.from({ length: livesOf[effort] }, (_, place) => inOrder[place % inOrder.length]);
        await repeatNoteScripts(
          lives.flatMap((one) => one ?? []),
          company.id,
          { clock, random },
        );
      });
      // The account that is active already: nothing changes.
      const slug = memberships.active?.slug ?? `covenant-${random.uuid()}`;
      if (!begun) await visit('PATCH /me/active-account', { body: { slug } });
    },
  ),
];
