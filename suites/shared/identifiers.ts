// Integer identifiers of new records.
import { dataOf, expectThat, identifierOf, type Reply } from '../../lib/index.ts';

/** Kinds whose identifier is an integer in the document. */
type NumberedKind = 'company' | 'note';

/** The identifier in the reply to a creation; throws a Mismatch where it is not an integer. */
export function integerId(kind: NumberedKind, reply: Reply): number {
  const id = identifierOf(kind, dataOf(reply));
  expectThat(typeof id === 'number' && Number.isInteger(id), `a new ${kind} should have an integer identifier`, {
    expected: `an integer under id, ${kind}_id, uid or number, or in an inner record such as ref`,
    actual: id === undefined ? 'absent' : id,
    replies: reply,
  });
  return id;
}
