// Refused writes leave no record and delete none, whoever sent them and whoever reads.
import type { JudgedId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { type Reply, wasAccepted } from '../client/reply.ts';
import { defined } from '../runtime/defined.ts';
import { computedOnce, grouped } from '../runtime/grouped.ts';
import { isAmidDeletions } from './existence.ts';
import type { Rule } from './judge.ts';
import { kindShown, markedRecordsIn } from './marks.ts';
import { isWholeList, type Lack, noteListsOf } from './note-lists.ts';
import { tokenOf } from './request.ts';
import type { World } from './world.ts';
import { writeOf } from './writes.ts';

/** The requirement for a refused write; undefined where the area has none. */
type IdOf<Id extends JudgedId> = (refused: Reply, world: World) => Id | undefined;

/** A 401 is never the replay of an earlier reply. */
const isRefused = ({ status, mayReplay }: Reply): boolean =>
  status === 401 || ([400, 403, 404, 413, 415, 422, 429].includes(status) && !mayReplay);

/** Refused for its contents or its sender, in a request that the document fully describes. */
export const refusedAs =
  <Id extends JudgedId>(creation: OperationId, idOf: IdOf<Id>): IdOf<Id> =>
  (one, world) =>
    one.operation === creation && [400, 403, 404, 422].includes(one.status) && !one.undocumented
      ? idOf(one, world)
      : undefined;

/** No read shows a text that only refused creations and edits sent. */
export const leftNothingRule =
  <Id extends JudgedId>(idOf: IdOf<Id>): Rule<Id> =>
  (world, { expect, count }) => {
    const refused = world.replies.flatMap((by) => {
      const [kind, id] = [writeOf(by)?.kind, isRefused(by) ? idOf(by, world) : undefined];
      return kind === undefined || id === undefined ? [] : [{ kind, id, by }];
    });
    const firsts = [...grouped(refused, ({ kind, id }) => `${kind} ${id}`).values()].flatMap(([first]) => first ?? []);
    for (const reply of world.replies.filter(wasAccepted)) {
      const due = firsts.filter(({ kind, by }) => kind === kindShown(reply) && by.id <= reply.after);
      for (const { id } of due) count(id, reply);
    }
    for (const { reply, record, writes, isOpen } of markedRecordsIn(world)) {
      if (isOpen || !writes.every(isRefused)) continue;
      const by = writes.findLast((one) => writeOf(one)?.kind === kindShown(reply) && one.id <= reply.after);
      const id = by && idOf(by, world);
      if (by === undefined || id === undefined) continue;
      expect(id, reply, false, 'a refused write should leave nothing behind', {
        ...{ expected: 'no such record', actual: record, because: [by] },
        ...defined({ operation: by.operation }),
      });
    }
  };

/** Notes and keys still exist if every deletion was refused; blames the first since a reply showed the record. */
export const stillThereRule =
  <Id extends JudgedId>(idOf: IdOf<Id>): Rule<Id> =>
  (world, { expect }) => {
    for (const { reply, deletions, last, isGone, expected } of expectedIn(world)) {
      const ours = isGone ? deletions : deletions.filter((one) => idOf(one, world) !== undefined);
      const by = ours.find(({ id, after }) => id > (last?.id ?? 0) && after < reply.id);
      const id = by && by.id <= reply.after ? idOf(by, world) : undefined;
      const found = { expected, actual: isGone ? 'gone' : 'there', because: by ? [by] : [] };
      if (id !== undefined) expect(id, reply, !isGone, 'what a refused deletion named should still be there', found);
    }
  };

interface Expected {
  /** Shows whether the record still exists. */
  readonly reply: Reply;
  /** Those that were refused. */
  readonly deletions: readonly Reply[];
  /** If the record is gone: the last reply that showed it. */
  readonly last: Reply | undefined;
  readonly isGone: boolean;
  readonly expected: string;
}

const expectedIn = computedOnce((world: World): readonly Expected[] => [...notesIn(world), ...keysIn(world)]);

/** For every note that a complete list must show. */
function notesIn(world: World): readonly Expected[] {
  const lists = noteListsOf(world);
  return lists.pages.filter(isWholeList).flatMap((page) => {
    const lacks = lists.missing(page).filter(({ isLost }) => isLost);
    const { must = [] } = lists.expected(page) ?? {};
    return must.flatMap((note): Expected[] => {
      const lack = lacks.find((one) => one.note === note);
      const due = { reply: page.reply, deletions: note.refusedDeletions, last: lack?.last?.reply };
      const isOpen = lack !== undefined && mayHaveOtherCause(lack, world);
      return isOpen ? [] : [{ ...due, isGone: lack !== undefined, expected: `note ${note.id} in the list` }];
    });
  });
}

/** For every request with a key of which each revocation was refused. */
function keysIn({ replies, keys }: World): readonly Expected[] {
  return replies.flatMap((reply): Expected[] => {
    const token = tokenOf(reply);
    const key = keys.of(token);
    if (!key?.attempts.some(({ after }) => after < reply.id) || !keys.hasLivingMaker(key, reply)) return [];
    if (!key.attempts.every((one) => one.after >= reply.id || isRefused(one))) return [];
    const isGone = reply.status === 401;
    const isShown = (one: Reply): boolean => one.id < reply.id && tokenOf(one) === token && wasAccepted(one);
    const last = isGone ? replies.findLast(isShown) : undefined;
    return [{ reply, deletions: key.attempts, last, isGone, expected: 'any status but 401' }];
  });
}

/** It was never listed, a deletion under another company named it, or other notes of the list were deleted meanwhile. */
const mayHaveOtherCause = ({ note, page, last }: Lack, world: World): boolean =>
  last === undefined ||
  note.misplacedDeletions.length > 0 ||
  isAmidDeletions(note, last.reply.id, page.reply.after, world);
