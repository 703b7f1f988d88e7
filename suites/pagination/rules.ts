// Rules over every page of every list, whoever asked: Limits / Pagination.
import {
  dataOf,
  isLimit,
  isOutage,
  isShown,
  itemsOf,
  type Judge,
  listOf,
  pathOf,
  queryOf,
  type Reply,
  type Rule,
  rules,
  type World,
  wasAccepted,
  writeOf,
} from '../../lib/index.ts';
import { isOf } from '../shared/groups.ts';
import { kept, restricted } from './field-rules.ts';
import { listIds, paginationOf } from './lists.ts';
import { pages } from './page-rules.ts';
import { offsets, slices, sorted } from './sort-rules.ts';
import { totals } from './totals.ts';

const limitMax = 200;
const defaultLimit = 50;

const limits: Rule = (world, judge) => {
  /** The limit of the page that gave a cursor, by path and cursor. */
  const limitsByCursor = new Map<string, unknown>();
  for (const reply of world.replies) {
    if (!isOf(listIds, reply)) continue;
    const query = queryOf(reply);
    const [asked, place] = [query.get('limit'), `${pathOf(reply)} ${query.get('cursor')}`];
    const isOutside = /^-?\d+$/.test(asked ?? '') && !isLimit(String(Number(asked)));
    // The team's row names no parameters.
    const isTeam = reply.operation === 'GET /account/team';
    if (isOutside && !isTeam) judgeOutside(reply, Number(asked), judge);
    else if (isShown(reply) && !(isTeam && asked !== null)) judgeEffect(reply, asked, world, judge);
    else if (asked === '1' || asked === '200') judgeRefused(reply, asked, world, judge);
    if (wasAccepted(reply) && limitsByCursor.has(place)) judgeLater(reply, limitsByCursor.get(place), judge);
    const { limit, next_cursor: next } = paginationOf(reply);
    if (typeof next === 'string') limitsByCursor.set(`${pathOf(reply)} ${next}`, limit);
  }
};

/** A limit outside of 1 to 200 is refused, or replaced and reported. Scripts tell the three by what is expected. */
function judgeOutside(reply: Reply, asked: number, { expect }: Judge): void {
  const { limit } = paginationOf(reply);
  const id = asked < 1 ? 'pagination-limit-below' : 'pagination-limit-above';
  const outside = 'a limit outside of 1 to 200 should be refused or replaced by one within';
  const { length } = itemsOf(reply);
  if (!wasAccepted(reply)) {
    // A refusal for the caller or for the rate limit says nothing of the limit.
    if (isOutage(reply) || [400, 422].includes(reply.status))
      expect(id, reply, reply.status < 500, outside, { expected: '400 or 422' });
  } else if (Number.isInteger(limit) && isLimit(String(limit))) {
    expect(id, reply, length <= limitMax, outside, { expected: 'at most 200 records', actual: length });
  } else {
    const expected = 'a pagination.limit from 1 to 200, or 400 or 422';
    expect(id, reply, false, `${outside}: pagination.limit is not`, { expected, actual: limit });
  }
}

/** The requested limit, or the default, is reported, and no page is longer. */
function judgeEffect(reply: Reply, asked: string | null, { replies }: World, { expect }: Judge): void {
  const { limit } = paginationOf(reply);
  if ((asked !== null && !isLimit(asked)) || (asked === null && queryOf(reply).has('sort'))) return;
  const [expected, length] = [Number(asked ?? defaultLimit), itemsOf(reply).length];
  const isBound = (expected === 1 || expected === limitMax) && !queryOf(reply).has('cursor');
  const ofBounds = isBound ? 'pagination-limit-bounds' : 'pagination-limit-reported';
  const id = asked === null ? 'pagination-limit-default' : ofBounds;
  // A limit that is no integer violates another requirement.
  if (Number.isInteger(limit))
    expect(id, reply, limit === expected, `pagination.limit should be ${expected}`, { expected, actual: limit });
  const message = `a page should hold at most ${expected} records`;
  const ofLength = asked === null ? 'pagination-limit-default' : 'pagination-limit-respected';
  if (asked === null && !Number.isInteger(limit)) return;
  const isBefore = (one: Reply): boolean =>
    one.id <= reply.after && writeOf(one)?.does === 'delete' && listOf(pathOf(one)) === pathOf(reply);
  // A deleted record may have come back.
  const because = length > expected ? replies.filter(isBefore).slice(-1) : [];
  const found = { expected: `at most ${expected} records`, actual: length, because };
  expect(ofLength, reply, length <= expected, message, found);
}

/** Limits of 1 and 200 are accepted. */
function judgeRefused(reply: Reply, asked: string, { callers }: World, { expect }: Judge): void {
  const isAlone = reply.undocumented === undefined && queryOf(reply).size === 1;
  const isRefused = [400, 422].includes(reply.status) && reply.request.headers['x-origin-app'] !== undefined;
  if (!isAlone || !isRefused || !callers.isServed(reply) || callers.mayBeOnOtherAccount(reply)) return;
  expect('pagination-limit-bounds', reply, false, `a limit of ${asked} should be accepted`, { expected: 200 });
}

/** A later page with another limit, or with none, has that limit or still the one before. */
function judgeLater(reply: Reply, former: unknown, { expect }: Judge): void {
  const { limit } = paginationOf(reply);
  const asked = queryOf(reply).get('limit');
  if (isShown(reply) || limit === former || !Number.isInteger(limit)) return;
  const expected = `${asked ?? defaultLimit}, or ${String(former)} as on the page before`;
  if (asked === null) {
    const message = 'a later page without limit should have a limit of 50';
    expect('pagination-limit-default', reply, limit === defaultLimit, message, { expected, actual: limit });
  } else if (isLimit(asked)) {
    const actual = itemsOf(reply).length;
    const message = `a later page should hold at most ${asked} records`;
    expect('pagination-limit-respected', reply, actual <= Number(asked), message, { expected, actual });
  }
}

/** total and has_more of the team list, in one page. */
const team: Rule = ({ replies }, { expect }) => {
  for (const reply of replies.filter(isPlainTeam)) {
    const { total, has_more } = paginationOf(reply);
    if (!Array.isArray(dataOf(reply)) || !Number.isInteger(total) || typeof has_more !== 'boolean') continue;
    const { length: expected } = itemsOf(reply);
    // If has_more is false, the first page is the whole list.
    const isCounted = has_more ? Number(total) >= expected : total === expected;
    const message = 'total should be the number of members';
    if (!expect('pagination-total-exact', reply, isCounted, message, { expected, actual: total })) continue;
    const isRight = !has_more || total !== expected;
    const more = { expected: false, actual: has_more };
    expect('pagination-has-more-last', reply, isRight, 'has_more should say that nothing remains', more);
  }
};

/** The team's row names no parameters. */
const isPlainTeam = (reply: Reply): boolean =>
  reply.operation === 'GET /account/team' && isShown(reply) && queryOf(reply).size === 0;

export const paginationRules = rules([], pages, totals, ...[sorted, offsets, slices], restricted, kept, limits, team);
