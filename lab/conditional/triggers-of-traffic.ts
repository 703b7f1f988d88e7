// Triggers in where a request stands: its place in a list, in the history of the server, and on which node it arrives.
import {
  type Event,
  events,
  type Moment,
  paginationOf,
  recordsOf,
  type Since,
  type Trigger,
  triggersOf,
} from './trigger.ts';

interface Page {
  readonly total: number;
  readonly limit: number;
  readonly hasMore: boolean;
  readonly isFirst: boolean;
  readonly records: number;
}

const page =
  (fits: (page: Page) => boolean) =>
  (moment: Moment): boolean => {
    const pagination = paginationOf(moment);
    if (pagination === undefined) return false;
    const { total, limit, has_more } = pagination;
    const isFirst = !moment.query.has('cursor') && Number(moment.query.get('offset') ?? 0) === 0;
    const records = recordsOf(moment).length;
    return fits({ total: Number(total), limit: Number(limit), hasMore: has_more === true, isFirst, records });
  };

/** Two records of the page would stand in either order. */
const hasEquals = (moment: Moment): boolean => {
  const keys = recordsOf(moment).map(({ name, last_name, created_at }) => String(name ?? last_name ?? created_at));
  return moment.query.has('sort') && new Set(keys).size < keys.length;
};

const inReply = triggersOf(
  'position',
  {
    'the page is the first of several': page(({ isFirst, hasMore }) => isFirst && hasMore),
    'the page is neither the first nor the last': page(({ isFirst, hasMore }) => !isFirst && hasMore),
    'the page is the last of several': page(({ isFirst, hasMore }) => !isFirst && !hasMore),
    'the page is the only one': page(({ isFirst, hasMore, records }) => isFirst && !hasMore && records > 0),
    'the page is empty': page(({ records }) => records === 0),
    'the page has one record': page(({ records }) => records === 1),
    'the page has ten records or more': page(({ records }) => records >= 10),
    'the limit is 1': page(({ limit }) => limit === 1),
    'the limit is 2': page(({ limit }) => limit === 2),
    'the limit is odd and above 1': page(({ limit }) => limit % 2 === 1 && limit > 1),
    'the limit is 100 or more': page(({ limit }) => limit >= 100),
    'the limit is 200': page(({ limit }) => limit === 200),
    'the limit divides the total': page(({ limit, total }) => limit > 1 && total > 0 && total % limit === 0),
    'the limit is the total': page(({ limit, total }) => limit === total),
    'one record is left over': page(({ limit, total }) => limit > 1 && total > limit && total % limit === 1),
    'the list has more than 10 records': page(({ total }) => total > 10),
    'the page holds equal sort values': hasEquals,
    'a record has null members': (moment) => recordsOf(moment).some((one) => Object.values(one).includes(null)),
    'no record has null members': (moment) =>
      recordsOf(moment).length > 0 && !recordsOf(moment).some((one) => Object.values(one).includes(null)),
  },
  true,
);

const ordinal =
  (fits: (place: number) => boolean) =>
  ({ target }: Moment) =>
    target !== undefined && fits(target.ordinal);

const inPath = triggersOf('position', {
  'the record is the first of its kind that was made': ordinal((place) => place === 1),
  'the record is every second that was made': ordinal((place) => place % 2 === 0),
  'the record is every third that was made': ordinal((place) => place % 3 === 0),
  'the record is the fifth that was made, or a later one': ordinal((place) => place >= 5),
  'the record is the twelfth that was made, or a later one': ordinal((place) => place >= 12),
  'the record was there before': ({ target, id }) => target === undefined && id !== undefined,
  'the identifier is even': ({ id }) => id !== undefined && id % 2 === 0,
  'the identifier has two digits or more': ({ id }) => id !== undefined && id >= 10,
});

export const positionTriggers: readonly Trigger[] = [...inReply, ...inPath];

const happening: Readonly<Record<Event, string>> = {
  create: 'a creation',
  edit: 'an edit',
  delete: 'a deletion',
  refusal: 'a refused write',
  replay: 'a replay',
  revocation: 'a revocation',
  switch: 'a switch of the account',
  'bad-token': 'a refused token',
};

