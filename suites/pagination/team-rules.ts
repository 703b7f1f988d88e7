// The list of the team as it comes, in one page: what it counts, and whether more remains.
import { at, dataOf, isObject, isShown, itemsOf, queryOf, type Reply, type Rule } from '../../lib/index.ts';

export const teamIds = ['pagination-total-exact', 'pagination-has-more-last'] as const;

export const team: Rule<(typeof teamIds)[number]> = ({ replies }, { expect }) => {
  for (const reply of replies.filter(isPlain)) {
    const pagination = at(reply.json, 'pagination');
    if (!isObject(pagination) || !Array.isArray(dataOf(reply))) continue;
    const { total, has_more } = pagination;
    const number = itemsOf(reply).length;
    if (!Number.isInteger(total) || typeof has_more !== 'boolean') continue;
    // Where nothing remains behind the first page, it is the whole list.
    const isCounted = has_more ? Number(total) >= number : total === number;
    const counted = { expected: number, actual: total };
    if (!expect('pagination-total-exact', reply, isCounted, 'total should be the number of members', counted)) continue;
    const isRight = !has_more || total !== number;
    const more = { expected: false, actual: has_more };
    expect('pagination-has-more-last', reply, isRight, 'has_more should say that nothing remains', more);
  }
};

/** Its row names no parameters, so it is asked for without. */
const isPlain = (reply: Reply): boolean =>
  reply.operation === 'GET /account/team' && isShown(reply) && queryOf(reply).size === 0;
