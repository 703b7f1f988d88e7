// Whole traversals: companies and contacts as far as they can be judged, the notes of an own company, and the team.
import {
  type Api,
  type Company,
  type Context,
  conforms,
  idempotencyKeyOf,
  type MadeKey,
  type Reply,
} from '../../lib/index.ts';
import { fullRecord } from '../shared/company-record.ts';
import { isRevoked, revokeKey } from '../shared/keys.ts';
import { type Changes, judgeCollection, judgeCollectionStability } from './collections.ts';
import { stableIds, traversalIds } from './judge.ts';
import { type List, notes } from './lists.ts';
import { fillNotes, judgeStability } from './notes.ts';
import { observedIds, observeLists, observeOrder } from './observed.ts';
import { pageDuties } from './pages.ts';
import { judgeTeam } from './team.ts';

type Making = Pick<Context<never, never>, 'make' | 'random'>;

/** A company more while companies are read; then one of our own is edited under its name. */
const companyChanges = (api: Api, own: Company[], { make, random }: Making): Changes => ({
  own: () => own,
  insert: async () => {
    const company = await make.company(api);
    own.push(company);
    return company.reply;
  },
  edit: ({ id, sent }) => {
    const body = { ...fullRecord(String(sent.name), random.pick(['first', 'second'])), ...sent };
    return api.send('PATCH /companies/{company_id}', { path: { company_id: id }, body });
  },
});

/** The first contact of its company, and primary with nothing beside that. */
const contactChanges = (api: Api, company: Company, inserted: Reply[], { make, random }: Making): Changes => ({
  insert: async () => {
    const last_name = make.name('contact between pages');
    const body = { contact_type: 'lender_contact', company_id: company.id, last_name, is_primary: true };
    const reply = await api.send('POST /contacts', { body, key: random.uuid(), exactly: true });
    inserted.push(reply);
    return reply;
  },
});

/**
 * An account holds a limited number of keys. What was written under an Idempotency-Key is sent again as it was by the dead
 * key: the rules judge that it is refused.
 */
async function revoke(live: Api, { id, credential }: MadeKey, written: readonly Reply[]): Promise<void> {
  if (!isRevoked(await revokeKey(live, id))) return;
  const dead = live.as({ ...credential, accounts: [] });
  for (const reply of written) {
    const key = idempotencyKeyOf(reply);
    if (key !== undefined) await dead.send('POST /contacts', { text: reply.request.body ?? '', key, exactly: true });
  }
}

export const traversal = conforms(
  [
    ...traversalIds,
    ...stableIds,
    'pagination-list-empty',
    'pagination-list-lag',
    'pagination-team-mode',
    ...observedIds,
  ],
  {
    needs: ['spare', 'spareCompany'],
    writes: [13, 24, 36],
    reads: [44, 111, 133],
    leaves: { companies: 1, contacts: 1 },
    feeds: pageDuties,
    visits: notes,
  },
  async ({ spare, spareCompany, ...context }) => {
    const api = context.api.as(spare);
    const made = context.effort === 'quick' ? undefined : await context.make.furtherKey(api);
    const peer = made ? api.as(made.credential) : api;
    const companies: List = { operation: 'GET /companies', api };
    const contacts: List = { operation: 'GET /contacts', api: peer };
    // The reader itself, or somebody beside.
    const writer = context.random.pick([peer, api]);
    const inserted: Reply[] = [];
    // What comes while companies are read is the company of the notes.
    const own = [spareCompany];
    if (context.effort !== 'quick') {
      await judgeCollectionStability(companies, context, companyChanges(api, own, context));
      await judgeCollectionStability(
        contacts,
        context,
        contactChanges(writer, own.at(-1) ?? spareCompany, inserted, context),
      );
    }
    const company = own[1] ?? (await context.make.company(api));
    const noteList = await fillNotes(api, peer, company, context);
    await observeLists(noteList, context);
    observeOrder(noteList, await judgeStability(noteList, context), context);

    // Side by side, by one reader: neither may take the place of the other.
    await Promise.all([companies, contacts].map((one) => judgeCollection(one, context, peer)));
    await judgeTeam(context.api, context);
    if (made) await revoke(api, made, inserted);
  },
);
