// Groups of operations, and the duties of every success and of every error.
import { judgedIds, type OperationId, operationIds, operations, type Reply } from '../../lib/index.ts';

/** Whether it is the reply to one of these. */
export const isOf = (some: readonly OperationId[], { operation }: Reply): boolean =>
  operation !== undefined && some.includes(operation);

export const protectedIds: readonly OperationId[] = operationIds.filter((id) => operations[id].protected);

/** Reads that need no record. */
export const plainReads: readonly OperationId[] = operationIds.filter(
  (id) => operations[id].rate === 'read' && !id.includes('{'),
);

/** Plain reads that need a credential. */
export const protectedReads: readonly OperationId[] = plainReads.filter((id) => protectedIds.includes(id));

/** Reads of a company or its notes. */
export const readsById: readonly OperationId[] = operationIds.filter(
  (id) => operations[id].rate === 'read' && id.includes('{'),
);

/** Operations that name or write a record; they are tried on records of the run. */
export const recordOperations: readonly OperationId[] = protectedIds.filter((id) => !plainReads.includes(id));

/** The lists of an account's records. */
export const collections = ['GET /companies', 'GET /contacts'] as const satisfies readonly OperationId[];

export const successDuties = judgedIds.filter((id) => /^envelope-(?!origin-app|request-charset|valid-served)/.test(id));

export const errorDuties = judgedIds.filter((id) => /^errors-body-/.test(id));
