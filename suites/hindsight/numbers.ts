// Identifiers that creations gave out: integers, and two records of one user have two, however close together they were made.
import {
  dataOf,
  identifierOf,
  type JudgedId,
  type OperationId,
  type RecordKind,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { createNote } from '../shared/note-operations.ts';
import { keyOf } from '../shared/surroundings.ts';
import { creations } from './history.ts';
import { wrong } from './judgement.ts';
import { pathOf } from './sent.ts';
import { viewersOf } from './viewers.ts';

/** That of a contact is not described. */
const duties: { readonly [Kind in RecordKind]?: JudgedId } = {
  company: 'companies-create-id',
  note: 'notes-create-id',
  key: 'api-keys-create-id',
};
export const numberIds: readonly JudgedId[] = [...Object.values(duties), 'idempotency-key-none'];

/** They may be one operation: what the second shows of the first is judged with repeats. */
const mayBeOne = (one: Reply, other: Reply): boolean =>
  one.request.body === other.request.body || (keyOf(one) !== undefined && keyOf(one) === keyOf(other));

/** Sent twice without a key it is two operations, also where it is the same. */
const keyless = (first: Reply, reply: Reply, id: number | string): Wrong =>
  wrong('idempotency-key-none', createNote, 'two creations without a key should make two notes', {
    ...{ expected: 'another note', actual: `note ${id} again`, replies: [first, reply] },
  });

/** What it made, and how its requirement calls it; undefined where it says nothing of identifiers. */
function dutyOf({ operation, mayReplay, undocumented, status }: Reply): readonly [RecordKind, JudgedId] | undefined {
  const kind = operation && creations[operation];
  const duty = kind && duties[kind];
  if (kind === undefined || duty === undefined || !wasAccepted({ status }) || mayReplay || undocumented)
    return undefined;
  return [kind, duty];
}

export function judgeNumbers({ replies }: Story): readonly Wrong[] {
  const viewers = viewersOf(replies);
  // What is gone leaves its number free.
  const deleted = new Set(replies.filter(({ request }) => request.method === 'DELETE').map(pathOf));
  const born = new Map<string, Reply>();
  return replies.flatMap((reply): readonly Wrong[] => {
    const [kind, duty] = dutyOf(reply) ?? [];
    if (kind === undefined || duty === undefined) return [];
    const id = identifierOf(kind, dataOf(reply));
    const viewer = viewers.of(reply);
    const path = `${pathOf(reply)}/${id}`;
    if (id !== undefined && !Number.isInteger(id)) {
      const found = { expected: 'an integer', actual: id, replies: [reply] };
      return [wrong(duty, reply.operation as OperationId, `the identifier of a ${kind} should be an integer`, found)];
    }
    if (id === undefined || viewer === undefined || deleted.has(path)) return [];
    const first = born.get(`${viewer} ${path}`);
    born.set(`${viewer} ${path}`, first ?? reply);
    if (first === undefined) return [];
    if (kind === 'note' && keyOf(first) === undefined && keyOf(reply) === undefined) return [keyless(first, reply, id)];
    if (mayBeOne(first, reply)) return [];
    const found = { expected: 'another identifier', actual: id, replies: [first, reply] };
    return [wrong(duty, reply.operation as OperationId, 'two creations should make two records', found)];
  });
}