const spans: Readonly<Record<string, (ago: number) => boolean>> = {
  'the request just before was': (ago) => ago === 1,
  'one of the last three requests was': (ago) => ago <= 3,
  'one of the last ten requests was': (ago) => ago <= 10,
  'at any time before there was': (ago) => ago < Number.POSITIVE_INFINITY,
};

const afterEvents = (whose: string, since: (moment: Moment) => Since): readonly Trigger[] =>
  triggersOf(
    'history',
    Object.fromEntries(
      events.flatMap((event) =>
        Object.entries(spans).map(([span, fits]) => [
          `${span} ${happening[event]}${whose}`,
          (moment: Moment) => fits(since(moment)[event]),
        ]),
      ),
    ),
  );

const counted =
  (name: 'requests' | 'ofCaller' | 'ofOperation', fits: (before: number) => boolean) => (moment: Moment) =>
    fits(moment.past[name]);
const aged =
  (fits: (ms: number) => boolean) =>
  ({ target }: Moment) =>
    target !== undefined && fits(target.ageMs);
const edited =
  (fits: (edits: number) => boolean) =>
  ({ target }: Moment) =>
    target !== undefined && fits(target.edits);

const counts = triggersOf('history', {
  'fifty requests went before': counted('requests', (before) => before >= 50),
  'two hundred requests went before': counted('requests', (before) => before >= 200),
  'four hundred requests went before': counted('requests', (before) => before >= 400),
  'it is among the first hundred requests': counted('requests', (before) => before < 100),
  'it is every tenth request': counted('requests', (before) => before % 10 === 9),
  'it is every twenty-fifth request': counted('requests', (before) => before % 25 === 24),
  'it is the first request of the caller': counted('ofCaller', (before) => before === 0),
  'two requests of the caller went before': counted('ofCaller', (before) => before >= 2),
  'twenty requests of the caller went before': counted('ofCaller', (before) => before >= 20),
  'it is the first of its operation': counted('ofOperation', (before) => before === 0),
  'ten of its operation went before': counted('ofOperation', (before) => before >= 10),
  'it is every fifth of its operation': counted('ofOperation', (before) => before % 5 === 4),
});

const times = triggersOf('history', {
  'ten seconds have passed since the first request': ({ past }) => past.runMs >= 10_000,
  'a minute has passed since the first request': ({ past }) => past.runMs >= 60_000,
  'two minutes have passed since the first request': ({ past }) => past.runMs >= 120_000,
  'the server was idle for two seconds': ({ past }) => past.idleMs >= 2_000,
  'the server was idle for half a minute': ({ past }) => past.idleMs >= 30_000,
  'the record is younger than a second': aged((ms) => ms < 1_000),
  'the record is older than five seconds': aged((ms) => ms >= 5_000),
  'the record is older than a minute': aged((ms) => ms >= 60_000),
  'the record was edited before': edited((edits) => edits >= 1),
  'the record was edited twice before': edited((edits) => edits >= 2),
  'the record was never edited': edited((edits) => edits === 0),
});

export const historyTriggers: readonly Trigger[] = [
  ...afterEvents('', ({ past }) => past.since),
  ...afterEvents(' of the same caller', ({ past }) => past.sinceOwn),
  ...counts,
  ...times,
];

export const nodeTriggers = triggersOf('node', {
  'the second of two nodes answers': ({ past }) => past.requests % 2 === 1,
  'the third of three nodes answers': ({ past }) => past.requests % 3 === 2,
  'the second of two nodes answers, in turn for each caller': ({ past }) => past.ofCaller % 2 === 1,
  'the second of two nodes answers, in turn for each operation': ({ past }) => past.ofOperation % 2 === 1,
  'the second of two nodes answers, ten requests at a time': ({ past }) => Math.floor(past.requests / 10) % 2 === 1,
  'the second of two nodes answers, a second at a time': ({ past }) => Math.floor(past.runMs / 1_000) % 2 === 1,
});
