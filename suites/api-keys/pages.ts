// The list of keys: offset, limit, total and has_more, judged while nothing changes.
import {
  type Api,
  at,
  type Context,
  conforms,
  dataOf,
  expectEqual,
  expectOnce,
  expectSuccess,
  expectThat,
  itemsOf,
  lagMsMax,
  NotTested,
  type Page,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { expectInteger } from '../shared/fields.ts';
import { idOf, type Keys, readKeyPage, readKeys, sameKeys, stepOf } from './listing.ts';

/** An offset beyond the end may be reported as it is in effect. */
function expectPagination(reply: Reply, offset: number): void {
  const pagination = at(reply.json, 'pagination');
  for (const name of ['total', 'limit']) expectInteger(at(pagination, name), `pagination.${name}`, reply);
  expectEqual(typeof at(pagination, 'has_more'), 'boolean', 'the type of pagination.has_more', reply);
  if (offset <= Number(at(pagination, 'total')))
    expectEqual(at(pagination, 'offset'), offset, 'pagination.offset', reply);
}

function expectOffsetInRange(reply: Reply): void {
  const offset = at(reply.json, 'pagination', 'offset');
  expectThat(!(typeof offset === 'number' && offset < 0), 'pagination.offset should not be negative', {
    expected: '0 or more',
    actual: offset,
    replies: reply,
  });
}

const queries = [{}, { limit: 2, offset: 1 }, { limit: 1, offset: 0 }, { offset: 2 }, { limit: 200, offset: 1 }];
const limitDefault = 50;
const farBeyond = 100_000;

interface Placed {
  readonly page: Page;
  readonly offset: number;
  readonly limit: number;
}

/** Pages one after the other by offset plus limit, until they should have shown every key. */
async function readPlaced(api: Api, limit: number, count: number): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (let offset = 0; offset < count; ) {
    const page = await readKeyPage(api, limit, offset);
    placed.push({ page, offset, limit: stepOf(page, limit) });
    offset += stepOf(page, limit);
  }
  return placed;
}

interface Steady {
  readonly keys: Keys;
  readonly ways: readonly (readonly Placed[])[];
  /** Single pages, as a client may ask for them: without limit, without anything. */
  readonly samples: readonly Placed[];
}

async function readSamples(
  api: Api,
  count: number,
  random: Context<never, never>['random'],
): Promise<readonly Placed[]> {
  const samples: Placed[] = [];
  const limit = random.int(2, count);
  const queries: readonly { readonly limit?: number; readonly offset?: number }[] = [
    ...[{}, { offset: random.int(1, count - 1) }, { limit: random.int(1, count) }],
    // No multiple of the limit.
    { limit, offset: random.int(1, limit - 1) },
  ];
  for (const query of queries) {
    const reply = await api.send('GET /api-keys', { query });
    // What is refused here is judged where it is tried on purpose.
    if (!wasAccepted(reply)) return [];
    const page = { reply, items: itemsOf(reply), pagination: at(reply.json, 'pagination') };
    samples.push({ page, offset: query.offset ?? 0, limit: stepOf(page, query.limit ?? limitDefault) });
  }
  return samples;
}

/** None where the keys have changed by now. */
async function steadySamples(
  keys: Keys,
  { api, random }: Pick<Context<never, never>, 'api' | 'random'>,
): Promise<readonly Placed[]> {
  const samples = await readSamples(api, keys.ids.length, random);
  return sameKeys(keys, await readKeys(api)) ? samples : [];
}

/** Limits that end a page just before, at and just behind the last key, and one that makes several pages. */
function limitsFor(count: number, { random, effort }: Pick<Context<never, never>, 'random' | 'effort'>): number[] {
  const several = random.int(Math.ceil(count / 6), Math.ceil(count / 3));
  const limits = effort === 'quick' ? [several, count] : [several, count, count - 1, count + 1];
  if (effort === 'thorough') limits.push(Math.ceil(count / 10), Math.ceil(count / 2));
  return [...new Set(limits)].filter((limit) => limit >= 1 && limit <= 200);
}

const attemptsMax = 4;
const pauseMs = 3000;

/** The pages between two full readings that agree. */
async function steadily(tools: Pick<Context<never, never>, 'api' | 'clock' | 'random' | 'effort'>): Promise<Steady> {
  const { api, clock } = tools;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const keys = await readKeys(api);
    if (keys.ids.length < 2) throw new NotTested('the list shows fewer than two keys');
    const ways: Placed[][] = [];
    for (const limit of limitsFor(keys.ids.length, tools)) ways.push(await readPlaced(api, limit, keys.ids.length));
    if (sameKeys(keys, await readKeys(api))) return { keys, ways, samples: await steadySamples(keys, tools) };
    await clock.sleep(pauseMs);
  }
  throw new NotTested('the keys kept changing while they were read');
}

