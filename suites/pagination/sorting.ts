// Sorted lists: refused together with a cursor, and paged by offset.
import {
  type Context,
  conforms,
  expectEqual,
  expectStatus,
  expectThat,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { isByOffset } from '../shared/by-offset.ts';
import { expectInteger } from '../shared/fields.ts';
import { ask, cursorOf, identitiesOf, type List, paginationOf, served } from './lists.ts';
import { judgeSlices } from './slices.ts';

const ids = [
  'pagination-cursor-with-sort',
  'pagination-cursor-sort-notes',
  'pagination-sort-members',
  'pagination-sort-pages',
  'pagination-sort-accepted',
  'pagination-sort-direction',
] as const;
type SortContext = Context<(typeof ids)[number], never>;

/** By time first: then records that come meanwhile move no other. */
const candidates = ['created_at', '-created_at', 'name', '-name', 'id'] as const;

interface Sorted {
  readonly list: List;
  /** The values that the target serves, those that lead to offsets first. */
  readonly accepted: readonly string[];
  readonly replies: readonly Reply[];
}

async function trySorts(list: List, { observe }: SortContext): Promise<Sorted> {
  const replies: Reply[] = [];
  for (const sort of candidates) replies.push(await ask(list, { sort, limit: 2 }, { undocumented: true }));
  const tried = candidates.map((sort, index) => ({ sort, reply: replies[index] as Reply }));
  const served = tried.filter(({ reply }) => wasAccepted(reply));
  const byOffset = served.filter(({ reply }) => isByOffset(reply));
  const answer = served.map(({ sort }) => sort).join(', ') || `none of those tried: ${answerOf(replies[0] as Reply)}`;
  observe('pagination-sort-accepted', `${list.operation}: ${answer}`, ...replies);
  return { list, accepted: [...new Set([...byOffset, ...served])].map(({ sort }) => sort), replies };
}

async function judgeTogether(
  { list, accepted }: Sorted,
  another: () => Promise<unknown>,
  { check, clock }: SortContext,
): Promise<void> {
  const cursor = await cursorOf(list, another, clock);
  await served(list, { limit: 1, cursor });
  const [sort = '-created_at'] = accepted;
  const both = await ask(list, { limit: 1, cursor, sort });
  await check(
    'pagination-cursor-with-sort',
    () => {
      if (accepted.length > 0) return expectStatus(both, 400);
      expectThat(both.status >= 400 && both.status < 500, 'cursor and sort together should be refused', {
        expected: '400, or another 4xx where sort is not supported',
        actual: answerOf(both),
        replies: both,
      });
    },
    list.operation,
  );
}

async function judgeMembers({ list, accepted: [sort] }: Sorted, { check }: SortContext): Promise<void> {
  const first = await served(list, { sort });
  await served(list, { sort, offset: 0, fields: 'city,state' });
  const second = await served(list, { sort, limit: 2, offset: 1 });
  const expectMembers = (reply: Reply, limit: number, offset: number) => {
    const pagination = paginationOf(reply);
    expectInteger(pagination.total, 'pagination.total', reply);
    expectEqual(pagination.limit, limit, 'pagination.limit of a sorted list', reply);
    // One beyond the end may be taken for the end.
    if (offset === 0 || offset < Number(pagination.total))
      expectEqual(pagination.offset, offset, 'pagination.offset of a sorted list', reply);
    expectEqual(typeof pagination.has_more, 'boolean', 'the type of pagination.has_more of a sorted list', reply);
  };
  await check('pagination-sort-members', () => expectMembers(first, 50, 0), list.operation);
  await check('pagination-sort-members', () => expectMembers(second, 2, 1), list.operation);
}

/** A value that leads to an order and, where the target has it, the one with the minus before it. */
const bothWays = ({ accepted }: Sorted): readonly string[] => {
  const [first = ''] = accepted;
  const turned = first.startsWith('-') ? first.slice(1) : `-${first}`;
  return accepted.includes(turned) ? [first, turned] : [first];
};

async function judgeNegative({ list, accepted: [sort] }: Sorted, { check }: SortContext): Promise<void> {
  const reply = await ask(list, { sort, limit: 1, offset: -1 }, { undocumented: true });
  await check(
    'pagination-sort-members',
    () => {
      const { offset } = paginationOf(reply);
      expectThat(!wasAccepted(reply) || Number(offset ?? 0) >= 0, 'a negative offset should never be in effect', {
        expected: 'refused, or an offset of 0 or more',
        actual: offset,
        replies: reply,
      });
    },
    list.operation,
  );
}

async function observeDirection({ list, accepted }: Sorted, { observe }: SortContext): Promise<void> {
  const up = accepted.find((sort) => !sort.startsWith('-') && accepted.includes(`-${sort}`));
  if (up === undefined) return observe('pagination-sort-direction', 'no sort is accepted with and without the minus');
  const replies = [await ask(list, { sort: up, limit: 200 }), await ask(list, { sort: `-${up}`, limit: 200 })] as const;
  const [rising, falling] = replies.map((reply) => identitiesOf(list.operation, reply)) as [string[], string[]];
  const common = rising.filter((id) => falling.includes(id));
  const turned = falling.filter((id) => common.includes(id)).reverse();
  observe('pagination-sort-direction', String(common) === String(turned) ? 'yes' : 'no', ...replies);
}

const none = 'no value of sort was accepted';

export const sorting = conforms(ids, { needs: ['spare', 'spareCompany'], writes: true }, async (given) => {
  const { spare, spareCompany, ...context } = given;
  const api = context.api.as(spare);
  const { make, check, notOffered, observe } = context;
  const company = await trySorts({ operation: 'GET /companies', api }, context);
  const contact = await trySorts({ operation: 'GET /contacts', api }, context);
  await judgeTogether(company, () => make.company(api), context);
  await judgeTogether(contact, () => make.contact(api, spareCompany.id), context);

  const sortable = [company, contact].filter(({ accepted }) => accepted.length > 0);
  let paged = false;
  for (const one of sortable) {
    await judgeMembers(one, context);
    await judgeNegative(one, context);
    for (const sort of bothWays(one)) paged = (await judgeSlices(one.list, sort, context)) || paged;
  }
  const refused = [company, contact].flatMap(({ replies }) => replies.slice(0, 1));
  if (sortable.length === 0) {
    notOffered('pagination-sort-members', none, ...refused);
    notOffered('pagination-sort-pages', none, ...refused);
  } else if (!paged) {
    await check('pagination-sort-pages', () => {
      throw new NotTested('the sorted lists changed during each reading');
    });
  }
  await observeDirection(sortable[0] ?? company, context);

  const notes: List = { operation: 'GET /companies/{company_id}/notes', api, path: { company_id: spareCompany.id } };
  const cursor = await cursorOf(notes, () => make.note(api, spareCompany.id), context.clock);
  const both = await ask(notes, { limit: 1, cursor, sort: '-created_at' }, { undocumented: true });
  observe('pagination-cursor-sort-notes', answerOf(both), both);
});
