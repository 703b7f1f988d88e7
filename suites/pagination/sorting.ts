// Sorted lists: refused together with a cursor, and paged by offset.
import {
  type Call,
  type Context,
  conforms,
  expectEqual,
  expectStatus,
  expectThat,
  NotTested,
  type Reply,
} from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { expectInteger } from '../shared/fields.ts';
import { expectWithin } from './limits.ts';
import { ask, cursorOf, identitiesOf, type List, paginationOf, served } from './lists.ts';
import { judgeOrders, type Sorted, tryOrders } from './orders.ts';
import { judgeSlices } from './slices.ts';

const perhaps = ['pagination-limit-above', 'pagination-limit-below'] as const;
const ids = [
  ...perhaps,
  'pagination-cursor-with-sort',
  'pagination-cursor-sort-notes',
  'pagination-sort-members',
  'pagination-sort-pages',
  'pagination-sort-accepted',
  'pagination-sort-direction',
] as const;
type SortContext = Context<(typeof ids)[number], never>;

async function judgeTogether(
  { list, accepted }: Sorted,
  another: () => Promise<unknown>,
  { check, clock, random }: SortContext,
): Promise<void> {
  const cursor = await cursorOf(list, another, clock);
  await served(list, { limit: 1, cursor });
  const [sort = '-created_at'] = random.shuffled(accepted);
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

/** The bounds of a limit are the same in any order, wherever the page begins and whatever it shows. */
async function judgeOutside({ list, accepted }: Sorted, { check, random }: SortContext): Promise<void> {
  const outside = {
    'pagination-limit-above': [201, random.int(202, 5000)],
    'pagination-limit-below': [0, -1],
  } as const;
  for (const id of perhaps) {
    const beside = random.pick<Call['query']>([{}, { offset: random.int(0, 2) }, { fields: 'city,state' }]);
    const [sort] = random.shuffled(accepted);
    const query = { sort, limit: random.pick<number>(outside[id]), ...beside };
    const reply = await ask(list, query, { undocumented: true });
    await check(id, () => expectWithin(reply), list.operation);
  }
}

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

function observeDirection({ list, accepted, tried }: Sorted, { observe }: SortContext): void {
  const up = accepted.find((sort) => !sort.startsWith('-') && accepted.includes(`-${sort}`));
  const replies = tried.filter(({ sort }) => [up, `-${up}`].includes(sort)).map(({ reply }) => reply);
  const [rising = [], falling = []] = replies.map((reply) => identitiesOf(list.operation, reply));
  const common = rising.filter((id) => falling.includes(id));
  const turned = falling.filter((id) => common.includes(id)).reverse();
  const same = String(common) === String(turned) ? 'yes' : 'no';
  const answer = up === undefined ? 'no sort is accepted with and without the minus' : same;
  observe('pagination-sort-direction', answer, ...replies);
}

/** When all the records of the run are there, and hardly any more come: in whatever order the target has. */
async function judgeLast(sorted: readonly Sorted[], context: SortContext): Promise<void> {
  const last = await Promise.all(sorted.map((one) => judgeOrders(one, context)));
  for (const one of last.filter(({ accepted }) => accepted.length > 0)) {
    await judgeOutside(one, context);
    const [sort = ''] = context.random.shuffled(one.accepted);
    await judgeSlices(one.list, sort, context);
  }
}

const none = 'no value of sort was accepted';

export const sorting = conforms(
  ids,
  { needs: ['spare', 'spareCompany'], perhaps, writes: 0, reads: [87, 123, 172] },
  async (given) => {
    const { spare, spareCompany, ...context } = given;
    const api = context.api.as(spare);
    const { make, check, notOffered, observe, atEnd } = context;
    const company = await tryOrders({ operation: 'GET /companies', api });
    const contact = await tryOrders({ operation: 'GET /contacts', api });
    await judgeTogether(company, () => make.company(api), context);
    await judgeTogether(contact, () => make.contact(api, spareCompany.id), context);

    const sortable = [company, contact].filter(({ accepted }) => accepted.length > 0);
    let paged = false;
    for (const one of sortable) {
      await judgeMembers(one, context);
      await judgeNegative(one, context);
      for (const sort of bothWays(one)) paged = (await judgeSlices(one.list, sort, context)) || paged;
    }
    const refused = [company, contact].flatMap(({ tried: [one] }) => one?.reply ?? []);
    if (sortable.length === 0) {
      notOffered('pagination-sort-members', none, ...refused);
      notOffered('pagination-sort-pages', none, ...refused);
    } else if (!paged) {
      await check('pagination-sort-pages', () => {
        throw new NotTested('the sorted lists changed during each reading');
      });
    }
    observeDirection(sortable[0] ?? company, context);
    atEnd(() => judgeLast([company, contact], context));

    const notes: List = { operation: 'GET /companies/{company_id}/notes', api, path: { company_id: spareCompany.id } };
    const cursor = await cursorOf(notes, () => make.note(api, spareCompany.id), context.clock);
    const both = await ask(notes, { limit: 1, cursor, sort: '-created_at' }, { undocumented: true });
    observe('pagination-cursor-sort-notes', answerOf(both), both);
  },
);
