// Whether X-Active-Account is heeded: a target that acts as if a value were not there may do so with any that it does not know.
import { computedOnce, dataOf, type OperationId, type Reply, textsIn, wasAccepted } from '../../lib/index.ts';
import { isSession } from './sent.ts';

/** What is read there is that of an account. */
const ofAccount: readonly (OperationId | undefined)[] = ['GET /companies', 'GET /contacts', 'GET /api-keys'];

const accountIn = ({ request }: Reply): string | undefined => request.headers['x-active-account'];

/** Sessions, by their names, that were served under a value that no list of their accounts shows: it was ignored. */
export const unheededIn = computedOnce((replies: readonly Reply[]): ReadonlySet<string> => {
  const shown = new Set(
    replies.filter(({ operation }) => operation === 'GET /me/accounts').flatMap((reply) => textsIn(dataOf(reply))),
  );
  const isIgnored = (reply: Reply): boolean => {
    const account = accountIn(reply);
    const isUnknown = account !== undefined && !/^\d+$/.test(account) && !shown.has(account);
    return isUnknown && isSession(reply.credential) && ofAccount.includes(reply.operation) && wasAccepted(reply);
  };
  return new Set(replies.filter(isIgnored).map(({ credential }) => credential));
});
