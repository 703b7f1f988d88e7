// A list read page by page, with a bound on pages: no target can keep a run going for ever.

import type { OperationId } from '../catalogue/operations.ts';
import type { Api } from '../client/client.ts';
import { at, dataOf, itemsOf, type JsonObject, type Reply } from '../client/reply.ts';
import type { Call } from '../client/request.ts';
import { expectSuccess, expectThat } from './expect.ts';

export interface Page {
  readonly reply: Reply;
  readonly items: readonly JsonObject[];
  readonly pagination: unknown;
}

export interface Traversal {
  readonly pages: readonly Page[];
  readonly items: readonly JsonObject[];
  readonly replies: readonly Reply[];
  /** False where the bound on pages was reached before the target said that there is no more. */
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
  readonly mode: 'cursor' | 'offset';
  readonly pagesMax: number;
  /** Between two pages. */
  readonly between?: (page: Page, number: number) => Promise<void>;
}

/** Reads one page; rejects with a Mismatch where the reply is no list. */
export async function readPage(
  api: Api,
  way: Omit<Way, 'mode' | 'pagesMax'>,
  position: Call['query'] = {},
): Promise<Page> {
  const query = { ...way.query, limit: way.limit, ...position };
  const { path, account } = way;
  const reply = await api.send(way.operation, {
    query,
    ...(path === undefined ? {} : { path }),
    ...(account === undefined ? {} : { account }),
  });
  expectSuccess(reply);
  expectThat(Array.isArray(dataOf(reply)), 'data of a list should be an array', {
    expected: 'an array',
    actual: typeof dataOf(reply),
    replies: reply,
  });
  return { reply, items: itemsOf(reply), pagination: at(reply.json, 'pagination') };
}

/** The next page's position, or undefined where the target says that there is none. */
function next({ mode }: Way, { pagination, items }: Page, offset: number): Call['query'] | undefined {
  if (at(pagination, 'has_more') !== true) return undefined;
  if (mode === 'offset') {
    const step = at(pagination, 'limit');
    return { offset: offset + (typeof step === 'number' && step > 0 ? step : items.length) };
  }
  const cursor = at(pagination, 'next_cursor');
  return typeof cursor === 'string' && cursor !== '' ? { cursor } : undefined;
}

/** Follows the target's own word from page to page: `next_cursor` until `has_more` is false, or offset plus limit. */
export async function traverse(api: Api, way: Way): Promise<Traversal> {
  const pages: Page[] = [];
  let position: Call['query'] | undefined = {};
  while (position && pages.length < way.pagesMax) {
    const page = await readPage(api, way, position);
    pages.push(page);
    position = next(way, page, Number(position.offset ?? 0));
    if (position && way.between && pages.length < way.pagesMax) await way.between(page, pages.length);
  }
  return {
    pages,
    items: pages.flatMap((page) => page.items),
    replies: pages.map((page) => page.reply),
    complete: position === undefined,
  };
}
