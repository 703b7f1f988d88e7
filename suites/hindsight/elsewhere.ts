// Sessions that name no account: one may have been on none when it asked, or on another than that of the record it asked for.
import { computedOnce, type Reply, wasAccepted } from '../../lib/index.ts';
import { unheededIn } from './heeded.ts';
import { mayBeHomeless } from './sent.ts';

const namesRecord = ({ operation }: Reply): boolean =>
  operation === 'POST /contacts' || operation?.includes('{') === true;
const placeOf = ({ operation, credential }: Reply): string => `${operation} ${credential}`;

/**
 * Whether a refusal may mean that. What was once carried out on the account that is stored shows that there is one, and
 * nothing in the document takes it away again.
 */
export const mayBeElsewhereIn = computedOnce((replies: readonly Reply[]): ((reply: Reply) => boolean) => {
  const served = new Map<string, number>();
  const unheeded = unheededIn(replies);
  const isHomeless = (reply: Reply): boolean => mayBeHomeless(reply) || unheeded.has(reply.credential);
  for (const reply of replies)
    if (mayBeHomeless(reply) && wasAccepted(reply) && !reply.undocumented)
      served.set(placeOf(reply), Math.min(reply.id, served.get(placeOf(reply)) ?? reply.id));
  return (reply) => isHomeless(reply) && (namesRecord(reply) || reply.after < (served.get(placeOf(reply)) ?? Infinity));
});
