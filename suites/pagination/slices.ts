// Sorted pages read differentially: one full reading is the oracle, and a page at any offset and limit is a slice of it.
import {
  at,
  type Context,
  expectEqual,
  expectOnce,
  expectSuccess,
  expectThat,
  itemsOf,
  lagMsMax,
  Mismatch,
  type Reply,
} from '../../lib/index.ts';
import { ask, identitiesOf, type List, paginationOf } from './lists.ts';
import { totalsOf, type Walk, walk } from './walk.ts';

type SlicesContext = Pick<Context<'pagination-sort-pages', never>, 'check' | 'clock' | 'random' | 'effort'>;

const pagesMax = 2;
const triesMax = 5;
const isPrefix = (one: readonly string[], other: readonly string[]) => one.every((id, index) => id === other[index]);

interface Slice {
  readonly limit?: number;
  readonly offset?: number;
  /** Records of them need not show which they are. */
  readonly fields?: string;
}

/** None, one, the rest exactly, one more and one less than that, and what is beyond the end; offsets anywhere. */
function slicesOf(count: number, { random, effort }: SlicesContext): readonly Slice[] {
  const inside = () => random.int(0, Math.max(0, count - 1));
  const offset = inside();
  const rest = Math.min(200, Math.max(1, count - offset));
  const fields = random.pick([{}, { fields: 'city,state' }]);
  const drawn = Array.from({ length: effort === 'thorough' ? 6 : 1 }, () => ({
    limit: random.int(1, 200),
    offset: inside(),
  }));
  const exact: readonly Slice[] = [
    { limit: rest, offset },
    { limit: Math.min(200, rest + 1), offset },
    { limit: Math.max(1, rest - 1), offset: rest > 1 ? offset : Math.max(0, count - 2), ...fields },
  ];
  const others: readonly Slice[] = [
    { offset: inside() },
    { limit: 1, offset: inside() },
    { limit: 200 },
    { limit: random.int(1, 200), offset: count + random.int(0, 9) },
    { offset: 100_000 },
    ...drawn,
  ];
  if (effort === 'thorough') return [...exact, ...others];
  return effort === 'quick'
    ? random.shuffled([...exact, ...others]).slice(0, 2)
    : [...exact, ...random.shuffled(others).slice(0, 3)];
}

/** Of a list that is longer than is read only its beginning is known. */
function expectSliceOfStart(
  reply: Reply,
  { limit = 50, offset = 0, fields }: Slice,
  list: List,
  start: readonly string[],
): void {
  expectSuccess(reply);
  if (offset + limit > start.length || fields !== undefined) return;
  const what = `a page of ${limit} at offset ${offset} of a long list`;
  const pagination = paginationOf(reply);
  expectEqual(identitiesOf(list.operation, reply), start.slice(offset, offset + limit), what, reply);
  expectEqual(pagination.has_more, true, `has_more of ${what}`, reply);
}

/** The exact slice; where it is beyond the end, how the offset is reported is open. */
function expectSlice(reply: Reply, slice: Slice, list: List, whole: readonly string[]): void {
  const { limit = 50, offset = 0, fields } = slice;
  expectSuccess(reply);
  const what = `a page of ${limit} at offset ${offset} of ${whole.length} records`;
  const pagination = paginationOf(reply);
  const wanted = whole.slice(offset, offset + limit);
  if (fields === undefined) expectEqual(identitiesOf(list.operation, reply), wanted, what, reply);
  else expectEqual(itemsOf(reply).length, wanted.length, `the records of ${what}`, reply);
  expectEqual(pagination.total, whole.length, `total of ${what}`, reply);
  expectEqual(pagination.has_more, offset + limit < whole.length, `has_more of ${what}`, reply);
}

function expectPaged(paged: Walk, whole: readonly string[]): void {
  if (paged.broken) throw paged.broken;
  expectThat(paged.ended, 'pages at offset plus limit should come to an end', {
    expected: 'has_more false',
    actual: `has_more true on page ${paged.replies.length}`,
    replies: paged.replies.slice(-2),
  });
  expectOnce(paged.delivered, whole, 'pages at offset plus limit', paged.replies);
}

