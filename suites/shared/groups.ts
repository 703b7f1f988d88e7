// Groups of operations, and the duties of every success and of every error.
import { judgedIds, type OperationId, operationIds, operations } from '../../lib/index.ts';

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
export const onRecords: readonly OperationId[] = protectedIds.filter((id) => !plainReads.includes(id));

/** The lists of an account's records. */
export const collections = ['GET /companies', 'GET /contacts'] as const satisfies readonly OperationId[];

export const creations: readonly OperationId[] = operationIds.filter((id) => operations[id].success === 201);

export const successDuties = judgedIds.filter((id) => /^envelope-(?!origin-app|request-charset)/.test(id));

export const errorDuties = judgedIds.filter((id) => /^errors-body-/.test(id));
