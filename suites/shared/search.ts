// Finds records of the run in the lists of an account in use, by a unique text and within a bound.
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

/** Neither a bound of `limit` nor its default: other requirements judge those. */
const limit = 150;
const recordsMax = 1500;
const pagesMax = 400;
/** Records read beyond the one found, to include those created around the same time. */
const recordsBeyond = 150;

export type RecordList = (typeof collections)[number];

interface Reading {
  readonly records: readonly JsonObject[];
  readonly replies: readonly Reply[];
  /** Whether the list was read to its end. */
  readonly complete: boolean;
  readonly found: boolean;
}

/** The records around the one found, and the replies that showed them. */
export type Found = Pick<Reading, 'records' | 'replies'>;

/** Whether a record contains the text; `... 1` does not count as part of `... 12`. */
export const carries = (record: JsonObject, text: string): boolean =>
  textsIn(record).some((one) =>
    one
      .split(text)
      .slice(1)
      .some((rest) => !/^\d/.test(rest)),
  );

const isRefused = (error: unknown): boolean =>
  error instanceof Mismatch && (error.difference.replies?.at(-1)?.status ?? 0) >= 400;

/** Falls back to the default order if the target refuses the sort. */
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
 * Looks for a record for up to five seconds, as lists may lag; newest first if the list exceeds the bound and the
 * target sorts. Rejects with a Mismatch where the whole list lacks it, with NotTested where the bound is reached.
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
  // Reading up to the bound takes many requests: the second read waits for the maximum lag.
  const lateOrSoon = ({ complete }: Reading) => (complete ? undefined : lagMsMax);
  const reading = await eventuallySeen(clock, clock.now(), look, ({ found }) => found, lateOrSoon);
  return reading.found ? reading : missing(reading, list, what);
}

/** Finds the record that contains a text; see `find`. */
export const findMarked = (
  own: Pick<Tools, 'api' | 'clock'>,
  list: RecordList,
  text: string,
  what: string,
): Promise<Found> => find(own, list, (record) => carries(record, text), what);

function missing({ complete, records, replies }: Reading, list: RecordList, what: string): never {
  if (!complete) throw new NotTested(`${what} was not found among the first ${records.length} records of ${list}`);
  expectThat(false, `${list} should contain ${what}`, {
    expected: what,
    actual: `${records.length} records without it`,
    replies: replies.slice(-1),
  });
}
