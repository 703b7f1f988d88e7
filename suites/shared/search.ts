// Own records looked for in the lists of a living account: by a text that only they carry, within a bound.
import {
  type Api,
  eventuallySeen,
  expectThat,
  type JsonObject,
  lagMsMax,
  Mismatch,
  NotTested,
  type Reply,
  type Tools,
  textsIn,
  traverse,
} from '../../lib/index.ts';
import type { collections } from './groups.ts';

/** Between the bounds of `limit` and its default, so that mistakes there stay with their own requirements. */
const limit = 150;
const recordsMax = 1500;
const pagesMax = 400;
/** Read beyond the record that was looked for: what was made shortly before or after it is there. */
const recordsBeyond = 150;

/** The lists that a whole account shares. */
export type RecordList = (typeof collections)[number];

interface Reading {
  readonly records: readonly JsonObject[];
  readonly replies: readonly Reply[];
  /** Read to its end. */
  readonly complete: boolean;
  readonly found: boolean;
}

/** What a search found: the records around the one that was looked for, and the replies they came in. */
export type Found = Pick<Reading, 'records' | 'replies'>;

/** Whether a record holds a text anywhere; `... 1` does not count as part of `... 12`. */
export const carries = (record: JsonObject, text: string): boolean =>
  textsIn(record).some((one) =>
    one
      .split(text)
      .slice(1)
      .some((rest) => !/^\d/.test(rest)),
  );

const isRefused = (error: unknown): boolean =>
  error instanceof Mismatch && (error.difference.replies?.at(-1)?.status ?? 0) >= 400;

/** Reads in the target's own order where it does not take the sort. */
async function readPages(
  api: Api,
  list: RecordList,
  is: (record: JsonObject) => boolean,
  sort?: string,
): Promise<Reading> {
  const enough = (records: readonly JsonObject[]): boolean => {
    const place = records.findIndex(is);
    return records.length >= (place < 0 ? recordsMax : place + limit + recordsBeyond);
  };
  const way = { operation: list, limit, query: { sort }, mode: sort === undefined ? 'cursor' : 'either' } as const;
  try {
    const { items, replies, complete } = await traverse(api, { ...way, pagesMax, enough });
    return { records: items, replies, complete, found: items.some(is) };
  } catch (error) {
    if (sort !== undefined && isRefused(error)) return readPages(api, list, is);
    throw error;
  }
}

/**
 * Looks for a record, again for up to five seconds because lists may lag; a list longer than the bound is read newest
 * first where the target sorts. Rejects with a Mismatch where the whole list lacks it, with NotTested where the bound is reached.
 */
export async function find(
  { api, clock }: Pick<Tools, 'api' | 'clock'>,
  list: RecordList,
  is: (record: JsonObject) => boolean,
  what: string,
): Promise<Found> {
  let sort: string | undefined;
  const look = async (): Promise<Reading> => {
    const reading = await readPages(api, list, is, sort);
    if (!reading.complete) sort = '-created_at';
    return reading;
  };
  // A list beyond the bound costs many requests: it is read once more only when it has had its time.
  const lateOrSoon = ({ complete }: Reading) => (complete ? undefined : lagMsMax);
  const reading = await eventuallySeen(clock, clock.now(), look, ({ found }) => found, lateOrSoon);
  return reading.found ? reading : missing(reading, list, what);
}

/** The record that carries a text; as `find`. */
export const findMarked = (
  own: Pick<Tools, 'api' | 'clock'>,
  list: RecordList,
  text: string,
  what: string,
): Promise<Found> => find(own, list, (record) => carries(record, text), what);

/** As `findMarked`; undefined where the list is longer than is read. */
export const findWithinBound = (...search: Parameters<typeof findMarked>): Promise<Found | undefined> =>
  findMarked(...search).catch((error: unknown) => {
    if (error instanceof NotTested) return undefined;
    throw error;
  });

function missing({ complete, records, replies }: Reading, list: RecordList, what: string): never {
  if (!complete) throw new NotTested(`${what} was not found among the first ${records.length} records of ${list}`);
  expectThat(false, `${list} should contain ${what}`, {
    expected: what,
    actual: `${records.length} records without it`,
    replies: replies.slice(-1),
  });
}

/** None of the records found carries the text: what was refused was not made. */
export function expectNone({ records, replies }: Found, text: string, what: string): void {
  const carrying = records.filter((record) => carries(record, text));
  expectThat(carrying.length === 0, `${what} should not be there`, {
    expected: `no record with "${text}"`,
    actual: carrying,
    replies,
  });
}
