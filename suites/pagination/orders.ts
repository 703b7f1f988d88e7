// The orders that a target may have: each is tried, and shows the whole list as it is without one.
import { type Context, expectEqual, expectOnce, isByOffset, lagMsMax, Mismatch, type Reply } from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import type { collections } from '../shared/groups.ts';
import { readWhole } from './collections.ts';
import { type Known, knownBetween } from './judge.ts';
import { ask, identitiesOf, type List, paginationOf } from './lists.ts';
import { type Walk, walk } from './walk.ts';

type OrdersContext = Context<'pagination-sort-accepted' | 'pagination-sort-pages', never>;
type Sortable = (typeof collections)[number];

/** By time first: then records that come meanwhile move no other. */
const usual = ['created_at', '-created_at', 'name', '-name', 'id'] as const;
const further = {
  'GET /companies': ['updated_at', 'company_type', 'city'],
  'GET /contacts': ['updated_at', 'last_name', 'first_name', 'email'],
} as const;

interface Tried {
  readonly sort: string;
  readonly reply: Reply;
}

export interface Sorted {
  readonly list: List & { readonly operation: Sortable };
  /** The values that the target serves and does not ignore; where some lead to offsets, those. */
  readonly accepted: readonly string[];
  readonly tried: readonly Tried[];
}

/** As many as a page holds, so that one request shows them all. */
const limit = 200;

const isServed = ({ reply }: Tried): boolean => wasAccepted(reply);
const leadsToOffsets = (one: Tried): boolean => isServed(one) && isByOffset(one.reply);

/**
 * Whatever is asked for, what all of the pages show stands in the same order, and no page is one by offset: the values
 * mean nothing to the target.
 */
function areIgnored({ operation }: Sorted['list'], served: readonly Tried[]): boolean {
  const orders = served.map(({ reply }) => identitiesOf(operation, reply));
  const common = (order: readonly string[]) => order.filter((id) => orders.every((one) => one.includes(id)));
  return new Set(orders.map((order) => String(common(order)))).size === 1;
}

async function tryEach(list: Sorted['list'], sorts: readonly string[]): Promise<Sorted> {
  const tried: Tried[] = [];
  for (const sort of sorts) tried.push({ sort, reply: await ask(list, { sort, limit }, { undocumented: true }) });
  const byOffset = tried.filter(leadsToOffsets);
  const served = tried.filter(isServed);
  const meant = areIgnored(list, served) ? [] : served;
  const accepted = byOffset.length > 0 ? byOffset : meant;
  return { list, accepted: accepted.map(({ sort }) => sort), tried };
}

export const tryOrders = (list: Sorted['list']): Promise<Sorted> => tryEach(list, usual);

/** Tries whatever may be a value of sort, and judges each that is one, by the whole of its list. */
export async function judgeOrders({ list, tried: before }: Sorted, context: OrdersContext): Promise<Sorted> {
  const { operation } = list;
  const whole = await readWhole(list);
  const sorts = context.effort === 'quick' ? [] : further[operation].flatMap((name) => [name, `-${name}`]);
  const sorted = await tryEach(list, [...usual, ...sorts]);
  const all = [...before, ...sorted.tried];
  const served = [...new Set(all.filter(isServed).map(({ sort }) => sort))];
  const answer = served.join(', ') || `none of those tried: ${answerOf(all[0]?.reply as Reply)}`;
  context.observe('pagination-sort-accepted', `${operation}: ${answer}`, ...sorted.tried.map(({ reply }) => reply));
  if (whole?.ended && whole.delivered.length <= limit)
    await judgeWholes(list, sorted.tried.filter(leadsToOffsets), whole, context);
  return sorted;
}

/** Whether it shows what was there throughout, and counts it; what differs is read again when it has had its time. */
function looksRight({ reply }: Tried, { operation, ids, unchanged }: Known): boolean {
  const shown = identitiesOf(operation, reply);
  const { total, has_more } = paginationOf(reply);
  const isCounted = !unchanged || (total === ids.length && has_more === false && shown.length === ids.length);
  return isCounted && ids.every((id) => shown.includes(id));
}

function expectWhole(walked: Walk, sort: string, { ids, unchanged }: Known): void {
  const [first] = walked.replies;
  // Between two pages records may shift.
  if (!walked.ended || first === undefined || walked.replies.length > 1) return;
  expectOnce(walked.delivered, ids, `the list sorted by ${sort}`, walked.replies);
  if (unchanged) expectEqual(paginationOf(first).total, ids.length, `total of the list sorted by ${sort}`, first);
}

/** The records of the list without a sort, each once, in whatever order. */
async function judgeWholes(
  list: List,
  byOffset: readonly Tried[],
  before: Walk,
  { check, clock }: OrdersContext,
): Promise<void> {
  const after = await readWhole(list);
  if (!after?.ended) return;
  const known = knownBetween(list.operation, before, after);
  const doubtful = byOffset.filter((one) => !looksRight(one, known));
  if (doubtful.length === 0) return;
  await clock.sleep(Math.max(0, (before.replies[0]?.sentAt ?? 0) + lagMsMax + 1 - clock.now()));
  const walks: { readonly sort: string; readonly walked: Walk }[] = [];
  for (const { sort } of doubtful) {
    // Whether it is refused now is judged by its slices.
    const walked = await walk(list, { sort, limit, pagesMax: 1 }).catch(refusedOnly);
    if (walked !== undefined) walks.push({ sort, walked });
  }
  const last = await readWhole(list);
  if (!last?.ended) return;
  const lasting = knownBetween(list.operation, before, last);
  for (const { sort, walked } of walks)
    await check('pagination-sort-pages', () => expectWhole(walked, sort, lasting), list.operation);
}

function refusedOnly(error: unknown): undefined {
  if (!(error instanceof Mismatch)) throw error;
}
