// What deletions of notes answer, whoever asks: deleted, and true of a note that was there.
import {
  at,
  dataOf,
  identifierOf,
  isObject,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { pathOf } from './sent.ts';
import { viewersOf } from './viewers.ts';

export const deletionIds = ['notes-delete-result'] as const satisfies readonly JudgedId[];

const create: OperationId = 'POST /companies/{company_id}/notes';
const remove: OperationId = 'DELETE /companies/{company_id}/notes/{note_id}';

export function judgeDeletions({ replies }: Story): readonly Wrong[] {
  const viewers = viewersOf(replies);
  const made = new Map<string, Reply>();
  for (const reply of replies) {
    const id = reply.operation === create && wasAccepted(reply) ? identifierOf('note', dataOf(reply)) : undefined;
    if (id !== undefined) made.set(`${pathOf(reply)}/${id}`, reply);
  }
  const deletions = replies.filter(({ operation }) => operation === remove);
  /** Nobody else had asked for its deletion. */
  const wasThere = (reply: Reply): boolean => {
    const born = made.get(pathOf(reply));
    const viewer = viewers.of(reply);
    if (born === undefined || viewer === undefined || viewers.of(born) !== viewer || born.id > reply.after)
      return false;
    return !deletions.some((one) => one !== reply && one.after < reply.id && pathOf(one) === pathOf(reply));
  };
  return deletions.flatMap((reply): readonly Wrong[] => {
    const data = dataOf(reply);
    if (!wasAccepted(reply) || reply.mayReplay || reply.undocumented || !isObject(data)) return [];
    const deleted = at(data, 'deleted');
    if (wasThere(reply) ? deleted === true : typeof deleted === 'boolean') return [];
    const found = { expected: true, actual: deleted, replies: [reply] };
    return [wrong('notes-delete-result', remove, 'a deletion should answer with deleted true', found)];
  });
}
