// Sorted lists, whoever asked: pages by offset wherever the sort leads to them, and none where a cursor is given as well.
import {
  at,
  isObject,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { isSession, queryOf } from './sent.ts';

export const sortedIds = [
  'pagination-cursor-with-sort',
  'pagination-sort-members',
] as const satisfies readonly JudgedId[];

interface Sorted {
  readonly reply: Reply;
  readonly operation: OperationId;
  readonly sort: string;
  readonly cursor: string | null;
}

/** Whose list it is: somebody under a header or none. */
const listOf = ({ operation, credential, request }: Reply): string =>
  `${operation} ${credential} ${request.headers['x-active-account']}`;
const pagination = (reply: Reply): unknown => at(reply.json, 'pagination');
const has = (reply: Reply, name: string): boolean =>
  isObject(pagination(reply)) && at(pagination(reply), name) !== undefined;
const leadsToOffsets = ({ reply, cursor }: Sorted): boolean =>
  cursor === null && wasAccepted(reply) && has(reply, 'offset');
/** Up or down. */
const fieldOf = (sort: string): string => sort.replace(/^-/, '');

function ofCursor({ reply, operation, sort }: Sorted, all: readonly Sorted[]): readonly Wrong[] {
  const isKnown = all.some((one) => one.operation === operation && one.sort === sort && leadsToOffsets(one));
  const isRight = isKnown ? reply.status === 400 : reply.status >= 400;
  if (isRight || [401, 403, 429].includes(reply.status) || reply.status >= 500) return [];
  const expected = isKnown ? 400 : '400, or another 4xx where the sort is not supported';
  const found = { expected, actual: reply.status, replies: [reply] };
  return [wrong('pagination-cursor-with-sort', operation, 'cursor and sort together should be refused', found)];
}

/** It has more, and neither an offset nor a cursor says where that begins. */
function isDeadEnd(reply: Reply): boolean {
  const next = at(pagination(reply), 'next_cursor');
  const goesOn = has(reply, 'offset') || (typeof next === 'string' && next !== '');
  return wasAccepted(reply) && at(pagination(reply), 'has_more') === true && !goesOn;
}

/** A page in neither mode. */
function ofPage({ reply, operation, sort }: Sorted, all: readonly Sorted[]): readonly Wrong[] {
  const isLike = (one: Sorted): boolean => one.operation === operation && fieldOf(one.sort) === fieldOf(sort);
  // Where pagination is missing altogether, that is what is wrong.
  const isBare =
    wasAccepted(reply) &&
    isObject(pagination(reply)) &&
    !['offset', 'cursor', 'next_cursor'].some((name) => has(reply, name));
  if (!isDeadEnd(reply) && !(isBare && all.some((one) => isLike(one) && leadsToOffsets(one)))) return [];
  const found = { expected: 'an offset', actual: pagination(reply), replies: [reply] };
  return [wrong('pagination-sort-members', operation, 'a sorted list should report its offset', found)];
}

export function judgeSorted({ replies }: Story): readonly Wrong[] {
  const lists = replies.filter(({ operation }) => operation === 'GET /companies' || operation === 'GET /contacts');
  // Where a plain list is refused there may be no right, or no account.
  const accepted = lists.filter(wasAccepted);
  const open = new Set(accepted.map(listOf));
  const readers = new Set(accepted.map(({ credential }) => credential));
  // The account of a key is the same under any header that it is accepted with, and under none.
  const isOpen = (reply: Reply): boolean =>
    open.has(listOf(reply)) ||
    (!isSession(reply.credential) &&
      reply.request.headers['x-active-account'] === undefined &&
      readers.has(reply.credential));
  const issued = new Set(lists.map((reply) => at(pagination(reply), 'next_cursor')));
  const all = lists.flatMap((reply): Sorted[] => {
    const query = queryOf(reply);
    const sort = query.get('sort');
    const { operation } = reply;
    if (sort === null || operation === undefined || reply.undocumented || !isOpen(reply)) return [];
    return [{ reply, operation, sort, cursor: query.get('cursor') }];
  });
  return all.flatMap((one) => {
    if (one.cursor === null) return ofPage(one, all);
    return issued.has(one.cursor) ? ofCursor(one, all) : [];
  });
}
