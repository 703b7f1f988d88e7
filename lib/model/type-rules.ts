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

type Read = (one: Showing<unknown>) => unknown;
type Type = 'number' | 'string';
const isOdd = (value: unknown, type: Type): boolean =>
  type === 'number' ? typeof value === 'string' : (value ?? null) !== null && typeof value !== 'string';

export const typeRule =
  <Id extends JudgedId>(kind: RecordKind, shown: { readonly [operation in OperationId]?: Id }): Rule<Id> =>
  ({ replies }, { expect, count }) => {
    const showings = replies.flatMap((reply): Showing<Id>[] => {
      const id = reply.operation && shown[reply.operation];
      const records = id && isShown(reply) ? recordsIn(reply) : [];
      return id ? records.map((record) => ({ id, reply, record, own: identifierOf(kind, record) })) : [];
    });
    const texts = members[kind].filter((name) => name !== 'company_id');
    /** What is a number, or a text, if it is one anywhere. */
    const values: readonly (readonly [name: string, type: Type, read: Read])[] = [
      ['the identifier', 'number', ({ own }) => own],
      ['org_id', 'number', ({ record }) => record.org_id],
      ...texts.map((name) => [name, 'string', ({ record }: Showing<unknown>) => record[name]] as const),
    ];
    const byId = grouped(showings, ({ own }) => String(own));
    for (const one of showings) {
      const others = byId.get(String(one.own)) ?? [];
      if (others.length > 1) count(one.id, one.reply);
      /** Two accounts may use the same number: two equal texts show that it is the same record. */
      const isSame = ({ record }: Showing<Id>): boolean =>
        texts.filter((name) => typeof record[name] === 'string' && record[name] === one.record[name]).length >= 2;
      for (const [name, type, read] of values) {
        const actual = read(one);
        const other = isOdd(actual, type) && others.find((each) => typeof read(each) === type && isSame(each));
        const message = `${name} should be a ${type === 'number' ? 'number' : 'text'} in every reply`;
        if (other) expect(one.id, one.reply, false, message, { expected: read(other), actual, because: [other.reply] });
      }
    }
  };
