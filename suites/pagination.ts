// Limits / Pagination: pages, limits, whole traversals, sorting and the choice of fields, on every list.
import { type Context, conforms, expectSuccess, type Reply, suite, wasAccepted, wordOf } from '../lib/index.ts';
import { fields } from './pagination/fields.ts';
import { ask, type List, limited, notes, paginationOf } from './pagination/lists.ts';
import { pageDuties, pages } from './pagination/pages.ts';
import { readers } from './pagination/readers.ts';
import { paginationRules } from './pagination/rules.ts';
import { sorting } from './pagination/sorting.ts';
import { traversal } from './pagination/traversal.ts';
import { nextCursorOf } from './shared/cursor.ts';

const perhaps = ['pagination-limit-default', 'pagination-limit-respected'] as const;
const ids = [
  ...perhaps,
  'pagination-limit-reported',
  'pagination-limit-bounds',
  'pagination-limit-above',
  'pagination-limit-below',
  'pagination-limit-outside-answer',
] as const;

/** Cases for the limit on each list: at its bounds, outside of them, and changed on a later page. */
const limits = limited.map((operation) => {
  const isOfNotes = operation === notes;
  const needs = isOfNotes ? (['spare', 'spareCompany'] as const) : (['spare'] as const);
  const writes = isOfNotes ? { writes: 0 } : {};
  return conforms<(typeof ids)[number], 'spare' | 'spareCompany'>(
    ids,
    { needs, ...writes, feeds: pageDuties, visits: operation, perhaps },
    ({ spare, spareCompany, ...context }) => {
      const path = isOfNotes ? { path: { company_id: spareCompany.id } } : {};
      const isOwn = operation === 'GET /api-keys' || (!isOfNotes && context.random.int(1, 2) === 1);
      return askWithLimits({ operation, api: isOwn ? context.api : context.api.as(spare), ...path }, context);
    },
  );
});

const outsideAnswer = (reply: Reply): string =>
  wasAccepted(reply) ? `replaced by ${wordOf(paginationOf(reply).limit)}` : `refused with ${reply.status}`;

async function askWithLimits(list: List, context: Context<(typeof ids)[number], never>): Promise<void> {
  const { observe, random, effort } = context;
  expectSuccess(await ask(list));
  const first = await ask(list, { limit: 2 });
  const cursor = effort === 'quick' ? undefined : nextCursorOf(first);
  if (cursor !== undefined) {
    await ask(list, { cursor }, { undocumented: true });
    await ask(list, { cursor, limit: 1 }, { undocumented: true });
  }
  for (const limit of [1, 200]) await ask(list, { limit });
  for (const limit of effort === 'quick' ? [201, 0, 'many'] : [201, random.int(202, 5000), 0, -1, 'many']) {
    const reply = await ask(list, { limit }, { undocumented: true });
    const named = limit === 'many' ? 'not a number' : Number(limit) > 201 ? 'far above 200' : limit;
    observe('pagination-limit-outside-answer', `${named}: ${outsideAnswer(reply)}`, reply);
  }
}

export default suite('pagination', [...pages, ...limits, traversal, readers, sorting, fields], paginationRules);
