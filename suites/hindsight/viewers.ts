// Whose view of the world a reply is: one user on one account, by whichever credential.
import { computedOnce, dataOf, type Reply, textsIn, wasAccepted } from '../../lib/index.ts';
import { type Families, familiesOf } from './families.ts';
import { unheededIn } from './heeded.ts';
import { isSession, sentBody } from './sent.ts';

/** Where a switch leads; undefined where that is not known. */
function goalOf(reply: Reply | undefined): string | undefined {
  const slug = reply && sentBody(reply)?.slug;
  return reply && wasAccepted(reply) && !reply.undocumented && typeof slug === 'string' ? slug : undefined;
}

export class Viewers {
  private readonly families: Families;
  /** Texts in GET /me, by the configured credential that asked. */
  private readonly shown = new Map<string, Set<string>>();
  /** Requests that may move a session to another account, by its name. */
  private readonly switches = new Map<string, Reply[]>();

  /** Sessions whose header may mean nothing. */
  private readonly unheeded: ReadonlySet<string>;

  constructor(replies: readonly Reply[]) {
    this.unheeded = unheededIn(replies);
    this.families = familiesOf(replies);
    for (const reply of replies) {
      const { operation, credential } = reply;
      const root = this.families.rootOf(credential);
      if (operation === 'GET /me')
        this.shown.set(root, new Set([...(this.shown.get(root) ?? []), ...textsIn(dataOf(reply))]));
      if (operation === 'PATCH /me/active-account')
        this.switches.set(credential, [...(this.switches.get(credential) ?? []), reply]);
    }
  }

  /** Undefined where the account may have changed just then. */
  of(reply: Reply): string | undefined {
    const { credential, request } = reply;
    const account = request.headers['x-active-account'];
    const root = this.families.rootOf(credential);
    if (!isSession(root))
      return account === undefined || this.shown.get(root)?.has(account) ? root : `${root} on ${account}`;
    // Which account a key belongs to that a session made depends on when it did.
    if (root !== credential) return credential;
    if (account !== undefined) return this.unheeded.has(credential) ? undefined : `${credential} on ${account}`;
    const switches = this.switches.get(credential) ?? [];
    const isUnderWay = (one: Reply): boolean => one.after < reply.id && reply.after < one.id;
    if (switches.some(isUnderWay)) return undefined;
    const former = switches.filter(({ id }) => id <= reply.after);
    const slug = goalOf(former.at(-1));
    return slug === undefined ? `${credential} after ${former.length} switches` : `${credential} in ${slug}`;
  }
}

export const viewersOf = computedOnce((replies: readonly Reply[]) => new Viewers(replies));
