// Limits / Pagination: pages, limits, whole traversals, sorting and the choice of fields, on every list.
import { type Context, conforms, expectSuccess, type Reply, suite, wasAccepted, wordOf } from '../lib/index.ts';
import { fields } from './pagination/fields.ts';
import { ask, type List, limited, nextCursorOf, notes, paginationOf } from './pagination/lists.ts';
import { pageDuties, pages } from './pagination/pages.ts';
import { paginationRules } from './pagination/rules.ts';
import { sorting } from './pagination/sorting.ts';
import { traversal } from './pagination/traversal.ts';

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
const limits = [
  ...limited
    .filter((operation) => operation !== notes)
    .map((operation) =>
      conforms(ids, { needs: ['spare'], feeds: pageDuties, visits: operation, perhaps }, ({ spare, ...context }) => {
        const isOwn = operation === 'GET /api-keys' || context.random.int(1, 2) === 1;
        return askWithLimits({ operation, api: isOwn ? context.api : context.api.as(spare) }, context);
      }),
    ),
  conforms(
    ids,
    { needs: ['spare', 'spareCompany'], writes: 0, feeds: pageDuties, visits: notes, perhaps },
    ({ spare, spareCompany, ...context }) => {
      const path = { company_id: spareCompany.id };
      return askWithLimits({ operation: notes, api: context.api.as(spare), path }, context);
    },
  ),
];

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

export default suite('pagination', [...pages, ...limits, ...traversal, ...sorting, fields], paginationRules);
