// Who has made a record of some kind in the run, and so may make another one.
import { type Reply, wasAccepted } from '../../lib/index.ts';
import { type Families, familiesOf } from './families.ts';
import { isSession } from './sent.ts';

const makerOf = ({ operation, credential, request: { headers } }: Reply): string =>
  JSON.stringify([operation, credential, headers['x-active-account']]);
/** Keys have the rights of the user behind them (Authentication, 3). */
const familyOf = ({ operation, credential }: Reply, families: Families): string =>
  JSON.stringify([operation, 'keys', families.rootOf(credential)]);
/** Under a header it is that account that matters. */
const isOfFamily = ({ credential, request: { headers } }: Reply): boolean =>
  headers['x-active-account'] === undefined && !isSession(credential);

/** Whether the sender has made such a record under the same headers, or is a key of a user who has. */
export function makersIn(replies: readonly Reply[]): (reply: Reply) => boolean {
  const families = familiesOf(replies);
  const makers = new Set(replies.filter(wasAccepted).flatMap((reply) => [makerOf(reply), familyOf(reply, families)]));
  return (reply) => makers.has(makerOf(reply)) || (isOfFamily(reply) && makers.has(familyOf(reply, families)));
}
