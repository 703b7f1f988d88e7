// Who sent a request: the configured credential behind it, whose view of the world its reply is, and what it may do.
import { type OperationId, operations, withoutAccount } from '../catalogue/operations.ts';
import { at, dataOf, type Reply, textsIn, wasAccepted } from '../client/reply.ts';
import { computedOnce } from '../runtime/once.ts';
import { accountHeaderOf, bodyOf, callerOf, isSession, isShown, tokenOf } from './request.ts';

/** What is read there is that of an account. */
const ofAccount: readonly (OperationId | undefined)[] = ['GET /companies', 'GET /contacts', 'GET /api-keys'];

/** Where it is open whether a header that selects no account is looked at. */
const mayOverlookHeader = (reply: Reply): boolean =>
  accountHeaderOf(reply) !== undefined &&
  (reply.operation === undefined || !operations[reply.operation].protected || withoutAccount.includes(reply.operation));

const creatorOf = (reply: Reply): string => `${reply.operation} ${callerOf(reply)}`;

/** Where a switch leads; undefined where that is not known. */
const goalOf = (reply: Reply | undefined): string | undefined => {
  const slug = reply && bodyOf(reply)?.slug;
  return reply && isShown(reply) && typeof slug === 'string' ? slug : undefined;
};

export class Callers {
  /** The credential that made each key of the run, by name. */
  private readonly makers = new Map<string, string>();
  /** Texts in GET /me, by the configured credential that asked. */
  private readonly profiles = new Map<string, Set<string>>();
  /** Requests that may move a session to another account, by its name. */
  private readonly switches = new Map<string, Reply[]>();
  /** Requests of sessions under a value that no list of their accounts shows. */
  private readonly underUnknown: readonly Reply[];
  /** Sessions whose X-Active-Account may mean nothing: they were served under such a value. */
  readonly ignoring: ReadonlySet<string>;
  private readonly creators: ReadonlySet<string>;
  private readonly served: ReadonlySet<string>;
  /** The first time that a session was served by an operation on the account that is stored. */
  private readonly stored = new Map<string, number>();

  constructor(replies: readonly Reply[]) {
    const tokens = new Map<unknown, string>();
    for (const reply of replies) {
      const { operation, credential } = reply;
      if (operation === 'POST /api-keys' && wasAccepted(reply)) tokens.set(at(dataOf(reply), 'api_key'), credential);
      const maker = tokens.get(tokenOf(reply) ?? '');
      if (maker !== undefined && /^MADE_KEY_/.test(credential)) this.makers.set(credential, maker);
      if (operation === 'GET /me') this.addProfile(reply);
      if (operation === 'PATCH /me/active-account')
        this.switches.set(credential, [...(this.switches.get(credential) ?? []), reply]);
      const name = `${operation} ${credential}`;
      if (isStored(reply) && isShown(reply) && !this.stored.has(name)) this.stored.set(name, reply.id);
    }
    const accepted = replies.filter(wasAccepted);
    this.served = new Set(accepted.filter((one) => !mayOverlookHeader(one)).map(callerOf));
    this.creators = new Set(accepted.flatMap((one) => [creatorOf(one), this.keysOf(one)]));
    this.underUnknown = underUnknownIn(replies);
    this.ignoring = new Set(this.underUnknown.filter(wasAccepted).map(({ credential }) => credential));
  }

  /** The configured credential behind one that the run made: one user, and for keys one account. */
  ownerOf(credential: string): string {
    let owner = credential;
    for (let maker = this.makers.get(owner); maker !== undefined && maker !== owner; maker = this.makers.get(owner))
      owner = maker;
    return owner;
  }

  /** One user on one account, by whichever credential; undefined where the account may have changed just then. */
  readonly viewOf = computedOnce((reply: Reply): string | undefined => {
    const { credential } = reply;
    const account = accountHeaderOf(reply);
    const owner = this.ownerOf(credential);
    if (!isSession(owner))
      return account === undefined || this.profiles.get(owner)?.has(account) ? owner : `${owner} on ${account}`;
    // Which account a key belongs to that a session made depends on when it did.
    if (owner !== credential) return credential;
    if (account !== undefined) return this.ignoring.has(credential) ? undefined : `${credential} on ${account}`;
    const switches = this.switches.get(credential) ?? [];
    if (switches.some((one) => one.after < reply.id && reply.after < one.id)) return undefined;
    const former = switches.filter(({ id }) => id <= reply.after);
    const slug = goalOf(former.at(-1));
    return slug === undefined ? `${credential} after ${former.length} switches` : `${credential} in ${slug}`;
  });

  isSameView = (one: Reply, other: Reply): boolean =>
    this.viewOf(one) !== undefined && this.viewOf(one) === this.viewOf(other);

  /** An unknown value of X-Active-Account was refused each time that the session tried one: it is looked at. */
  honoursHeader(session: string): boolean {
    const tried = this.underUnknown.filter(({ credential }) => credential === session);
    return tried.length > 0 && tried.every(({ status }) => status >= 400 && status < 429 && status !== 401);
  }

  /**
   * Whether a refusal may mean that the session had no account, or another than that of the record it asked for. What was
   * carried out once on the account that is stored shows that there is one, and nothing in the document takes it away.
   */
  mayBeElsewhere(reply: Reply): boolean {
    if (!isStored(reply) && !this.ignoring.has(reply.credential)) return false;
    const { operation, credential, after } = reply;
    const namesRecord = operation === 'POST /contacts' || operation?.includes('{') === true;
    return namesRecord || after < (this.stored.get(`${operation} ${credential}`) ?? Number.POSITIVE_INFINITY);
  }

  /** The sender has made such a record under the same headers, or is a key of a user who has (Authentication, 3). */
  mayCreate(reply: Reply): boolean {
    const isKey = accountHeaderOf(reply) === undefined && !isSession(reply.credential);
    return this.creators.has(creatorOf(reply)) || (isKey && this.creators.has(this.keysOf(reply)));
  }

  /** Something was carried out for the sender under the same header: it is refused for neither. */
  isServed = (reply: Reply): boolean => this.served.has(callerOf(reply));

  private keysOf({ operation, credential }: Reply): string {
    return `${operation} keys of ${this.ownerOf(credential)}`;
  }

  private addProfile(reply: Reply): void {
    const owner = this.ownerOf(reply.credential);
    const known = this.profiles.get(owner) ?? new Set();
    for (const text of textsIn(dataOf(reply))) known.add(text);
    this.profiles.set(owner, known);
  }
}

/** By a session, on the account that is stored. */
export const isStored = (reply: Reply): boolean => isSession(reply.credential) && accountHeaderOf(reply) === undefined;

function underUnknownIn(replies: readonly Reply[]): readonly Reply[] {
  const shown = new Set(
    replies.filter(({ operation }) => operation === 'GET /me/accounts').flatMap((reply) => textsIn(dataOf(reply))),
  );
  return replies.filter((reply) => {
    const account = accountHeaderOf(reply);
    const isUnknown = account !== undefined && !/^\d+$/.test(account) && !shown.has(account);
    return isUnknown && isSession(reply.credential) && ofAccount.includes(reply.operation);
  });
}
