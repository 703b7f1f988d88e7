// Integer identifiers of new records, and that two records have two.
import { dataOf, expectThat, identifierOf, type Reply } from '../../lib/index.ts';

/** The kinds whose identifier the document shows as an integer. */
type NumberedKind = 'company' | 'note';

/** The integer by which a record is addressed; throws a Mismatch where the reply to its creation has none. */
export function integerId(kind: NumberedKind, reply: Reply): number {
  const id = identifierOf(kind, dataOf(reply));
  expectThat(typeof id === 'number' && Number.isInteger(id), `a new ${kind} should have an integer identifier`, {
    expected: `an integer under id, ${kind}_id, uid or number, or in an inner record such as ref`,
    actual: id === undefined ? 'absent' : id,
    replies: reply,
  });
  return id;
}

export function expectApart(kind: NumberedKind, one: Reply, other: Reply): void {
  expectThat(integerId(kind, one) !== integerId(kind, other), `each new ${kind} should have an identifier of its own`, {
    expected: 'two integers',
    actual: integerId(kind, one),
    replies: [one, other],
  });
}
