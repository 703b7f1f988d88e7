// Whole traversals: the notes of an own company, then companies, contacts and the team as far as they can be judged.
import { conforms } from '../../lib/index.ts';
import { companyChanges, judgeCollection, judgeCollectionStability } from './collections.ts';
import { stableIds, traversalIds } from './judge.ts';
import { type List, notes } from './lists.ts';
import { fillNotes, judgeStability } from './notes.ts';
import { observedIds, observeLists, observeOrder } from './observed.ts';
import { pageDuties } from './pages.ts';
import { judgeTeam } from './team.ts';

export const traversal = conforms(
  [
    ...traversalIds,
    ...stableIds,
    'pagination-list-empty',
    'pagination-list-lag',
    'pagination-team-mode',
    ...observedIds,
  ],
  { needs: ['spare', 'spareCompany'], writes: true, feeds: pageDuties, visits: notes },
  async ({ spare, spareCompany, ...context }) => {
    const api = context.api.as(spare);
    const noteList = await fillNotes(api, context);
    await observeLists(noteList, context);
    observeOrder(noteList, await judgeStability(noteList, context), context);

    const companies: List = { operation: 'GET /companies', api };
    const contacts: List = { operation: 'GET /contacts', api };
    if (context.effort !== 'quick') {
      const { make, random } = context;
      const body = () => ({
        contact_type: 'lender_contact',
        company_id: spareCompany.id,
        last_name: make.name('contact between pages'),
      });
      await judgeCollectionStability(
        companies,
        context,
        companyChanges(api, [noteList.company, spareCompany], context),
      );
      const insert = () => api.send('POST /contacts', { body: body(), key: random.uuid() });
      await judgeCollectionStability(contacts, context, { insert });
    }
    await judgeCollection(companies, context);
    await judgeCollection(contacts, context);
    await judgeTeam(context.api, context);
  },
);
