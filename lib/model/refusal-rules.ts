// Invalid bodies are refused with the documented statuses, and refused writes leave no record and delete none.
import type { JudgedId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { dataOf, identifierOf, type JsonObject, type Reply, wasAccepted } from '../client/reply.ts';
import { defined } from '../runtime/defined.ts';
import { computedOnce, grouped } from '../runtime/grouped.ts';
import { isAmidDeletions, wasThere } from './existence.ts';
import type { Rule } from './judge.ts';
import { kindShown, markedRecordsIn } from './marks.ts';
import { isWholeList, type MissingNote, noteListsOf } from './note-lists.ts';
import {
  bodyOf,
  callerOf,
  createNote,
  deleteNote,
  idempotencyKeyOf,
  listOf,
  pathOf,
  saysJson,
  saysNothing,
  tokenOf,
} from './request.ts';
import type { World } from './world.ts';
import { writeOf } from './writes.ts';

/** The requirement that a body violates, and the statuses that may refuse it. */
export type Defect<Id extends JudgedId> = readonly [id: Id, statuses: readonly number[]];
/** Undefined if the body is valid. `isAccepted`: the request was accepted, so no other defect can have refused it. */
export type DefectOf<Id extends JudgedId> = (body: JsonObject, isAccepted: boolean) => Defect<Id> | undefined;
export type Defects<Id extends JudgedId> = { readonly [operation in OperationId]?: DefectOf<Id> };

/** Statuses for a case for which the document names none. */
export const either = [400, 422];
/** Statuses for a text that is too long: the document names no limit for it. */
export const tooLong: readonly number[] = [400, 413, 422];

export const refusalRule =
  <Id extends JudgedId>(defects: Defects<Id>): Rule<Id> =>
  (world, { expect }) => {
    const isOfBody = isOfBodyIn(world, defects);
    for (const reply of world.replies) {
      const { operation, undocumented, mayReplay } = reply;
      const body = bodyOf(reply);
      if (operation === undefined || body === undefined || undocumented || mayReplay || isOpen(reply)) continue;
      const [id, statuses] = defects[operation]?.(body, wasAccepted(reply)) ?? [];
      if (id === undefined || statuses === undefined || !isOfBody(reply)) continue;
      const found = { expected: statuses.join(' or ') };
      expect(id, reply, statuses.includes(reply.status), 'an invalid body should be rejected', found);
    }
  };

/** The status says nothing about the body. A 409 may be due to another request with the Idempotency-Key. */
const isOpen = (reply: Reply): boolean =>
  saysNothing(reply) || (reply.status === 409 && idempotencyKeyOf(reply) !== undefined) || !saysJson(reply);

/** The deletion that makes room for a new record where the number of records is limited. */
const removals: { readonly [Id in OperationId]?: OperationId } = {
  'POST /api-keys': 'DELETE /api-keys/{key_id}',
  [createNote]: deleteNote,
};

/** A 403 may be due to a permission or a maximum, unless another creation succeeds without a deletion before. */
function mayBeForbiddenIn({ replies, accounts }: World, defects: object): (reply: Reply) => boolean {
  const deletions = replies.filter((one) => one.request.method === 'DELETE' && (wasAccepted(one) || one.status >= 500));
  const placeOf = (reply: Reply): string => [callerOf(reply), reply.request.method, pathOf(reply)].join(' ');
  const accepted = grouped(
    replies.filter((one) => wasAccepted(one) && one.operation !== undefined && one.operation in defects),
    placeOf,
  );
  return (reply) => {
    const next = accepted.get(placeOf(reply))?.find((one) => one.after >= reply.id);
    if (reply.operation === undefined || next === undefined) return true;
    const removal = removals[reply.operation];
    return deletions.some(
      (one) =>
        one.operation === removal && one.id > reply.after && one.after < next.id && mayMakeRoom(one, reply, accounts),
    );
  };
}

/** A deleted note makes room in its list, a revoked key on its account. */
function mayMakeRoom(deletion: Reply, creation: Reply, accounts: World['accounts']): boolean {
  if (creation.operation === createNote) return listOf(pathOf(deletion)) === pathOf(creation);
  const [one, other] = [accounts.of(deletion), accounts.of(creation)];
  return one === undefined || other === undefined || one === other;
}

/** The sender may use the operation and the record in the path existed: the refusal is due to the body. */
function isOfBodyIn(world: World, defects: object): (reply: Reply) => boolean {
  const { callers } = world;
  const mayBeForbidden = mayBeForbiddenIn(world, defects);
  const written = world.replies.filter(wasAccepted);
  const types = grouped(
    written.filter((one) => writeOf(one)?.kind === 'company' && bodyOf(one)?.company_type !== undefined),
    (one): unknown => identifierOf('company', dataOf(one)),
  );
  const taken = new Set(written.flatMap(placeOf));
  // The target may first check that the company exists, and that it takes contacts of this type.
  const isNowhere = (reply: Reply): boolean => {
    const { company_id: company, contact_type: type } = bodyOf(reply) ?? {};
    if (reply.operation !== 'POST /contacts' || !isIdentifier(company)) return false;
    const known = types.get(company) ?? [];
    const fits = known.every((one) => String(type).startsWith(String(bodyOf(one)?.company_type)));
    return known.length === 0 || (isContactType(type) && !fits && !placeOf(reply).every((place) => taken.has(place)));
  };
  return (reply) => {
    if (reply.status === 403 && mayBeForbidden(reply)) return false;
    // A session without an active account is refused for that.
    if (!wasAccepted(reply) && (callers.mayBeOnOtherAccount(reply) || isNowhere(reply))) return false;
    if (reply.operation?.includes('{')) return wasThere(reply, world);
    // A sender who has never created one may lack the permission, and may get 404.
    return callers.mayCreate(reply) || (callers.isServed(reply) && reply.status !== 404);
  };
}

/** A string of digits may be read as the number. */
export const isIdentifier = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^-?\d+$/.test(value);

export const isContactType = (type: unknown): boolean => type === 'lender_contact' || type === 'sponsor';

/** The company of a new contact and its type: it is open which types a company takes. */
export function placeOf(reply: Reply): readonly string[] {
  const { company_id: company, contact_type: type } = bodyOf(reply) ?? {};
  return reply.operation === 'POST /contacts' ? [JSON.stringify([company, type])] : [];
}

/** All members of a company, or of a contact beside its type, have valid values. */
export const isValidRecord = ({ company_type: type = 'lender', ...texts }: JsonObject): boolean =>
  (type === 'lender' || type === 'sponsor') &&
  Object.values(texts).every((text) => typeof text === 'string' && text !== '' && text.length <= 200);

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
    const missingNotes = lists.missing(page).filter(({ isLost }) => isLost);
    const { must = [] } = lists.expected(page) ?? {};
    return must.flatMap((note): Expected[] => {
      const missingNote = missingNotes.find((one) => one.note === note);
      const due = { reply: page.reply, deletions: note.refusedDeletions, last: missingNote?.last?.reply };
      const isOpen = missingNote !== undefined && mayHaveOtherCause(missingNote, world);
      return isOpen ? [] : [{ ...due, isGone: missingNote !== undefined, expected: `note ${note.id} in the list` }];
    });
  });
}

/** For every request with a key of which each revocation was refused. */
function keysIn({ replies, keys }: World): readonly Expected[] {
  return replies.flatMap((reply): Expected[] => {
    const token = tokenOf(reply);
    const key = keys.of(token);
    if (!key?.attempts.some(({ after }) => after < reply.id) || !keys.hasLiveMaker(key, reply)) return [];
    if (!key.attempts.every((one) => one.after >= reply.id || isRefused(one))) return [];
    const isGone = reply.status === 401;
    const isShown = (one: Reply): boolean => one.id < reply.id && tokenOf(one) === token && wasAccepted(one);
    const last = isGone ? replies.findLast(isShown) : undefined;
    return [{ reply, deletions: key.attempts, last, isGone, expected: 'any status but 401' }];
  });
}

/** It was never listed, a deletion under another company named it, or other notes of the list were deleted meanwhile. */
const mayHaveOtherCause = ({ note, page, last }: MissingNote, world: World): boolean =>
  last === undefined ||
  note.misplacedDeletions.length > 0 ||
  isAmidDeletions(note, last.reply.id, page.reply.after, world);
