// Whether X-Active-Account is heeded: a target that acts as if a value were not there may do so with any that it does not know.
import { computedOnce, dataOf, type OperationId, type Reply, textsIn, wasAccepted } from '../../lib/index.ts';
import { isSession } from './sent.ts';

/** What is read there is that of an account. */
const ofAccount: readonly (OperationId | undefined)[] = ['GET /companies', 'GET /contacts', 'GET /api-keys'];

const accountIn = ({ request }: Reply): string | undefined => request.headers['x-active-account'];

/** Of sessions, under a value that no list of their accounts shows. */
const underUnknownIn = computedOnce((replies: readonly Reply[]): readonly Reply[] => {
  const shown = new Set(
    replies.filter(({ operation }) => operation === 'GET /me/accounts').flatMap((reply) => textsIn(dataOf(reply))),
  );
  return replies.filter((reply) => {
    const account = accountIn(reply);
    const isUnknown = account !== undefined && !/^\d+$/.test(account) && !shown.has(account);
    return isUnknown && isSession(reply.credential) && ofAccount.includes(reply.operation);
  });
});

/** Sessions, by their names, that were served under such a value: it was ignored. */
export const unheededIn = computedOnce(
  (replies: readonly Reply[]): ReadonlySet<string> =>
    new Set(
      underUnknownIn(replies)
        .filter(wasAccepted)
        .map(({ credential }) => credential),
    ),
);

/** Such a value was refused each time that it was tried: one that is served is understood. */
export function isHeededIn(replies: readonly Reply[], session: string): boolean {
  const tried = underUnknownIn(replies).filter(({ credential }) => credential === session);
  return tried.length > 0 && tried.every(({ status }) => status >= 400 && status < 429 && status !== 401);
}
