// A list read page by page, with a bound on pages: no target can keep a run going without end.

import type { Listing, OperationId } from '../catalogue/operations.ts';
import type { Api } from '../client/client.ts';
import { at, dataOf, itemsOf, type JsonObject, type Reply } from '../client/reply.ts';
import type { Call } from '../client/request.ts';
import { defined } from '../runtime/defined.ts';
import { expectSuccess, expectThat } from './expect.ts';

interface Page {
  readonly reply: Reply;
  readonly items: readonly JsonObject[];
  readonly pagination: unknown;
}

export interface Traversal {
  readonly pages: readonly Page[];
  readonly items: readonly JsonObject[];
  readonly replies: readonly [Reply, ...Reply[]];
  /** False where a bound was reached before the target said that there is no more. */
  readonly complete: boolean;
}

export interface Way {
  readonly operation: OperationId;
  readonly path?: Call['path'];
  /** Sent with every page. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly limit?: number;
  /** The X-Active-Account. */
  readonly account?: string;
  /** `either` and `perhaps` follow a cursor where there is one, and else go by offset; `perhaps` takes any `data`. */
  readonly mode: Listing;
  readonly pagesMax: number;
  /** Stops before the end of the list once it holds for what was read so far. */
  readonly enough?: (items: readonly JsonObject[]) => boolean;
  /** Between two pages; what it returns is done while the next page is being read, whatever comes of it. */
  readonly between?: (page: Page, number: number) => Promise<(() => Promise<unknown>) | undefined>;
}

/** Reads one page; rejects with a Mismatch where it is refused, or `data` is not an array although it must be. */
async function readPage(
  api: Api,
  way: Omit<Way, 'mode' | 'pagesMax'> & Partial<Pick<Way, 'mode'>>,
  position: Call['query'] = {},
): Promise<Page> {
  const query = { ...way.query, limit: way.limit, ...position };
  const { path, account } = way;
  const reply = await api.send(way.operation, {
    query,
    ...defined({ path, account }),
  });
  expectSuccess(reply);
  expectThat(way.mode === 'perhaps' || Array.isArray(dataOf(reply)), 'data of a list should be an array', {
    expected: 'an array',
    actual: typeof dataOf(reply),
    replies: reply,
  });
  return { reply, items: itemsOf(reply), pagination: at(reply.json, 'pagination') };
}

/** The next page's position, or undefined where the target says that there is none. */
function next({ mode }: Way, { pagination, items }: Page, offset: number): Call['query'] | undefined {
  if (at(pagination, 'has_more') !== true) return undefined;
  const cursor = at(pagination, 'next_cursor');
  if (mode !== 'offset' && typeof cursor === 'string' && cursor !== '') return { cursor };
  if (mode === 'cursor') return undefined;
  const step = at(pagination, 'limit');
  return { offset: offset + (typeof step === 'number' && step > 0 ? step : items.length) };
}

/** Follows the pages as the target says: `next_cursor` until `has_more` is false, or offset plus limit. */
export async function traverse(api: Api, way: Way): Promise<Traversal> {
  const first = await readPage(api, way);
  const pages: [Page, ...Page[]] = [first];
  const items = [...first.items];
  let page: Page = first;
  let position = next(way, first, 0);
  while (position && pages.length < way.pagesMax && !way.enough?.(items)) {
    const beside = await way.between?.(page, pages.length);
    const [read] = await Promise.allSettled([readPage(api, way, position), beside?.()]);
    if (read.status === 'rejected') throw read.reason;
    page = read.value;
    pages.push(page);
    items.push(...page.items);
    position = next(way, page, Number(position.offset ?? items.length - page.items.length));
  }
  return {
    pages,
    items,
    replies: [first.reply, ...pages.slice(1).map(({ reply }) => reply)],
    complete: position === undefined,
  };
}
