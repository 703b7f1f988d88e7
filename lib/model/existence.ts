// Whether what a request names is there, and whether the request is for its sender: what is refused then is refused for its body.
import { type Reply, wasAccepted } from '../client/reply.ts';
import { deleteNote, pathOf } from './request.ts';
import { windowOf } from './timeline.ts';
import { companyOfNotes, listOf, type StoredRecord, type World } from './world.ts';

/** The note that it names, or the company whose notes it names. */
const namedBy = (reply: Reply, world: World): StoredRecord | undefined => world.at(companyOfNotes(pathOf(reply)));

/**
 * What the request names had been made in a company that its sender sees, and nobody had deleted it. A deletion that was
 * refused may have deleted it all the same, which is a requirement of its own: so what is not found counts as gone.
 */
export function wasThere(reply: Reply, world: World): boolean {
  const record = namedBy(reply, world);
  if (record === undefined || !world.sees(reply) || record.exists.certain(windowOf(reply), reply)?.value !== true)
    return false;
  const open = [...record.refusedDeletions, ...record.misplacedDeletions].filter(
    (one) => one !== reply && one.after < reply.id && one.status !== 401,
  );
  return !open.some((one) => reply.status === 404 || wasAccepted(one) || one.status >= 500);
}

/** Whether another note of the list was deleted in a stretch of the run. */
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