function expectEveryKeyOnce({ keys, ways }: Steady): void {
  for (const way of ways) {
    const delivered = way.flatMap(({ page }) => page.items.map(idOf));
    const replies = way.map(({ page }) => page.reply);
    expectOnce(delivered, keys.ids, `pages of ${way[0]?.limit} keys`, replies);
    expectEqual(delivered.length, keys.ids.length, 'the number of keys on all pages', replies);
  }
}

/** A single page holds the keys that stand there in every full reading; where the order is not always the same, as many. */
function expectSlices({ keys, ways, samples }: Steady): void {
  const order = keys.ids.map(String);
  const isOrdered = ways.every(
    (way) => way.flatMap(({ page }) => page.items.map((item) => String(idOf(item)))).join() === order.join(),
  );
  for (const { page, offset, limit } of samples) {
    const expected = order.slice(offset, offset + limit);
    const actual = page.items.map((item) => String(idOf(item)));
    const what = `a page of ${limit} keys at offset ${offset}`;
    if (isOrdered) expectEqual(actual, expected, what, [...keys.replies, page.reply]);
    else expectEqual(actual.length, expected.length, `the number of keys on ${what}`, [...keys.replies, page.reply]);
  }
}

function expectTotals({ keys, ways, samples }: Steady): void {
  const count = keys.ids.length;
  for (const reply of [...keys.replies, ...[...ways.flat(), ...samples].map(({ page }) => page.reply)])
    expectEqual(at(reply.json, 'pagination', 'total'), count, 'total', [...keys.replies, reply]);
}

function expectHasMore({ keys, ways, samples }: Steady): void {
  const count = keys.ids.length;
  for (const { page, offset, limit } of [...ways.flat(), ...samples])
    expectEqual(
      at(page.pagination, 'has_more'),
      offset + limit < count,
      `has_more of a page of ${limit} at offset ${offset} of ${count} keys`,
      page.reply,
    );
}

const againMax = 2;

function isRight(steady: Steady): boolean {
  try {
    for (const expectation of [expectEveryKeyOnce, expectSlices, expectTotals, expectHasMore]) expectation(steady);
    return true;
  } catch {
    return false;
  }
}

export const pages = [
  conforms(
    ['api-keys-list-pagination', 'api-keys-list-offset-negative', 'api-keys-list-offset-beyond'],
    { feeds: ['api-keys-list-no-secret'], visits: 'GET /api-keys' },
    async ({ api, effort, check, observe }) => {
      for (const query of effort === 'quick' ? queries.slice(0, 2) : queries) {
        const reply = await api.send('GET /api-keys', { query });
        expectSuccess(reply);
        await check('api-keys-list-pagination', () => expectPagination(reply, query.offset ?? 0));
      }
      const negative = await api.send('GET /api-keys', { query: { offset: -1 } });
      if (wasAccepted(negative)) await check('api-keys-list-pagination', () => expectOffsetInRange(negative));
      const answer = wasAccepted(negative)
        ? `accepted, offset ${at(negative.json, 'pagination', 'offset')}`
        : negative.status;
      observe('api-keys-list-offset-negative', String(answer), negative);
      const beyond = await api.send('GET /api-keys', { query: { offset: farBeyond } });
      await check('api-keys-list-pagination', () => {
        expectSuccess(beyond);
        // An offset that is cut to the number of keys is reported as it is in effect.
        expectOffsetInRange(beyond);
        expectEqual(at(beyond.json, 'pagination', 'has_more'), false, 'has_more behind the last key', beyond);
      });
      const shown = Array.isArray(dataOf(beyond)) ? `, ${itemsOf(beyond).length} keys` : '';
      observe('api-keys-list-offset-beyond', `${beyond.status}${shown}`, beyond);
    },
  ),

  conforms(
    ['api-keys-list-offset-pages', 'api-keys-list-total', 'api-keys-list-has-more'],
    { needs: ['key', 'callFor'], writes: 0, reads: [11, 14, 43] },
    async ({ api, clock, random, effort, atEnd, check }) => {
      // At the end nothing else of this run makes or revokes keys.
      atEnd(async () => {
        const tools = { api, clock, random, effort };
        let steady = await steadily(tools);
        // A key that came and went in between is in neither full reading, and totals may lag: what differs does so once more.
        for (let again = 0; again < againMax && !isRight(steady); again += 1) {
          await clock.sleep(lagMsMax + 1);
          steady = await steadily(tools);
        }
        await check('api-keys-list-offset-pages', () => expectEveryKeyOnce(steady));
        await check('api-keys-list-offset-pages', () => expectSlices(steady));
        await check('api-keys-list-total', () => expectTotals(steady));
        await check('api-keys-list-has-more', () => expectHasMore(steady));
      });
    },
  ),
];
