// The team list: one page as it comes, because its row names no parameters; what limit, cursor and offset do is observed.
import { type Api, type Call, type Context, expectEqual, isByOffset, type Reply } from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { judgeWalk, type traversalIds } from './judge.ts';
import { ask, identitiesOf, type List, nextCursorOf, paginationOf } from './lists.ts';
import { walk } from './walk.ts';

const operation = 'GET /account/team';
type TeamContext = Context<(typeof traversalIds)[number] | 'pagination-team-mode', never>;

/** `offset`, `cursor`, or that the page shows neither. */
function modeOf(reply: Reply): string {
  if (isByOffset(reply)) return 'offset';
  const pagination = paginationOf(reply);
  return 'cursor' in pagination || 'next_cursor' in pagination ? 'cursor' : 'its page shows neither cursor nor offset';
}

async function observeParameter(list: List, query: NonNullable<Call['query']>, plain: Reply): Promise<string> {
  const reply = await ask(list, query, { undocumented: true });
  const same = String(identitiesOf(operation, reply)) === String(identitiesOf(operation, plain));
  return `${Object.keys(query)[0]}: ${wasAccepted(reply) ? (same ? 'ignored' : 'used') : answerOf(reply)}`;
}

/** Between two readings that agree, what the page says of itself: its total, and that there is no more. */
export async function judgeTeam(api: Api, { check, observe }: TeamContext): Promise<void> {
  const list: List = { operation, api };
  const walked = await walk(list, { pagesMax: 1 });
  const after = await walk(list, { pagesMax: 1 });
  const [plain] = walked.replies;
  if (!plain) return;
  // Records whose members are not shown may be named otherwise by another node: then the page is held against itself.
  const ids = after.delivered.some((id) => walked.delivered.includes(id)) ? after.delivered : walked.delivered;
  const unchanged = String(walked.delivered) === String(ids);
  if (walked.ended) await judgeWalk(check, walked, { operation, ids, ordered: true, unchanged });
  else if (walked.delivered.length >= Number(paginationOf(plain).total))
    await check(
      'pagination-has-more-last',
      () => expectEqual(paginationOf(plain).has_more, false, 'has_more after every record was delivered', plain),
      operation,
    );
  const tried = [await observeParameter(list, { limit: 1 }, plain), await observeParameter(list, { offset: 1 }, plain)];
  const cursor = nextCursorOf(await ask(list, { limit: 1 }, { undocumented: true }));
  if (cursor !== undefined) tried.push(await observeParameter(list, { cursor }, plain));
  observe('pagination-team-mode', `${modeOf(plain)}; ${tried.join('; ')}`, plain);
}
