// Records shown more than once, also foreign ones: a text stays a text, and an identifier or organization stays a number.
import type { JudgedId } from '../catalogue/index.ts';
import type { OperationId } from '../catalogue/operations.ts';
import { identifierOf, type JsonObject, type RecordKind, type Reply } from '../client/reply.ts';
import { grouped } from '../runtime/grouped.ts';
import type { Rule } from './judge.ts';
import { members } from './members.ts';
import { isShown } from './request.ts';
import { recordsIn } from './world.ts';

interface Showing<Id> {
  readonly id: Id;
  readonly reply: Reply;
  readonly record: JsonObject;
  readonly own: number | string | undefined;
}

export const typeRule =
  <Id extends JudgedId>(kind: RecordKind, shown: { readonly [operation in OperationId]?: Id }): Rule<Id> =>
  ({ replies }, { expect, count }) => {
    const showings = replies.flatMap((reply): Showing<Id>[] => {
      const id = reply.operation && shown[reply.operation];
      const records = id && isShown(reply) ? recordsIn(reply) : [];
      return id ? records.map((record) => ({ id, reply, record, own: identifierOf(kind, record) })) : [];
    });
    const texts = members[kind].filter((name) => name !== 'company_id');
    const byId = grouped(showings, ({ own }) => String(own));
    for (const one of showings) {
      const others = byId.get(String(one.own)) ?? [];
      if (others.length > 1) count(one.id, one.reply);
      for (const { message, other, read } of differencesOf(one, others, texts)) {
        const found = { expected: read(other), actual: read(one), because: [other.reply] };
        expect(one.id, one.reply, false, message, found);
      }
    }
  };

interface Difference {
  readonly message: string;
  readonly other: Showing<unknown>;
  readonly read: (one: Showing<unknown>) => unknown;
}

/** What is a number, if it is one anywhere. */
const numbers: Readonly<Record<string, (one: Showing<unknown>) => unknown>> = {
  'the identifier': ({ own }) => own,
  org_id: ({ record }) => record.org_id,
};

function differencesOf(
  one: Showing<unknown>,
  all: readonly Showing<unknown>[],
  texts: readonly string[],
): readonly Difference[] {
  const { record } = one;
  /** Two accounts may use the same number: two equal texts show that it is the same record. */
  const isSame = (other: Showing<unknown>): boolean =>
    texts.filter((name) => typeof record[name] === 'string' && record[name] === other.record[name]).length >= 2;
  const retyped = Object.entries(numbers).flatMap(([name, read]): Difference[] => {
    const other =
      typeof read(one) === 'string' && all.find((other) => typeof read(other) === 'number' && isSame(other));
    return other ? [{ message: `${name} should be a number in every reply`, other, read }] : [];
  });
  const odd = texts
    .filter((name) => !isText(record[name]))
    .flatMap((name): Difference[] => {
      const other = all.find((other) => typeof other.record[name] === 'string' && isSame(other));
      const message = `${name} should be a text in every reply`;
      return other ? [{ message, other, read: (shown) => shown.record[name] }] : [];
    });
  return [...retyped, ...odd];
}

const isText = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';
