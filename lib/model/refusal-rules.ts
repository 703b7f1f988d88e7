// Invalid bodies of authorized senders are refused with the documented statuses.
import type { JudgedId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { dataOf, identifierOf, type JsonObject, type Reply, wasAccepted } from '../client/reply.ts';
import { grouped } from '../runtime/grouped.ts';
import { wasThere } from './existence.ts';
import type { Rule } from './judge.ts';
import {
  bodyOf,
  callerOf,
  createNote,
  deleteNote,
  idempotencyKeyOf,
  isOutage,
  listOf,
  pathOf,
  saysJson,
} from './request.ts';
import type { World } from './world.ts';

/** The requirement that a body violates, and the statuses that may refuse it. */
export type Defect<Id extends JudgedId> = readonly [id: Id, statuses: readonly number[]];
/** Undefined where the body is valid. `isTaken`: the request was accepted, so no other defect can have refused it. */
export type DefectOf<Id extends JudgedId> = (body: JsonObject, isTaken: boolean) => Defect<Id> | undefined;
export type Defects<Id extends JudgedId> = { readonly [operation in OperationId]?: DefectOf<Id> };

/** Allowed where the document names no status for the case. */
export const either = [400, 422];
/** Statuses for a text that is too long: the document names no limit for it. */
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

/** The status says nothing about the body. A 409 may be due to another request with the Idempotency-Key. */
const isOpen = (reply: Reply): boolean =>
  [401, 429].includes(reply.status) ||
  (reply.status === 409 && idempotencyKeyOf(reply) !== undefined) ||
  (reply.status >= 500 && !isOutage(reply)) ||
  !saysJson(reply);

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
  const companies = new Set<unknown>(
    world.replies
      .filter((one) => one.operation === 'POST /companies' && wasAccepted(one))
      .map((one) => identifierOf('company', dataOf(one))),
  );
  // The target may first check that the company exists.
  const isNowhere = (reply: Reply): boolean => {
    const company = bodyOf(reply)?.company_id;
    return reply.operation === 'POST /contacts' && isIdentifier(company) && !companies.has(company);
  };
  return (reply) => {
    if (reply.status === 403 && mayBeForbidden(reply)) return false;
    // A session without an active account is refused for that.
    if (!wasAccepted(reply) && (callers.mayBeElsewhere(reply) || isNowhere(reply))) return false;
    if (reply.operation?.includes('{')) return wasThere(reply, world);
    // A sender who has never created one may lack the permission, and may get 404.
    return callers.mayCreate(reply) || (callers.isServed(reply) && reply.status !== 404);
  };
}

/** A string of digits may be read as the number. */
export const isIdentifier = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^-?\d+$/.test(value);

export const isContactType = (type: unknown): boolean => type === 'lender_contact' || type === 'sponsor';

/** All members of a company, or of a contact beside its type, have valid values. */
export const isValidRecord = ({ company_type: type = 'lender', ...texts }: JsonObject): boolean =>
  (type === 'lender' || type === 'sponsor') &&
  Object.values(texts).every((text) => typeof text === 'string' && text !== '' && text.length <= 200);
