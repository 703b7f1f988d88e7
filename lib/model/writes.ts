// Which operations create, edit and delete a record, and which record a creation made.
import type { OperationId } from '../catalogue/operations.ts';
import { dataOf, identifierOf, type RecordKind, type Reply, type Sent, wasAccepted } from '../client/reply.ts';
import { createNote, deleteNote, editNote } from './request.ts';

interface Write {
  readonly kind: RecordKind;
  readonly does: 'create' | 'edit' | 'delete';
}

const writes: { readonly [Id in OperationId]?: Write } = {
  'POST /companies': { kind: 'company', does: 'create' },
  'PATCH /companies/{company_id}': { kind: 'company', does: 'edit' },
  'POST /contacts': { kind: 'contact', does: 'create' },
  [createNote]: { kind: 'note', does: 'create' },
  [editNote]: { kind: 'note', does: 'edit' },
  [deleteNote]: { kind: 'note', does: 'delete' },
  'POST /api-keys': { kind: 'key', does: 'create' },
};
export const writeOf = ({ operation }: Pick<Reply, 'operation'>): Write | undefined => operation && writes[operation];

/** The identifier that a creation returned; undefined where it was refused or makes nothing. */
export const createdIn = (reply: Reply): number | string | undefined => {
  const write = writeOf(reply);
  return write?.does === 'create' && wasAccepted(reply) ? identifierOf(write.kind, dataOf(reply)) : undefined;
};

/**
 * Whether the final reply shows that the request was refused each time, or took effect exactly once: as edits,
 * deletions and creations under an Idempotency-Key do.
 */
const isSettled = ({ method, headers }: Sent, answer = 500): boolean =>
  [400, 401, 403, 422].includes(answer) ||
  (answer === 404 && method !== 'DELETE') ||
  (answer < 300 && (method !== 'POST' || headers['idempotency-key'] !== undefined));

/** The lost requests whose effect no later reply shows. */
export function unsettled(lost: readonly Sent[], replies: readonly Reply[]): readonly Sent[] {
  const answers = new Map(replies.map((reply) => [reply.request, reply]));
  const deletions = replies.filter((one) => one.request.method === 'DELETE' && wasAccepted(one));
  // The same sender had deleted it before.
  const wasDeleted = ({ credential, after, request: { method, url } }: Reply): boolean =>
    method === 'DELETE' &&
    deletions.some((one) => one.request.url === url && one.credential === credential && one.id <= after);
  return lost.filter((one) => {
    const answer = answers.get(one);
    return !isSettled(one, answer?.status) && !(answer && wasDeleted(answer));
  });
}
