// Whether the record in a request's path existed and its sender may see it, so that a refusal is due to the body.
import { type Reply, wasAccepted } from '../client/reply.ts';
import { companyOfNotes, deleteNote, listOf, pathOf } from './request.ts';
import { windowOf } from './timeline.ts';
import type { StoredRecord, World } from './world.ts';

/** The note in the path, or the company whose notes it names. */
const namedBy = (reply: Reply, world: World): StoredRecord | undefined => world.at(companyOfNotes(pathOf(reply)));

/**
 * Whether the record existed in a company that the sender sees. After a deletion that was refused, or sent under another
 * company, a 404 counts as deleted: other requirements judge whether that deletion took effect.
 */
export function wasThere(reply: Reply, world: World): boolean {
  const record = namedBy(reply, world);
  if (record === undefined || !world.sees(reply) || record.exists.certain(windowOf(reply), reply)?.value !== true)
    return false;
  const open = [...record.refusedDeletions, ...record.misplacedDeletions].filter(
    (one) => one !== reply && one.after < reply.id && one.status !== 401,
  );
  return !open.some((one) => reply.status === 404 || one.status >= 500);
}

/** Whether another note of the list was deleted between two replies. */
export const isAmidDeletions = (record: StoredRecord, from: number, to: number, world: World): boolean =>
  world.replies.some(
    (one) =>
      one.operation === deleteNote &&
      wasAccepted(one) &&
      one.id > from &&
      one.id <= to &&
      listOf(pathOf(one)) === listOf(record.path) &&
      pathOf(one) !== record.path,
  );
