// Integer identifiers of new records.
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
