// Who sent a request: the configured credential behind it, the view (user and account), and what it may create.
import { type OperationId, operations, withoutAccount } from '../catalogue/operations.ts';
import { at, dataOf, type Reply, textsIn, wasAccepted } from '../client/reply.ts';
import { computedOnce } from '../runtime/grouped.ts';
import { accountHeaderOf, bodyOf, callerOf, isSession, isShown, tokenOf } from './request.ts';

/** Reads of the data of one account. */
const ofAccount: readonly (OperationId | undefined)[] = ['GET /companies', 'GET /contacts', 'GET /api-keys'];

/** Whether the target may ignore X-Active-Account here: the operation needs no account or no authentication. */
const mayOverlookHeader = (reply: Reply): boolean =>
  accountHeaderOf(reply) !== undefined &&
  (reply.operation === undefined || !operations[reply.operation].protected || withoutAccount.includes(reply.operation));

const creatorOf = (reply: Reply): string => `${reply.operation} ${callerOf(reply)}`;

/** The slug that a switch stores; undefined where it is unknown. */
const slugAfter = (reply: Reply | undefined): string | undefined => {
  const slug = reply && bodyOf(reply)?.slug;
  return reply && isShown(reply) && typeof slug === 'string' ? slug : undefined;
};

export class Callers {
  /** The credential that created each key of the run, by the key's name. */
  private readonly makers = new Map<string, string>();
  /** Texts in GET /me, by configured credential. */
  private readonly profiles = new Map<string, Set<string>>();
  /** PATCH /me/active-account requests by credential. */
  private readonly switches = new Map<string, Reply[]>();
  /** Requests of sessions with an X-Active-Account that none of their account lists shows. */
  private readonly underUnknown: readonly Reply[];
  /** Sessions whose unknown X-Active-Account was accepted, so that the target may ignore the header. */
  readonly ignoring: ReadonlySet<string>;
  private readonly creators: ReadonlySet<string>;
  private readonly served: ReadonlySet<string>;
  /** The first accepted reply of each operation and session without X-Active-Account. */
  private readonly stored = new Map<string, number>();

  constructor(replies: readonly Reply[]) {
    const tokens = new Map<unknown, string>();
    const sent = new Set<unknown>();
    for (const reply of replies) {
      const { operation, credential } = reply;
      sent.add(tokenOf(reply));
      const made = operation === 'POST /api-keys' && wasAccepted(reply) ? at(dataOf(reply), 'api_key') : undefined;
      // A key that was sent before was not created here; a chain of creators could lead back to it.
      if (made !== undefined && !sent.has(made)) tokens.set(made, credential);
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

  /** The configured credential behind a created key. Both have the same user, and the same account if it is a key. */
  ownerOf(credential: string): string {
    let owner = credential;
    for (let maker = this.makers.get(owner); maker !== undefined && maker !== owner; maker = this.makers.get(owner))
      owner = maker;
    return owner;
  }

  /** Names the user and account of a request; undefined where a concurrent switch may have changed the account. */
  readonly viewOf = computedOnce((reply: Reply): string | undefined => {
    const { credential } = reply;
    const account = accountHeaderOf(reply);
    const owner = this.ownerOf(credential);
    if (!isSession(owner))
      return account === undefined || this.profiles.get(owner)?.has(account) ? owner : `${owner} on ${account}`;
    // The account of a key that a session created depends on when the session created it.
    if (owner !== credential) return credential;
    if (account !== undefined) return this.ignoring.has(credential) ? undefined : `${credential} on ${account}`;
    const switches = this.switches.get(credential) ?? [];
    if (switches.some((one) => one.after < reply.id && reply.after < one.id)) return undefined;
    const former = switches.filter(({ id }) => id <= reply.after);
    const slug = slugAfter(former.at(-1));
    return slug === undefined ? `${credential} after ${former.length} switches` : `${credential} in ${slug}`;
  });

  isSameView = (one: Reply, other: Reply): boolean =>
    this.viewOf(one) !== undefined && this.viewOf(one) === this.viewOf(other);

  /** Whether the target refused every unknown X-Active-Account of the session. */
  honoursHeader(session: string): boolean {
    const tried = this.underUnknown.filter(({ credential }) => credential === session);
    return tried.length > 0 && tried.every(({ status }) => status >= 400 && status < 429 && status !== 401);
  }

  /**
   * Whether the session may have had no active account, or another than that of the record. An earlier success of the
   * same operation on the stored account shows that there is one: no operation of the document removes it.
   */
  mayBeOnOtherAccount(reply: Reply): boolean {
    if (!isStored(reply) && !this.ignoring.has(reply.credential)) return false;
    const { operation, credential, after } = reply;
    const namesRecord = operation === 'POST /contacts' || operation?.includes('{') === true;
    return namesRecord || after < (this.stored.get(`${operation} ${credential}`) ?? Number.POSITIVE_INFINITY);
  }

  /** The sender created such a record with these headers, or is a key of a user who did (Authentication, 3). */
  mayCreate = (reply: Reply): boolean => {
    const isKey = accountHeaderOf(reply) === undefined && !isSession(reply.credential);
    return this.creators.has(creatorOf(reply)) || (isKey && this.creators.has(this.keysOf(reply)));
  };

  /** Whether the sender had a request accepted with the same X-Active-Account. */
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

/** A request of a session without X-Active-Account: it uses the stored account. */
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
