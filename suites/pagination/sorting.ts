// Case for sorted lists: any order a target has, by offset, and together with a cursor.
import { type Call, type Context, conforms, isByOffset, type Reply, wasAccepted } from '../../lib/index.ts';
import { answerOf } from '../shared/answer.ts';
import { cursorOf } from '../shared/cursor.ts';
import { collections } from '../shared/groups.ts';
import { ask, follow, type List, notes, readWhole, shownBy } from './lists.ts';

const ids = [
  'pagination-limit-above',
  'pagination-limit-below',
  'pagination-cursor-with-sort',
  'pagination-cursor-sort-notes',
  'pagination-sort-members',
  'pagination-sort-pages',
  'pagination-sort-accepted',
  'pagination-sort-direction',
] as const;
type Work = Context<(typeof ids)[number], never>;

export const sorting = conforms(
  ids,
  {
    needs: ['spare', 'spareCompany'],
    perhaps: ['pagination-limit-above', 'pagination-limit-below'],
    writes: 0,
    reads: [82, 123, 154],
    forgets: true,
  },
  async ({ spare, spareCompany, ...context }) => {
    const api = context.api.as(spare);
    const all: Sorted[] = [];
    for (const operation of collections) all.push(await tryOrders({ operation, api }, usual));
    for (const { list, accepted } of all) {
      const cursor = await cursorOf(list, spareCompany, context);
      await ask(list, { limit: 1, cursor });
      await ask(list, { limit: 1, cursor, sort: accepted[0] ?? '-created_at' });
    }
    const sortable = all.filter(({ accepted }) => accepted.length > 0);
    for (const one of sortable) await readSorted(one, context);
    const refused = all.flatMap(({ tried: [one] }) => one?.reply ?? []);
    for (const id of sortable.length === 0 ? (['pagination-sort-members', 'pagination-sort-pages'] as const) : [])
      context.notOffered(id, 'no value of sort was accepted', ...refused);
    for (const one of [...sortable, ...all].slice(0, 1)) observeDirection(one, context);
    // At the end all records of the run are there, and hardly any more come.
    context.atEnd(async () => void (await Promise.all(all.map((one) => tryAll(one, context)))));
    const list: List = { operation: notes, api, path: { company_id: spareCompany.id } };
    const cursor = await cursorOf(list, spareCompany, context);
    const both = await ask(list, { limit: 1, cursor, sort: '-created_at' }, { undocumented: true });
    context.observe('pagination-cursor-sort-notes', answerOf(both), both);
  },
);

/** By time first: then new records do not move others. */
const usual = ['created_at', '-created_at', 'name', '-name', 'id'] as const;
const further = {
  'GET /companies': ['updated_at', 'company_type', 'city'],
  'GET /contacts': ['updated_at', 'last_name', 'first_name', 'email'],
} as const;

interface Sorted {
  readonly list: List & { readonly operation: (typeof collections)[number] };
  /** The values that the target accepts and does not ignore; if some give offset mode, only those. */
  readonly accepted: readonly string[];
  readonly tried: readonly { readonly sort: string; readonly reply: Reply }[];
}

/** The maximum, so that one request shows all records. */
const limit = 200;

export async function tryOrders(list: Sorted['list'], sorts: readonly string[]): Promise<Sorted> {
  const tried: { sort: string; reply: Reply }[] = [];
  for (const sort of sorts) tried.push({ sort, reply: await ask(list, { sort, limit }, { undocumented: true }) });
  const served = tried.filter(({ reply }) => wasAccepted(reply));
  const byOffset = served.filter(({ reply }) => isByOffset(reply));
  // If the records common to all pages are always in the same order, the target ignores sort.
  const shown = served.map(({ reply }) => shownBy(list.operation, reply));
  const common = shown.map((order) => String(order.filter((id) => shown.every((one) => one.includes(id)))));
  const meant = new Set(common).size === 1 ? [] : served;
  return { list, accepted: (byOffset.length > 0 ? byOffset : meant).map(({ sort }) => sort), tried };
}

