// Marks are texts that only the run writes: the records that showed one, and the writes that sent it.
import type { OperationId } from '../catalogue/operations.ts';
import { isNamedByRun } from '../client/ledger.ts';
import { type JsonObject, type RecordKind, type Reply, textsIn, wasAccepted } from '../client/reply.ts';
import { computedOnce, grouped } from '../runtime/grouped.ts';
import { bodyOf, listNotes } from './request.ts';
import { recordsIn, type World } from './world.ts';

export interface MarkedRecord {
  readonly reply: Reply;
  readonly record: JsonObject;
  readonly mark: string;
  /** All writes of the run that sent the text, accepted or not. */
  readonly writes: readonly Reply[];
  /** Another write of the text has no reply, one that a gateway may have sent, or one about a company with a shared number. */
  readonly isOpen: boolean;
}

/** In all accepted reads. */
export const markedRecordsIn = computedOnce(({ replies, history }: World): readonly MarkedRecord[] => {
  const reads = replies.filter((reply) => kindShown(reply) !== undefined && wasAccepted(reply));
  const seen = reads.flatMap((reply) =>
    recordsIn(reply).flatMap((record) => marksIn(record).map((mark) => ({ reply, record, mark }))),
  );
  const writesOf = writersIn(replies);
  const judged = new Set(replies);
  const others = history.replies.filter((one) => !judged.has(one));
  const openOf = writersIn([...others, ...(history.suspect ?? []), ...history.lost.map((request) => ({ request }))]);
  return [...grouped(seen, ({ mark }) => mark)].flatMap(([mark, all]) => {
    const [writes, isOpen] = [writesOf(mark), openOf(mark).length > 0];
    return all.map((one) => ({ ...one, writes, isOpen }));
  });
});

const kinds: { readonly [operation in OperationId]?: RecordKind } = {
  'GET /companies': 'company',
  'GET /companies/{company_id}': 'company',
  'GET /contacts': 'contact',
  'GET /api-keys': 'key',
  [listNotes]: 'note',
};

/** The kind of record that a read shows. */
export const kindShown = ({ operation }: Pick<Reply, 'operation'>): RecordKind | undefined =>
  operation && kinds[operation];

const marksIn = (value: unknown): readonly string[] => [...new Set(textsIn(value).filter(isNamedByRun))];

/** The writes that contain a mark, also in a body that is not JSON. */
function writersIn<One extends Pick<Reply, 'request'>>(all: readonly One[]): (mark: string) => readonly One[] {
  const writes = all.filter(({ request }) => request.method !== 'GET' && request.body !== undefined);
  const marked = writes.flatMap((by) => marksIn(bodyOf(by)).map((mark) => ({ mark, by })));
  const whole = grouped(marked, ({ mark }) => mark);
  const damaged = writes.filter((one) => bodyOf(one) === undefined);
  return (mark) => [
    ...(whole.get(mark) ?? []).map(({ by }) => by),
    ...damaged.filter(({ request }) => request.body?.includes(mark)),
  ];
}
