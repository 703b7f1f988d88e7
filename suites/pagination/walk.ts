// A list followed from page to page as the target says, to its end or to a bound on pages.
import {
  expectSuccess,
  expectThat,
  isByOffset,
  itemsOf,
  type JsonObject,
  Mismatch,
  type Reply,
} from '../../lib/index.ts';
import { ask, identitiesOf, type List, nextCursorOf, paginationOf } from './lists.ts';

export interface Walk {
  readonly replies: readonly Reply[];
  /** What each page delivered. */
  readonly pages: readonly (readonly string[])[];
  readonly delivered: readonly string[];
  /** The target said that there is no more. */
  readonly ended: boolean;
  /** A later page was refused. */
  readonly broken?: Mismatch;
}

export interface WalkOptions {
  /** Left out where absent. */
  readonly limit?: number;
  readonly sort?: string;
  readonly fields?: string;
  readonly pagesMax: number;
  /** Changes something between two pages; what it returns is done while the next page is being read. */
  readonly disturb?: (gap: number, delivered: readonly string[]) => Promise<(() => Promise<unknown>) | undefined>;
}

type Position = Readonly<Record<string, string | number>>;

/** Where the next page begins; undefined where there is none. Rejects a page that does not say. */
function following(reply: Reply, { limit }: WalkOptions, { offset = 0 }: Position): Position | undefined {
  const pagination = paginationOf(reply);
  expectThat(
    typeof pagination.has_more === 'boolean' && Number.isInteger(pagination.total),
    'a page should have total and has_more',
    {
      expected: 'an integer total, and has_more true or false',
      actual: pagination,
      replies: reply,
    },
  );
  if (!pagination.has_more) return undefined;
  if (isByOffset(reply)) return { offset: Number(offset) + (limit ?? 50) };
  const cursor = nextCursorOf(reply);
  expectThat(cursor !== undefined, 'a page with has_more true should have a next_cursor', {
    expected: 'a text',
    actual: pagination.next_cursor ?? 'absent',
    replies: reply,
  });
  return { cursor };
}

async function page(list: List, query: Readonly<Record<string, string | number | undefined>>): Promise<Reply> {
  const reply = await ask(list, query);
  expectSuccess(reply);
  return reply;
}

/** Two records that show no identifier may be equal in all that they show, where one was made twice: they are numbered. */
function numbered(page: readonly string[], before: readonly string[]): string[] {
  const all = [...before];
  return page.map((identity) => {
    const isBare = identity.startsWith('{');
    const equals = isBare ? all.filter((one) => one === identity || one.startsWith(`${identity} `)).length : 0;
    const name = equals === 0 ? identity : `${identity} ${equals + 1}`;
    all.push(name);
    return name;
  });
}

/** Rejects with a Mismatch where the first page is refused, or a page lacks what leads on. */
export async function walk(list: List, options: WalkOptions): Promise<Walk> {
  const { limit, sort, fields, pagesMax, disturb } = options;
  const replies: Reply[] = [];
  const pages: string[][] = [];
  const walked = (ended: boolean, broken?: Mismatch): Walk => ({
    replies,
    pages,
    delivered: pages.flat(),
    ended,
    ...(broken ? { broken } : {}),
  });
  let position: Position | undefined = {};
  while (position && replies.length < pagesMax) {
    const beside = replies.length === 0 ? undefined : await disturb?.(replies.length, pages.flat());
    const [read] = await Promise.allSettled([page(list, { limit, sort, fields, ...position }), beside?.()]);
    if (read.status === 'rejected') {
      if (read.reason instanceof Mismatch && replies.length > 0) return walked(false, read.reason);
      throw read.reason;
    }
    replies.push(read.value);
    pages.push(numbered(identitiesOf(list.operation, read.value), pages.flat()));
    position = following(read.value, options, position);
  }
  return walked(position === undefined);
}

/** Some record was delivered twice. */
export const repeats = ({ delivered }: Walk): string[] => [
  ...new Set(delivered.filter((one, index) => delivered.indexOf(one) !== index)),
];

export const recordsOf = ({ replies }: Walk): JsonObject[] => replies.flatMap((reply) => [...itemsOf(reply)]);

export const totalsOf = ({ replies }: Walk): unknown[] => replies.map((reply) => paginationOf(reply).total);