async function readSorted(sorted: Sorted, context: Work): Promise<void> {
  const { list, accepted } = sorted;
  const [sort = ''] = accepted;
  await ask(list, { sort });
  await ask(list, { sort, offset: 0, fields: 'city,state' });
  await ask(list, { sort, limit: 2, offset: 1 });
  await ask(list, { sort, limit: 1, offset: -1 }, { undocumented: true });
  // The first value and, if also accepted, its reverse. A quick run waits for the end, when nobody writes.
  for (const one of context.effort === 'quick' ? [] : accepted.filter((other) => memberOf(other) === memberOf(sort)))
    await readSlices(list, one, context);
}

const memberOf = (sort: string): string => sort.replace(/^-/, '');

const slicesMax = { quick: 2, standard: 6, thorough: 11 } as const;

/** Slices that end at, after and before the last record; one record, all, beyond the end, and random ones. */
function slicesOf(count: number, { random, effort }: Work): readonly NonNullable<Call['query']>[] {
  const inside = () => random.int(0, Math.max(0, count - 1));
  const offset = inside();
  const rest = Math.min(199, Math.max(1, count - offset));
  const offsets = [count + random.int(0, 9), inside(), inside(), inside()];
  const all = [
    ...[rest, rest + 1].map((some) => ({ limit: some, offset })),
    // Its records need not show their identifier.
    { limit: Math.max(1, rest - 1), offset, ...random.pick([{}, { fields: 'city,state' }]) },
    ...[{ offset: inside() }, { limit: 1, offset: inside() }, { limit }, { offset: 100_000 }],
    ...offsets.map((from) => ({ limit: random.int(1, limit), offset: from })),
  ];
  return random.shuffled(all).slice(0, slicesMax[effort]);
}

/** Reads pages at offset plus limit, and single ones, between two whole reads. */
async function readSlices(list: List, sort: string, context: Work): Promise<void> {
  const query = { sort };
  const whole = await follow(list, { query, limit, pagesMax: 2 });
  const count = whole?.items.length ?? 0;
  const step = Math.min(limit, Math.max(1, Math.ceil(count / context.random.int(2, 4))));
  await follow(list, { query, limit: step, pagesMax: whole?.complete ? 10 : 2 });
  for (const slice of slicesOf(count, context)) await ask(list, { sort, ...slice });
  await follow(list, { query, limit, pagesMax: 2 });
}

function observeDirection({ list, accepted, tried }: Sorted, { observe }: Work): void {
  const up = accepted.find((sort) => !sort.startsWith('-') && accepted.includes(`-${sort}`));
  const replies = tried.filter(({ sort }) => [up, `-${up}`].includes(sort)).map(({ reply }) => reply);
  const [rising = [], falling = []] = replies.map((reply) => shownBy(list.operation, reply));
  const common = rising.filter((id) => falling.includes(id));
  const turned = falling.filter((id) => common.includes(id)).reverse();
  const same = String(common) === String(turned) ? 'yes' : 'no';
  observe('pagination-sort-direction', up ? same : 'no sort is accepted with and without the minus', ...replies);
}

/** Tries all values of sort between two whole reads; then limits out of range and slices with one of them. */
async function tryAll({ list, tried: before }: Sorted, context: Work): Promise<void> {
  const { effort, random, observe } = context;
  const { operation } = list;
  await readWhole(list);
  const more = effort === 'quick' ? [] : further[operation].flatMap((name) => [name, `-${name}`]);
  const { accepted, tried } = await tryOrders(list, [...usual, ...more]);
  await readWhole(list);
  const served = [...before, ...tried].filter(({ reply }) => wasAccepted(reply)).map(({ sort }) => sort);
  const [first] = tried.map(({ reply }) => reply);
  const answer = [...new Set(served)].join(', ') || `none of those tried: ${first ? answerOf(first) : 'nothing'}`;
  observe('pagination-sort-accepted', `${operation}: ${answer}`, ...tried.map(({ reply }) => reply));
  const [sort] = random.shuffled(accepted);
  if (sort === undefined) return;
  for (const outside of [random.pick([201, random.int(202, 5000)]), random.pick([0, -1])]) {
    const beside = random.pick<Call['query']>([{}, { offset: random.int(0, 2) }, { fields: 'city,state' }]);
    await ask(list, { sort, limit: outside, ...beside }, { undocumented: true });
  }
  await readSlices(list, sort, context);
}
