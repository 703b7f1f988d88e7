// Reads and writes the records of another account: by identifier, in lists, and behind cursors.
import {
  type Api,
  type Company,
  type Context,
  conforms,
  ifPossible,
  type Memberships,
  type Note,
  NotTested,
  type Reply,
  type Tools,
  traverse,
  wasAccepted,
} from '../../lib/index.ts';
import { slugsInMe } from '../shared/answer.ts';
import { cursorOf } from '../shared/cursor.ts';
import { collections, readsById } from '../shared/groups.ts';
import { type Write, writesOn } from '../shared/refusals.ts';
import { findMarked, type RecordList } from '../shared/search.ts';
import { unlessMismatch } from '../shared/unless.ts';

/** Sorted lists are paged by offset; a target need not support the sort. */
async function readSorted(api: Api, list: RecordList): Promise<void> {
  const query = { sort: '-created_at' };
  await unlessMismatch(traverse(api, { operation: list, query, limit: 150, mode: 'offset', pagesMax: 2 }));
}

/** Reads until the reader's own record, which was created at about the same time as the foreign one. */
async function readTo(api: Api, list: RecordList, name: unknown, { clock }: Pick<Tools, 'clock'>): Promise<void> {
  await ifPossible(findMarked({ api, clock }, list, String(name), 'a record of the reader'));
  await readSorted(api, list);
}

export const foreignLists = [
  conforms(
    'authentication-foreign-list',
    { needs: ['company', 'contact', 'secondary', 'foreignCompany', 'foreignContact'], writes: 0 },
    async ({ api, company, contact, secondary, foreignCompany, foreignContact, clock }) => {
      for (const [reader, list, name] of [
        [api, 'GET /companies', company.sent.name],
        [api, 'GET /contacts', contact.sent.last_name],
        [api.as(secondary), 'GET /companies', foreignCompany.sent.name],
        [api.as(secondary), 'GET /contacts', foreignContact.sent.last_name],
      ] as const)
        await readTo(reader, list, name, { clock });
    },
  ),

  conforms(
    'authentication-foreign-list',
    { needs: ['session', 'memberships', 'company', 'contact', 'foreignCompany', 'foreignContact'], writes: 0 },
    async ({ api: primary, session }) => {
      const api = primary.as(session);
      for (const operation of collections) {
        await unlessMismatch(traverse(api, { operation, limit: 150, mode: 'cursor', pagesMax: 10 }));
        await readSorted(api, operation);
      }
    },
  ),

  conforms(
    'authentication-foreign-cursor',
    { needs: ['secondary', 'foreignCompany', 'foreignContact'], writes: 0 },
    async ({ api, secondary, foreignCompany, ...tools }) => {
      const owner = api.as(secondary);
      for (const operation of collections) {
        const cursor = await cursorOf({ operation, api: owner }, foreignCompany, tools);
        for (const reader of [owner, api]) await reader.send(operation, { query: { limit: 1, cursor } });
      }
    },
  ),
];

const ids = ['authentication-foreign-read', 'authentication-foreign-write', 'authentication-foreign-status'] as const;
type IsolationContext = Pick<Context<(typeof ids)[number], never>, 'observe' | 'make' | 'atEnd'>;

interface TargetRecords {
  readonly owner: Api;
  readonly company: Company;
  readonly note: Note;
}

/** New records, because a broken target may change them, and other cases must not notice. */
async function targetOf(owner: Api, { make }: IsolationContext): Promise<TargetRecords> {
  const company = await make.company(owner);
  return { owner, company, note: await make.note(owner, company.id) };
}

function attemptsOn({ company, note }: TargetRecords, mark: string): readonly Write[] {
  const path = { company_id: company.id };
  const reads = readsById.map((operation): Write => [operation, { path }]);
  const namesCompany = ([operation]: Write) => operation === 'POST /contacts' || operation.includes('{company_id}');
  return [...reads, ...writesOn({ company, note }, mark).filter(namesCompany)];
}

/** Accounts may number companies separately: the outsider may own another company with this identifier. */
function ensureSameCompany(reply: Reply, { company, note }: TargetRecords): void {
  const isShown = [String(company.sent.name), note.text].some((text) => reply.text.includes(text));
  if (wasAccepted(reply) && !isShown)
    throw new NotTested(`the other account has a company of its own with the identifier ${company.id}`, reply);
}

async function tryAll(outsider: Api, target: TargetRecords, { make, observe, atEnd }: IsolationContext): Promise<void> {
  const { owner, company } = target;
  const path = { company_id: company.id };
  const look = async () => {
    await owner.send('GET /companies/{company_id}', { path });
    await owner.send('GET /companies/{company_id}/notes', { path });
    await owner.send('GET /contacts', { query: { limit: 150 } });
  };
  await look();
  const replies: Reply[] = [];
  for (const [operation, call] of attemptsOn(target, make.name('foreign'))) {
    const reply = await outsider.send(operation, call);
    if (operation === 'GET /companies/{company_id}') ensureSameCompany(reply, target);
    replies.push(reply);
  }
  const answers = replies.map(({ operation, status }) => `${operation}: ${status}`);
  observe('authentication-foreign-status', answers.join(', '), ...replies.slice(0, 5));
  await look();
  // Lists may lag.
  atEnd(look);
}

/** The first of `owners` whose account is not among the memberships. */
async function ownerOutside({ all }: Memberships, owners: readonly Api[]): Promise<Api> {
  const joined = all.map(({ slug }) => slug);
  for (const owner of owners) {
    const slugs = await slugsInMe(owner);
    if (slugs.length > 0 && !slugs.some((slug) => joined.includes(slug))) return owner;
  }
  throw new NotTested('no key is known to be of an account that the user of COVENANT_JWT is not a member of');
}

export const isolation = [
  conforms(
    ids,
    { needs: ['secondary', 'otherCompany', 'otherNote'], writes: [5, 5, 13], leaves: { companies: [0, 0, 1] } },
    async ({ secondary, otherCompany: company, otherNote: note, effort, ...context }) => {
      const { api } = context;
      await tryAll(api.as(secondary), { owner: api, company, note }, context);
      if (effort === 'thorough') await tryAll(api, await targetOf(api.as(secondary), context), context);
    },
  ),

  conforms(
    ids,
    { needs: ['session', 'memberships', 'secondary', 'otherCompany', 'otherNote'], writes: 5 },
    async ({ session, memberships, secondary, otherCompany: company, otherNote: note, ...context }) => {
      const { api } = context;
      const owner = await ownerOutside(memberships, [api, api.as(secondary)]);
      const target = owner === api ? { owner, company, note } : await targetOf(owner, context);
      await tryAll(api.as(session), target, context);
    },
  ),
];
