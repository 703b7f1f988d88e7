// Observes what the document leaves open: cursors, the order of lists, and the team list.
import {
  type Api,
  at,
  type Call,
  type Context,
  isByOffset,
  itemsOf,
  type Note,
  queryOf,
  type Reply,
  type Traversal,
  wasAccepted,
} from '../../lib/index.ts';
import { answerOf, kindOf } from '../shared/answer.ts';
import { nextCursorOf } from '../shared/cursor.ts';
import { ask, identitiesOf, type List, notes, paginationOf, shownBy } from './lists.ts';

export const observedIds = [
  'pagination-cursor-later',
  'pagination-next-cursor-last',
  'pagination-short-pages',
  'pagination-cursor-reuse',
  'pagination-cursor-garbage',
  'pagination-list-order',
  'pagination-offset-unsorted',
  'pagination-team-mode',
] as const;
type Observing = Pick<Context<(typeof observedIds)[number], never>, 'observe'>;

const isSame = (one: Reply, other: Reply): boolean =>
  JSON.stringify(at(one.json, 'data')) === JSON.stringify(at(other.json, 'data'));

/** Observes a list of notes before it is changed. */
export async function observeLists(
  list: List,
  walks: readonly (Traversal | undefined)[],
  order: readonly string[],
  { observe }: Observing,
): Promise<void> {
  const replies = walks.flatMap((one) => one?.replies ?? []);
  observePages(replies, { observe });
  const first = await ask(list, { limit: 1 });
  const cursor = nextCursorOf(first);
  if (cursor === undefined) {
    observe('pagination-cursor-reuse', 'no cursor to try', first);
  } else {
    const [once, again] = [await ask(list, { limit: 1, cursor }), await ask(list, { limit: 1, cursor })];
    const isReused = wasAccepted(again) && isSame(once, again);
    observe('pagination-cursor-reuse', isReused ? 'yes' : `no: ${answerOf(again)}`, once, again);
  }
  const garbage = await ask(list, { limit: 1, cursor: 'Y292ZW5hbnQ' }, { undocumented: true });
  observe('pagination-cursor-garbage', answerOf(garbage), garbage);
  const second = await ask(list, { limit: 1, offset: 1 }, { undocumented: true });
  const place = order.indexOf(shownBy(notes, second)[0] ?? '');
  const answer = place === 1 ? 'it skips records' : place === 0 ? 'it is ignored' : 'another page';
  observe('pagination-offset-unsorted', wasAccepted(second) ? answer : answerOf(second), second);
}

function observePages(replies: readonly Reply[], { observe }: Observing): void {
  const later = replies.filter((reply) => queryOf(reply).has('cursor'));
  for (const reply of later) {
    const { cursor } = paginationOf(reply);
    const isSent = cursor === queryOf(reply).get('cursor');
    const text = isSent ? 'the one that was sent' : 'another text';
    observe('pagination-cursor-later', typeof cursor === 'string' && cursor !== '' ? text : kindOf(cursor), reply);
  }
  if (later.length === 0) observe('pagination-cursor-later', 'no later page came');
  const last = replies.filter((reply) => paginationOf(reply).has_more === false);
  for (const reply of last) observe('pagination-next-cursor-last', kindOf(paginationOf(reply).next_cursor), reply);
  if (last.length === 0) observe('pagination-next-cursor-last', 'no last page came');
  const short = replies.filter((reply) => {
    const { has_more, limit } = paginationOf(reply);
    return has_more === true && itemsOf(reply).length < Number(limit);
  });
  observe('pagination-short-pages', short.length > 0 ? 'yes' : 'no', ...short);
}

/** Where new notes appear in the list, and in pages read while they were made. */
export function observeOrder(
  made: readonly Note[],
  order: readonly string[],
  inserts: Traversal | undefined,
  { observe }: Observing,
): void {
  const created = made.map(({ id }) => String(id));
  const isOrder = (other: readonly string[]) => other.every((id, index) => id === order[index]);
  const turned = isOrder(created.toReversed()) ? 'newest first' : 'neither by time of creation';
  const late = identitiesOf(notes, inserts?.items ?? []).some((id) => !created.includes(id));
  const isSeen = inserts?.complete === true && order.length === created.length;
  const answer = `${isOrder(created) ? 'oldest first' : turned}; records added during a traversal ${late ? 'appear in it' : 'do not appear in it'}`;
  observe('pagination-list-order', isSeen ? answer : 'cannot be seen', ...(inserts?.replies.slice(0, 2) ?? []));
}

/** The team's row names no parameters: reads it without, and observes the effect of limit, cursor and offset. */
export async function observeTeam(api: Api, { observe }: Observing): Promise<void> {
  const list: List = { operation: 'GET /account/team', api };
  const [plain] = [await ask(list), await ask(list)];
  const tried = async (query: NonNullable<Call['query']>) => {
    const reply = await ask(list, query, { undocumented: true });
    const answer = isSame(reply, plain) ? 'ignored' : 'used';
    return { reply, answer: `${Object.keys(query)[0]}: ${wasAccepted(reply) ? answer : answerOf(reply)}` };
  };
  const all = [await tried({ limit: 1 }), await tried({ offset: 1 })];
  const cursor = all[0] && nextCursorOf(all[0].reply);
  if (cursor !== undefined) all.push(await tried({ cursor }));
  const pagination = paginationOf(plain);
  const hasCursor = 'cursor' in pagination || 'next_cursor' in pagination;
  const mode = isByOffset(plain) ? 'offset' : hasCursor ? 'cursor' : 'its page shows neither cursor nor offset';
  observe('pagination-team-mode', [mode, ...all.map(({ answer }) => answer)].join('; '), plain);
}
