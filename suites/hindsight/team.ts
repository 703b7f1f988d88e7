// The list of the team as it comes, in one page: what it counts, and whether more remains.
import {
  at,
  dataOf,
  isObject,
  itemsOf,
  type JudgedId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { queryOf } from './sent.ts';

export const teamIds = ['pagination-total-exact', 'pagination-has-more-last'] as const satisfies readonly JudgedId[];

const operation = 'GET /account/team';

/** Its row names no parameters, so it is asked for without. */
const isPlain = (reply: Reply): boolean =>
  reply.operation === operation && wasAccepted(reply) && !reply.undocumented && queryOf(reply).size === 0;

/** The first page: where nothing remains behind it, it is the whole list. */
function ofPage(reply: Reply): readonly Wrong[] {
  const pagination = at(reply.json, 'pagination');
  if (!isObject(pagination) || !Array.isArray(dataOf(reply))) return [];
  const { total, has_more } = pagination;
  const count = itemsOf(reply).length;
  if (!Number.isInteger(total) || typeof has_more !== 'boolean') return [];
  if (Number(total) < count || (!has_more && total !== count)) {
    const found = { expected: count, actual: total, replies: [reply] };
    return [wrong('pagination-total-exact', operation, 'total should be the number of members', found)];
  }
  if (!has_more || total !== count) return [];
  const found = { expected: false, actual: true, replies: [reply] };
  return [wrong('pagination-has-more-last', operation, 'has_more should say that nothing remains', found)];
}

export const judgeTeam = ({ replies }: Story): readonly Wrong[] => replies.filter(isPlain).flatMap(ofPage);
