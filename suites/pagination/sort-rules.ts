// Sorted lists, whoever asked: pages by offset wherever the sort leads to them, and none where a cursor is given as well.
import {
  accountHeaderOf,
  at,
  callerOf,
  isObject,
  isSession,
  type Judge,
  type OperationId,
  queryOf,
  type Reply,
  type Rule,
  wasAccepted,
} from '../../lib/index.ts';

export const sortedIds = ['pagination-cursor-with-sort', 'pagination-sort-members', 'pagination-sort-pages'] as const;
type Id = (typeof sortedIds)[number];

export const sorted: Rule<Id> = ({ replies }, judge) => {
  const lists = replies.filter(({ operation }) => operation === 'GET /companies' || operation === 'GET /contacts');
  // Where a plain list is refused there may be no right, or no account.
  const accepted = lists.filter(wasAccepted);
  const open = new Set(accepted.map(listOf));
  const readers = new Set(accepted.map(({ credential }) => credential));
  // The account of a key is the same under any header that it is accepted with, and under none.
  const isOpen = (reply: Reply): boolean =>
    open.has(listOf(reply)) ||
    (!isSession(reply.credential) && accountHeaderOf(reply) === undefined && readers.has(reply.credential));
  const issued = new Set(lists.map((reply) => at(pagination(reply), 'next_cursor')));
  const all = lists.flatMap((reply): Sorted[] => {
    const [sort, cursor, { operation }] = [queryOf(reply).get('sort'), queryOf(reply).get('cursor'), reply];
    if (sort === null || operation === undefined || reply.undocumented || !isOpen(reply)) return [];
    return [{ reply, operation, sort, cursor }];
  });
  for (const one of all) {
    if (one.cursor === null) judgePage(one, all, judge);
    else if (issued.has(one.cursor)) judgeCursor(one, all, judge);
  }
};

interface Sorted {
  readonly reply: Reply;
  readonly operation: OperationId;
  readonly sort: string;
  readonly cursor: string | null;
}

/** Whose list it is: somebody under a header or none. */
const listOf = (reply: Reply): string => `${reply.operation} ${callerOf(reply)}`;
const pagination = (reply: Reply): unknown => at(reply.json, 'pagination');
const has = (reply: Reply, name: string): boolean => at(pagination(reply), name) !== undefined;
const leadsToOffsets = ({ reply, cursor }: Sorted): boolean =>
  cursor === null && wasAccepted(reply) && has(reply, 'offset');
/** Up or down. */
const fieldOf = (sort: string): string => sort.replace(/^-/, '');

function judgeCursor({ reply, operation, sort }: Sorted, all: readonly Sorted[], { expect }: Judge<Id>): void {
  const { status } = reply;
  if ([401, 403, 429].includes(status) || status >= 500) return;
  const isKnown = all.some((one) => one.operation === operation && one.sort === sort && leadsToOffsets(one));
  const holds = isKnown ? status === 400 : status >= 400;
  const expected = isKnown ? 400 : '400, or another 4xx where the sort is not supported';
  const message = 'cursor and sort together should be refused';
  expect('pagination-cursor-with-sort', reply, holds, message, { expected, actual: status });
}

/** It has more, and neither an offset nor a cursor says where that begins. */
function isDeadEnd(reply: Reply): boolean {
  const next = at(pagination(reply), 'next_cursor');
  const goesOn = has(reply, 'offset') || (typeof next === 'string' && next !== '');
  return at(pagination(reply), 'has_more') === true && !goesOn;
}

/** A page in neither mode. */
function judgePage({ reply, operation, sort }: Sorted, all: readonly Sorted[], { expect }: Judge<Id>): void {
  // Where pagination is missing altogether, that is what is wrong.
  if (!wasAccepted(reply) || !isObject(pagination(reply))) return;
  const isLike = (one: Sorted): boolean => one.operation === operation && fieldOf(one.sort) === fieldOf(sort);
  const isBare = !['offset', 'cursor', 'next_cursor'].some((name) => has(reply, name));
  const holds = !isDeadEnd(reply) && !(isBare && all.some((one) => isLike(one) && leadsToOffsets(one)));
  const found = { expected: 'an offset', actual: pagination(reply) };
  expect('pagination-sort-members', reply, holds, 'a sorted list should report its offset', found);
}
