// What deletions of notes answer, whoever asks: deleted, and true of a note that was there.
import { at, dataOf, isObject, type JudgedId, type Story, type Wrong, wasAccepted } from '../../lib/index.ts';
import { deleteNote } from '../shared/note-operations.ts';
import { wrong } from './judgement.ts';
import { madeIn } from './made.ts';

export const deletionIds = ['notes-delete-result'] as const satisfies readonly JudgedId[];

export function judgeDeletions({ replies }: Story): readonly Wrong[] {
  const made = madeIn(replies);
  const deletions = replies.filter(({ operation }) => operation === deleteNote);
  return deletions.flatMap((reply): readonly Wrong[] => {
    const data = dataOf(reply);
    if (!wasAccepted(reply) || reply.mayReplay || reply.undocumented || !isObject(data)) return [];
    const deleted = at(data, 'deleted');
    if (made.wasThere(reply) ? deleted === true : typeof deleted === 'boolean') return [];
    const found = { expected: true, actual: deleted, replies: [reply] };
    return [wrong('notes-delete-result', deleteNote, 'a deletion should answer with deleted true', found)];
  });
}
