// Writes that lack what they need, by somebody who is served: refused as the document says, whoever sends them.
import type { JudgedId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { dataOf, identifierOf, type JsonObject, type Reply, wasAccepted } from '../client/reply.ts';
import { grouped } from '../runtime/grouped.ts';
import { wasThere } from './existence.ts';
import type { Rule } from './judge.ts';
import { bodyOf, callerOf, createNote, deleteNote, idempotencyKeyOf, isOutage, pathOf, saysJson } from './request.ts';
import type { World } from './world.ts';

/** The requirement that a body breaks, and the statuses that refuse it. */
export type Defect<Id extends JudgedId> = readonly [id: Id, statuses: readonly number[]];
/** Undefined where a body breaks none. What is taken was refused for nothing else: `isTaken` says that it was. */
export type DefectOf<Id extends JudgedId> = (body: JsonObject, isTaken: boolean) => Defect<Id> | undefined;
export type Defects<Id extends JudgedId> = { readonly [operation in OperationId]?: DefectOf<Id> };

/** Both are lawful where the document names no status for the very case. */
export const either = [400, 422];
/** What refuses a text for its length, which the document does not say. */
export const tooLong: readonly number[] = [400, 413, 422];

export const refusalRule =
  <Id extends JudgedId>(defects: Defects<Id>): Rule<Id> =>
  (world, { expect }) => {
    const isOfBody = isOfBodyIn(world, defects);
    for (const reply of world.replies) {
      const { operation, undocumented, mayReplay, status } = reply;
      const body = bodyOf(reply);
      if (operation === undefined || body === undefined || undocumented || mayReplay || isOpen(reply)) continue;
      const [id, statuses] = defects[operation]?.(body, wasAccepted(reply)) ?? [];
      if (id === undefined || statuses === undefined || !isOfBody(reply)) continue;
      const found = { expected: statuses.join(' or '), actual: status };
      expect(id, reply, statuses.includes(status), 'an invalid body should be rejected', found);
    }
  };

/** It says nothing of the body: a conflict is one with what was sent under the same Idempotency-Key. */
const isOpen = (reply: Reply): boolean =>
  [401, 429].includes(reply.status) ||
  (reply.status === 409 && idempotencyKeyOf(reply) !== undefined) ||
  (reply.status >= 500 && !isOutage(reply)) ||
  !saysJson(reply);

/** What makes room again for another one of these. */
const removals: { readonly [Id in OperationId]?: OperationId } = {
  'POST /api-keys': 'DELETE /api-keys/{key_id}',
  [createNote]: deleteNote,
};

/**
 * Forbidden for want of a right, or because there are as many as there may be: unless the sender makes another one later,
 * and nobody has made room for it until then.
 */
function mayBeForbiddenIn({ replies }: World, defects: object): (reply: Reply) => boolean {
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
    return deletions.some((one) => one.operation === removal && one.id > reply.after && one.after < next.id);
  };
}

/** The operation was for the sender, and what it names was there: so it is for the body that it is refused. */
function isOfBodyIn(world: World, defects: object): (reply: Reply) => boolean {
  const { callers } = world;
  const mayBeForbidden = mayBeForbiddenIn(world, defects);
  const companies = new Set<unknown>(
    world.replies
      .filter((one) => one.operation === 'POST /companies' && wasAccepted(one))
      .map((one) => identifierOf('company', dataOf(one))),
  );
  // That there is no such company may be said first.
  const isNowhere = (reply: Reply): boolean => {
    const company = bodyOf(reply)?.company_id;
    return reply.operation === 'POST /contacts' && isIdentifier(company) && !companies.has(company);
  };
  return (reply) => {
    if (reply.status === 403 && mayBeForbidden(reply)) return false;
    // A session without an account is refused for want of it.
    if (!wasAccepted(reply) && (callers.mayBeElsewhere(reply) || isNowhere(reply))) return false;
    if (reply.operation?.includes('{')) return wasThere(reply, world);
    // Whoever has made none may be unable to: what is not offered to them may not be found.
    return callers.mayCreate(reply) || (callers.isServed(reply) && reply.status !== 404);
  };
}

/** A text of digits may be read as the number that is meant. */
export const isIdentifier = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^-?\d+$/.test(value);

export const isContactType = (type: unknown): boolean => type === 'lender_contact' || type === 'sponsor';

/** Whatever a company has, or a contact beside its type, is as it should be. */
export const isValidRecord = ({ company_type: type = 'lender', ...texts }: JsonObject): boolean =>
  (type === 'lender' || type === 'sponsor') &&
  Object.values(texts).every((text) => typeof text === 'string' && text !== '' && text.length <= 200);
