// The limit of a page: its bounds, what is outside of them, on each of the lists.
import {
  at,
  type Context,
  conforms,
  expectEqual,
  expectRefused,
  expectSuccess,
  expectThat,
  itemsOf,
  type Reply,
  wordOf,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { ask, type List, limited, nextCursorOf, notes, served } from './lists.ts';
import { pageDuties } from './pages.ts';

const perhaps = ['pagination-limit-default', 'pagination-limit-respected'] as const;
const ids = [
  ...perhaps,
  'pagination-limit-bounds',
  'pagination-limit-above',
  'pagination-limit-below',
  'pagination-limit-outside-answer',
] as const;

const limitOf = (reply: Reply): unknown => at(reply.json, 'pagination', 'limit');

function expectAccepted(reply: Reply, limit: number): void {
  expectSuccess(reply);
  if (Number.isInteger(limitOf(reply))) expectEqual(limitOf(reply), limit, 'pagination.limit', reply);
}

/** Refused, or served and reported within the bounds. */
export function expectWithin(reply: Reply): void {
  if (!wasAccepted(reply)) {
    expectRefused(reply);
    return;
  }
  const limit = limitOf(reply);
  const within = Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= 200;
  expectThat(within, 'a limit outside of 1 to 200 should be refused or replaced by one within', {
    expected: '400, 422 or a pagination.limit from 1 to 200',
    actual: limit ?? 'absent',
    replies: reply,
  });
  expectThat(itemsOf(reply).length <= 200, 'a page should hold at most 200 records', {
    expected: 'at most 200 records',
    actual: itemsOf(reply).length,
    replies: reply,
  });
}

const outsideAnswer = (reply: Reply): string =>
  wasAccepted(reply) ? `replaced by ${wordOf(limitOf(reply))}` : `refused with ${reply.status}`;

/** Whether a page may be asked for with another limit than the one before is open; if so, with that one or with the usual one. */
async function judgeOtherLimit(
  list: List,
  first: Reply,
  { check }: Context<(typeof ids)[number], never>,
): Promise<void> {
  const cursor = nextCursorOf(first);
  if (cursor === undefined) return;
  const usual = await ask(list, { cursor }, { undocumented: true });
  await check(
    'pagination-limit-default',
    () => {
      const limit = limitOf(usual);
      if (!wasAccepted(usual) || !Number.isInteger(limit)) return;
      expectThat(limit === 50 || limit === limitOf(first), 'a later page without limit should have a limit of 50', {
        expected: `50, or ${wordOf(limitOf(first))} as on the page before`,
        actual: limit,
        replies: [first, usual],
      });
    },
    list.operation,
  );
  const shorter = await ask(list, { cursor, limit: 1 }, { undocumented: true });
  await check(
    'pagination-limit-respected',
    () => {
      // A cursor may stand for the limit that it came with, if the page says so.
      if (!wasAccepted(shorter) || limitOf(shorter) === limitOf(first)) return;
      expectThat(itemsOf(shorter).length <= 1, 'a later page should hold at most 1 record', {
        expected: 'at most 1 record',
        actual: itemsOf(shorter).length,
        replies: [first, shorter],
      });
    },
    list.operation,
  );
}

async function judgeLimits(list: List, context: Context<(typeof ids)[number], never>): Promise<void> {
  const { check, observe, random, effort } = context;
  const { operation } = list;
  await served(list);
  const first = await served(list, { limit: 2 });
  if (effort !== 'quick') await judgeOtherLimit(list, first, context);
  for (const limit of [1, 200]) {
    const reply = await ask(list, { limit });
    await check('pagination-limit-bounds', () => expectAccepted(reply, limit), operation);
  }
  const outside = {
    'pagination-limit-above': effort === 'quick' ? [201] : [201, random.int(202, 5000)],
    'pagination-limit-below': effort === 'quick' ? [0] : [0, -1],
  } as const;
  for (const id of ['pagination-limit-above', 'pagination-limit-below'] as const) {
    for (const limit of outside[id]) {
      const reply = await ask(list, { limit }, { undocumented: true });
      await check(id, () => expectWithin(reply), operation);
      const named = limit > 201 ? 'far above 200' : limit;
      observe('pagination-limit-outside-answer', `${named}: ${outsideAnswer(reply)}`, reply);
    }
  }
  const word = await ask(list, { limit: 'many' }, { undocumented: true });
  observe('pagination-limit-outside-answer', `not a number: ${outsideAnswer(word)}`, word);
}

export const limits = [
  ...limited
    .filter((operation) => operation !== notes)
    .map((operation) =>
      conforms(
        ids,
        { needs: ['spare'], feeds: pageDuties, visits: operation, perhaps },
        async ({ spare, ...context }) => {
          const isOwn = operation === 'GET /api-keys' || context.random.int(1, 2) === 1;
          const api = isOwn ? context.api : context.api.as(spare);
          await judgeLimits({ operation, api }, context);
        },
      ),
    ),
  conforms(
    ids,
    { needs: ['spare', 'spareCompany'], writes: 0, feeds: pageDuties, visits: notes, perhaps },
    async ({ spare, spareCompany, ...context }) => {
      const path = { company_id: spareCompany.id };
      await judgeLimits({ operation: notes, api: context.api.as(spare), path }, context);
    },
  ),
];
