// Duties of every page of every list, whatever case asked for it.
import {
  at,
  everyReply,
  expectAbsent,
  isBase64,
  isByOffset,
  isObject,
  type JudgedId,
  type OperationId,
  queryOf,
  type Reply,
  wasAccepted,
} from '../../lib/index.ts';
import { expectMember, isText } from '../shared/answer.ts';
import { isOf } from '../shared/groups.ts';
import { listIds, notes, paginationOf } from './lists.ts';

const byCursor: readonly OperationId[] = ['GET /companies', notes, 'GET /contacts'];

const isPage = (reply: Reply): boolean => isOf(listIds, reply) && wasAccepted(reply);
const isLater = (reply: Reply): boolean => queryOf(reply).has('cursor');

/** A page requested without sort and offset; the team may be listed in either mode. */
const isUnsorted = (reply: Reply): boolean =>
  isPage(reply) &&
  isObject(at(reply.json, 'pagination')) &&
  !queryOf(reply).has('sort') &&
  !queryOf(reply).has('offset') &&
  isOf([...byCursor, 'GET /account/team'], reply);

const isCursorPage = (reply: Reply): boolean => isUnsorted(reply) && (isOf(byCursor, reply) || !isByOffset(reply));

export const pages = [
  everyReply('pagination-object-present', { over: listIds, applies: isPage }, (reply) =>
    expectMember(reply, 'pagination', isObject, 'an object on a list'),
  ),

  everyReply('pagination-cursor-members', { over: byCursor, applies: isUnsorted }, (reply) => {
    for (const name of ['total', 'limit']) expectMember(reply, `pagination.${name}`, Number.isInteger, 'an integer');
    expectMember(reply, 'pagination.has_more', (value) => typeof value === 'boolean', 'true or false');
    if (isOf(byCursor, reply) && isLater(reply))
      expectMember(reply, 'pagination.cursor', (value) => value !== undefined, 'there on a later page');
  }),

  everyReply(
    'pagination-cursor-first',
    { over: byCursor, applies: (reply) => isCursorPage(reply) && !isLater(reply) },
    (reply) => expectAbsent(paginationOf(reply).cursor, 'pagination.cursor of the first page', reply),
  ),

  // Only notes are sure to have several pages.
  everyReply(
    'pagination-next-cursor-given',
    { over: [notes], applies: (reply) => isCursorPage(reply) && paginationOf(reply).has_more === true },
    (reply) => expectMember(reply, 'pagination.next_cursor', (value) => isText(value) && value !== '', 'a text'),
  ),

  everyReply(
    'pagination-next-cursor-form',
    { over: [notes], applies: (reply) => isCursorPage(reply) && String(paginationOf(reply).next_cursor ?? '') !== '' },
    (reply) => expectMember(reply, 'pagination.next_cursor', (value) => isText(value) && isBase64(value), 'base64'),
  ),
];

/** What a case that reads pages declares as `feeds`. */
export const pageDuties: readonly JudgedId[] = pages.map(({ id }) => id);
