// The operations in the groups in which duties of all of them are tried.
import { type OperationId, operationIds, operations } from '../../lib/index.ts';

export const protectedIds: readonly OperationId[] = operationIds.filter((id) => operations[id].protected);

/** Reads that need no record to start from. */
export const plainReads: readonly OperationId[] = operationIds.filter(
  (id) => operations[id].rate === 'read' && !id.includes('{'),
);

/** Those of them that need a credential. */
export const protectedReads: readonly OperationId[] = plainReads.filter((id) => protectedIds.includes(id));

/** Reads of a company and what hangs on it. */
export const readsById: readonly OperationId[] = operationIds.filter(
  (id) => operations[id].rate === 'read' && id.includes('{'),
);

/** Whose call must name a record or write one; they are tried on records of the run's own. */
export const onRecords: readonly OperationId[] = protectedIds.filter((id) => !plainReads.includes(id));

/** The lists of records that every account has of its own. */
export const collections = ['GET /companies', 'GET /contacts'] as const satisfies readonly OperationId[];

export const creations: readonly OperationId[] = operationIds.filter((id) => operations[id].success === 201);
