// The duties of every page of every list, whatever case asked for it.
import {
  at,
  dataOf,
  everyReply,
  expectAbsent,
  expectEqual,
  expectThat,
  isByOffset,
  isObject,
  type JudgedId,
  type Reply,
} from '../../lib/index.ts';
import { wasAccepted } from '../shared/answer.ts';
import { expectInteger } from '../shared/fields.ts';
import { collections } from '../shared/groups.ts';
import { limited, listIds, notes, paginationOf } from './lists.ts';

const byCursor = ['GET /companies', notes, 'GET /contacts'] as const;
const perhapsByCursor = ['GET /account/team', ...byCursor] as const;

const isOf = (operations: readonly string[], reply: Reply): boolean =>
  reply.operation !== undefined && operations.includes(reply.operation);
const isPage = (reply: Reply): boolean => isOf(listIds, reply) && wasAccepted(reply);
/** The team list names no parameters: what it makes of a limit is open. */
const isLimited = (reply: Reply): boolean => isPage(reply) && isOf(limited, reply);
const hasPagination = (reply: Reply): boolean => isObject(at(reply.json, 'pagination'));
/** A limit that is not an integer is judged elsewhere. */
const reportsLimit = (reply: Reply): boolean => Number.isInteger(paginationOf(reply).limit);

const queries = new WeakMap<Reply, URLSearchParams>();
/** Read once a reply, although most duties ask for it. */
function queried(reply: Reply, name: string): string | null {
  const query = queries.get(reply) ?? new URL(reply.request.url).searchParams;
  queries.set(reply, query);
  return query.get(name);
}

/** The limit that was asked for, where it is within its bounds. */
function askedLimit(reply: Reply): number | undefined {
  const asked = queried(reply, 'limit') ?? '';
  return /^\d{1,3}$/.test(asked) && Number(asked) >= 1 && Number(asked) <= 200 ? Number(asked) : undefined;
}

/** A page in cursor mode: no sort and no offset was given, and where the mode is open none came back. */
const isCursorPage = (reply: Reply): boolean =>
  isPage(reply) &&
  hasPagination(reply) &&
  queried(reply, 'sort') === null &&
  queried(reply, 'offset') === null &&
  isOf(perhapsByCursor, reply) &&
  (isOf(byCursor, reply) || !isByOffset(reply));

/** A page in offset mode, in an order that was asked for. */
const isSortedPage = (reply: Reply): boolean =>
  isPage(reply) && isOf(collections, reply) && queried(reply, 'sort') !== null && isByOffset(reply);

const lengthOf = (reply: Reply): number => (Array.isArray(dataOf(reply)) ? (dataOf(reply) as unknown[]).length : 0);

function expectNoLonger(reply: Reply, limit: number): void {
  expectThat(lengthOf(reply) <= limit, `a page should hold at most ${limit} records`, {
    expected: `at most ${limit} records`,
    actual: lengthOf(reply),
    replies: reply,
  });
}

const integers = ['total', 'limit'] as const;
const base64 = /^(?:[A-Za-z\d+/]+|[A-Za-z\d_-]+)(={0,2})$/;

/** In either alphabet, with or without padding, and of a length that base64 can have. */
function isBase64(text: string): boolean {
  const padding = base64.exec(text)?.[1];
  if (padding === undefined) return false;
  return padding === '' ? text.length % 4 !== 1 : text.length % 4 === 0;
}

export const pages = [
  everyReply('pagination-object-present', { over: listIds, applies: isPage }, (reply) => {
    const pagination = at(reply.json, 'pagination');
    expectThat(isObject(pagination), 'a list should carry pagination', {
      expected: 'an object pagination',
      actual: pagination ?? 'absent',
      replies: reply,
    });
  }),

  everyReply('pagination-cursor-members', { over: byCursor, applies: isCursorPage }, (reply) => {
    const pagination = paginationOf(reply);
    for (const name of integers) expectInteger(pagination[name], `pagination.${name}`, reply);
    expectThat(typeof pagination.has_more === 'boolean', 'pagination.has_more should be true or false', {
      expected: 'true or false',
      actual: pagination.has_more ?? 'absent',
      replies: reply,
    });
    if (!isOf(byCursor, reply) || queried(reply, 'cursor') === null) return;
    expectThat('cursor' in pagination, 'pagination of a later page should have its cursor', {
      expected: 'a cursor',
      actual: 'absent',
      replies: reply,
    });
  }),

  // The bounds themselves, 1 and 200, are a requirement of their own.
  everyReply(
    'pagination-limit-reported',
    {
      over: limited,
      applies: (reply) => isLimited(reply) && reportsLimit(reply) && ![undefined, 1, 200].includes(askedLimit(reply)),
    },
    (reply) => expectEqual(paginationOf(reply).limit, askedLimit(reply), 'pagination.limit', reply),
  ),

  everyReply(
    'pagination-limit-respected',
    { over: limited, applies: (reply) => isLimited(reply) && askedLimit(reply) !== undefined },
    (reply) => expectNoLonger(reply, askedLimit(reply) ?? 0),
  ),

  everyReply(
    'pagination-limit-default',
    {
      over: listIds,
      applies: (reply) =>
        isPage(reply) && reportsLimit(reply) && queried(reply, 'limit') === null && queried(reply, 'sort') === null,
    },
    (reply) => {
      expectEqual(paginationOf(reply).limit, 50, 'pagination.limit without limit', reply);
      expectNoLonger(reply, 50);
    },
  ),

  everyReply(
    'pagination-cursor-first',
    { over: byCursor, applies: (reply) => isCursorPage(reply) && queried(reply, 'cursor') === null },
    (reply) => expectAbsent(paginationOf(reply).cursor, 'pagination.cursor of the first page', reply),
  ),

  // Only the notes are sure to have several pages.
  everyReply(
    'pagination-next-cursor-given',
    { over: [notes], applies: (reply) => isCursorPage(reply) && paginationOf(reply).has_more === true },
    (reply) => {
      const cursor = paginationOf(reply).next_cursor;
      expectThat(typeof cursor === 'string' && cursor !== '', 'a page with has_more true should have a next_cursor', {
        expected: 'a text',
        actual: cursor ?? 'absent',
        replies: reply,
      });
    },
  ),

  everyReply(
    'pagination-next-cursor-form',
    {
      over: [notes],
      applies: (reply) => isCursorPage(reply) && /./.test(String(paginationOf(reply).next_cursor ?? '')),
    },
    (reply) => {
      const cursor = paginationOf(reply).next_cursor;
      expectThat(typeof cursor === 'string' && isBase64(cursor), 'next_cursor should be base64', {
        expected: 'a base64 text',
        actual: cursor,
        replies: reply,
      });
    },
  ),

  everyReply('pagination-sort-members', { over: [], applies: isSortedPage }, (reply) => {
    const pagination = paginationOf(reply);
    for (const name of ['total', 'limit', 'offset']) expectInteger(pagination[name], `pagination.${name}`, reply);
    expectEqual(typeof pagination.has_more, 'boolean', 'the type of pagination.has_more of a sorted list', reply);
  }),
];

/** What a case that reads pages declares as `feeds`. */
export const pageDuties: readonly JudgedId[] = pages.map(({ id }) => id);