interface Readings {
  readonly before: Walk;
  readonly paged: Walk;
  readonly slices: readonly Slice[];
  readonly replies: readonly Reply[];
  /** What its pages count. */
  readonly totals: ReadonlySet<unknown>;
  /** Nothing was added at the end meanwhile. */
  readonly unchanged: boolean;
}

async function judgeReadings(
  list: List,
  { before, paged, slices, replies, unchanged }: Readings,
  check: SlicesContext['check'],
): Promise<void> {
  const known = before.delivered;
  await check(
    'pagination-sort-pages',
    () => {
      if (before.ended) return expectPaged(paged, known);
      if (paged.broken) throw paged.broken;
      const start = known.slice(0, paged.delivered.length);
      expectEqual(paged.delivered.slice(0, start.length), start, 'pages at offset plus limit', paged.replies);
    },
    list.operation,
  );
  const expectPage = before.ended ? expectSlice : expectSliceOfStart;
  for (const [index, reply] of unchanged ? replies.entries() : [])
    await check('pagination-sort-pages', () => expectPage(reply, slices[index] ?? {}, list, known), list.operation);
}

interface Attempt extends Readings {
  readonly count: number;
  /** The two readings agree, but for what was added at the end. */
  readonly agree: boolean;
  /** A page is not what the readings say: one replica of the target may know what another does not yet. */
  readonly isDoubtful: boolean;
}

/** `former`: read again where the list is as long as it was, so that a wrong total of one slice shows again. */
async function readOnce(
  list: List,
  sort: string,
  former: Attempt | undefined,
  context: SlicesContext,
): Promise<Attempt> {
  const before = await walk(list, { sort, limit: 200, pagesMax });
  const count = before.delivered.length;
  const limit = Math.min(200, Math.max(1, Math.ceil(count / context.random.int(2, 4))));
  const paged = await walk(list, { sort, limit, pagesMax: before.ended ? 10 : pagesMax });
  const slices = former?.count === count ? former.slices : slicesOf(count, context);
  const replies: Reply[] = [];
  for (const slice of slices) replies.push(await ask(list, { sort, ...slice }));
  const after = await walk(list, { sort, limit: 200, pagesMax });
  const unchanged = after.delivered.length === count;
  const agree = after.ended === before.ended && isPrefix(before.delivered, after.delivered);
  const totals = new Set([...totalsOf(paged), ...replies.map((reply) => at(reply.json, 'pagination', 'total'))]);
  const readings = { before, paged, slices, replies, totals, unchanged, count, agree };
  return { ...readings, isDoubtful: before.ended && !isExact(list, readings) };
}

/** Whether each page is what the whole list says; single ones are compared where nothing was added. */
function isExact(list: List, { before: { delivered }, paged, slices, replies, unchanged }: Readings): boolean {
  try {
    expectPaged(paged, delivered);
    for (const [index, reply] of unchanged ? replies.entries() : [])
      expectSlice(reply, slices[index] ?? {}, list, delivered);
    return true;
  } catch (error) {
    if (error instanceof Mismatch) return false;
    throw error;
  }
}

/** Pages at offset plus limit, and single ones, between two readings that agree; false where the list is never at rest. */
export async function judgeSlices(list: List, sort: string, context: SlicesContext): Promise<boolean> {
  const { check, clock } = context;
  let former: Attempt | undefined;
  // A page may be ahead of a list or behind it, whoever wrote, but no longer than lists may lag.
  let doubted: { readonly shown: string; readonly since: number } | undefined;
  for (let attempt = 1; attempt <= triesMax; attempt += 1) {
    const startedAt = clock.now();
    const readings = await readOnce(list, sort, former, context);
    // Another page that counts more is another doubt: something has come since the last one.
    const shown = String([readings.before.delivered, [...readings.totals].sort()]);
    const isOld = doubted?.shown === shown && startedAt > doubted.since + lagMsMax;
    if (readings.agree && (!readings.isDoubtful || isOld)) {
      await judgeReadings(list, readings, check);
      return true;
    }
    if (!readings.isDoubtful) doubted = undefined;
    else if (doubted?.shown !== shown) doubted = { shown, since: clock.now() };
    former = readings;
    const calmIn = doubted === undefined ? 0 : doubted.since + lagMsMax + 1 - clock.now();
    await clock.sleep(Math.max(500 * attempt, calmIn));
  }
  return false;
}
