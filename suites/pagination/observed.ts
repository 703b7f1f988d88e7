// What cursors and the order of lists are like, where the document leaves it open.
import { at, type Context, itemsOf, type Reply } from '../../lib/index.ts';
import { answerOf, wasAccepted } from '../shared/answer.ts';
import { ask, identitiesOf, type List, nextCursorOf, notes, paginationOf } from './lists.ts';
import type { FilledNotes } from './notes.ts';
import type { Walk } from './walk.ts';

export const observedIds = [
  'pagination-cursor-later',
  'pagination-next-cursor-last',
  'pagination-short-pages',
  'pagination-cursor-reuse',
  'pagination-cursor-garbage',
  'pagination-list-order',
  'pagination-offset-unsorted',
] as const;
type Observing = Context<(typeof observedIds)[number], never>;

const emptiness = (value: unknown): string => (value === undefined ? 'absent' : value === null ? 'null' : typeof value);

function cursorAnswer(reply: Reply, sent: string): string {
  const { cursor } = paginationOf(reply);
  if (typeof cursor !== 'string' || cursor === '') return emptiness(cursor);
  return cursor === sent ? 'the one that was sent' : 'another text';
}

const isShort = (reply: Reply): boolean =>
  paginationOf(reply).has_more === true && itemsOf(reply).length < Number(paginationOf(reply).limit);

const sentCursor = (reply: Reply): string | null => new URL(reply.request.url).searchParams.get('cursor');

function observePages(walks: readonly Walk[], { observe }: Observing): void {
  const replies = walks.flatMap((one) => one.replies);
  if (!replies.some((reply) => sentCursor(reply) !== null)) observe('pagination-cursor-later', 'no later page came');
  if (!replies.some((reply) => paginationOf(reply).has_more === false))
    observe('pagination-next-cursor-last', 'no last page came');
  for (const reply of replies) {
    const sent = sentCursor(reply);
    if (sent !== null) observe('pagination-cursor-later', cursorAnswer(reply, sent), reply);
    const { has_more, next_cursor } = paginationOf(reply);
    if (has_more === false) observe('pagination-next-cursor-last', emptiness(next_cursor), reply);
  }
  const short = replies.filter(isShort);
  observe('pagination-short-pages', short.length > 0 ? 'yes' : 'no', ...short);
}

/** Where new records stood, among pages read while they came. */
function orderOf({ made, order, plain }: FilledNotes, inserts: Walk): string {
  if (!plain) return 'cannot be seen';
  const created = made.map(({ id }) => String(id));
  const same = (other: readonly string[]) => other.every((id, index) => id === order[index]);
  const name = same(created)
    ? 'oldest first'
    : same(created.toReversed())
      ? 'newest first'
      : 'neither by time of creation';
  const late = inserts.delivered.some((id) => !created.includes(id));
  return `${name}; records added during a traversal ${late ? 'appear in it' : 'do not appear in it'}`;
}

async function observeCursors({ list }: FilledNotes, { observe }: Observing): Promise<void> {
  const first = await ask(list, { limit: 1 });
  const cursor = nextCursorOf(first);
  if (cursor === undefined) {
    observe('pagination-cursor-reuse', 'no cursor to try', first);
  } else {
    const [once, again] = [await ask(list, { limit: 1, cursor }), await ask(list, { limit: 1, cursor })];
    const same = JSON.stringify(at(once.json, 'data')) === JSON.stringify(at(again.json, 'data'));
    observe('pagination-cursor-reuse', wasAccepted(again) && same ? 'yes' : `no: ${answerOf(again)}`, once, again);
  }
  const garbage = await ask(list, { limit: 1, cursor: 'Y292ZW5hbnQ' }, { undocumented: true });
  observe('pagination-cursor-garbage', answerOf(garbage), garbage);
}

/** The second record alone, if offset counts. */
function offsetAnswer(reply: Reply, order: readonly string[]): string {
  if (!wasAccepted(reply)) return answerOf(reply);
  const [shown] = identitiesOf(notes, reply);
  const place = order.indexOf(shown ?? '');
  return place === 1 ? 'it skips records' : place === 0 ? 'it is ignored' : 'another page';
}

async function observeOffset(list: List, order: readonly string[], { observe }: Observing): Promise<void> {
  const reply = await ask(list, { limit: 1, offset: 1 }, { undocumented: true });
  observe('pagination-offset-unsorted', offsetAnswer(reply, order), reply);
}

/** Before the list is disturbed. */
export async function observeLists(noteList: FilledNotes, context: Observing): Promise<void> {
  observePages([noteList.whole, ...noteList.walks], context);
  await observeCursors(noteList, context);
  await observeOffset(noteList.list, noteList.order, context);
}

export function observeOrder(noteList: FilledNotes, inserts: Walk, { observe }: Observing): void {
  observe('pagination-list-order', orderOf(noteList, inserts), ...inserts.replies.slice(0, 2));
}
