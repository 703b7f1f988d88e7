// What a judgement over a whole run is: what it may find broken, and how it says so.
import { type JudgedId, Mismatch, type OperationId, type Reply, type Wrong } from '../../lib/index.ts';

interface Found {
  readonly expected: unknown;
  readonly actual: unknown;
  readonly replies: readonly Reply[];
}

/** Found in the last of the replies; what is not there is called absent. */
export const wrong = (id: JudgedId, operation: OperationId, message: string, found: Found): Wrong => ({
  id,
  operation,
  mismatch: new Mismatch({ message, ...found, actual: found.actual ?? 'absent' }),
});
