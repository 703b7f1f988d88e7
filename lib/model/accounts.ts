// The account of each request: that of its key, of X-Active-Account, or of the session's last switch.
import { at, dataOf, type Reply, type Sent, wasAccepted } from '../client/reply.ts';
import { lagMsMax } from '../expect/eventually.ts';
import { identifiersIn, type Membership, namesOf, slugsIn } from '../fixtures/slugs.ts';
import { computedOnce } from '../runtime/grouped.ts';
import { wordOf } from '../runtime/text.ts';
import type { Callers } from './callers.ts';
import type { History } from './history.ts';
import { type Keys, validatedIn } from './keys.ts';
import { accountHeaderOf, bodyOf, isUnderHeader, tokenOf } from './request.ts';

/** The only configured session; a session may have several accounts. */
export const session = 'COVENANT_JWT';
const change = 'PATCH /me/active-account';

/** The stored account of a session, and the requests after the switch to it. */
interface Stored {
  readonly slug: string;
  readonly by: Reply;
  /** Refused switches, and requests with X-Active-Account: neither may change the stored account. */
  readonly since: readonly Reply[];
}

/** Maps each value in the account records to its account; undefined where two accounts share the value. */
function namesIn(accounts: readonly Membership[]): ReadonlyMap<string, Named | undefined> {
  const names = new Map<string, Named | undefined>();
  for (const one of accounts)
    for (const [kind, name] of namesOf(one)) {
      const isOther = names.has(name) && names.get(name)?.slug !== one.slug;
      names.set(name, isOther ? undefined : (names.get(name) ?? { slug: one.slug, kind }));
    }
  return names;
}

/** An account of the session and the member of its record that holds the name, such as its slug. */
interface Named {
  readonly slug: string;
  readonly kind: string;
}

export class Accounts {
  /** Replies to the session. */
  private readonly own: readonly Reply[];
  private readonly slugs: ReadonlySet<string>;
  private readonly names: ReadonlyMap<string, Named | undefined>;
  /** Slugs of the session's accounts by account identifier. */
  private readonly slugsById = new Map<string, string>();
  /** Switches whose effect is unknown, each with the suspect reply that came instead, if any. */
  private readonly lost: readonly (Reply | undefined)[];
  /** Whether the target ignores unknown header values: then it may ignore slugs, too. */
  private readonly isIgnored: boolean;
  private readonly isHonoured: boolean;
  private readonly callers: Callers;
  private readonly keys: Keys;
  /** Account identifier by token, as the validations report it. */
  private readonly reported = new Map<string, string>();
  /** Account identifier by slug. */
  private readonly named = new Map<string, string>();

  constructor({ replies, lost, suspect = [] }: History, callers: Callers, keys: Keys) {
    this.callers = callers;
    this.keys = keys;
    this.own = replies.filter(({ credential }) => credential === session);
    // Later pages count, too: each account on them is the session's own.
    const lists = this.own.filter((reply) => reply.operation === 'GET /me/accounts' && wasAccepted(reply));
    // With X-Active-Account the list may show accounts of others.
    const bare = lists.filter((reply) => !isUnderHeader(reply));
    const listed = (bare.length > 0 ? bare : lists).flatMap(slugsIn);
    this.slugs = new Set(listed.map(({ slug }) => slug));
    this.names = namesIn(listed);
    const tokens = new Set(this.own.map(({ request }) => request.headers.authorization));
    // A key of the session's user may move it, too, but not to an account that the session does not have.
    const mayMove = (request: Sent): boolean => {
      const slug = bodyOf({ request })?.slug;
      const isForeign = typeof slug === 'string' && this.slugs.size > 0 && !this.slugs.has(slug);
      return tokens.has(request.headers.authorization) || !isForeign;
    };
    const switches = lost.filter(({ method, url }) => method === 'PATCH' && url.endsWith('/me/active-account'));
    this.lost = switches.filter(mayMove).map((one) => suspect.findLast(({ request }) => request === one));
    this.isIgnored = callers.ignoring.has(session);
    this.isHonoured = callers.honoursHeader(session);
    for (const reply of replies) {
      const [token, account] = [validatedIn(reply), at(dataOf(reply), 'account_id')];
      if (token !== undefined && account !== undefined && account !== null && !this.reported.has(token))
        this.reported.set(token, wordOf(account));
    }
    for (const { slug, record } of listed) {
      const [own] = identifiersIn(record);
      if (own !== undefined && !this.slugsById.has(own)) this.slugsById.set(own, slug);
    }
    for (const { token, created } of keys.all) {
      const isOwn = created.credential === session && !isUnderHeader(created);
      const [slug, account] = [isOwn ? this.slugOf(created) : undefined, this.reported.get(token)];
      if (slug === undefined || account === undefined) continue;
      this.named.set(slug, account);
      if (!this.slugsById.has(account)) this.slugsById.set(account, slug);
    }
  }

  /** The identifiers of the session's accounts; undefined unless all of them are known. */
  get ofSession(): ReadonlySet<string> | undefined {
    const areKnown = this.slugs.size > 0 && [...this.slugs].every((slug) => this.named.has(slug));
    return areKnown ? new Set(this.named.values()) : undefined;
  }

  /** Whether the session's user is not a member of this account: none of its records and keys has the identifier. */
  isOfOthers(account: string): boolean {
    // Account lists may use other identifiers than validations.
    const areKnown = this.ofSession !== undefined || [...this.reported.values()].some((one) => this.slugsById.has(one));
    return areKnown && !this.names.has(account) && !this.slugsById.has(account);
  }

  /** Whether the session sends an X-Active-Account that names none of its accounts. */
  isUnderForeign(reply: Reply): boolean {
    const slug = accountHeaderOf(reply);
    return reply.credential === session && slug !== undefined && !this.names.has(slug);
  }

  /** The slug of the session's active account; undefined where it is unknown or not its own. */
  slugOf(reply: Reply): string | undefined {
    if (isUnderHeader(reply) && this.isIgnored) return undefined;
    const slug = accountHeaderOf(reply) ?? this.storedAt(reply);
    return slug !== undefined && this.slugs.has(slug) ? slug : undefined;
  }

  /** The switch that set the active account, where the request uses the stored one and it is known. */
  switchBefore(reply: Reply): Reply | undefined {
    const isStored = reply.credential === session && !isUnderHeader(reply) && this.slugOf(reply) !== undefined;
    return isStored ? this.lastSwitch(reply) : undefined;
  }

  /** The members of account records whose values may name an account. */
  get kinds(): readonly string[] {
    return [...new Set([...this.names.values()].flatMap((one) => one?.kind ?? []))];
  }

  /** The account that X-Active-Account names. The target need not accept every kind of name there. */
  namedBy(reply: Reply): Named | undefined {
    return reply.credential === session ? this.names.get(accountHeaderOf(reply) ?? '') : undefined;
  }

  /** A switch without a reply may have been carried out after the last known one, up to the maximum lag. */
  private mayHaveMoved(reply: Reply): boolean {
    if (this.lost.length === 0) return false;
    const by = this.lastSwitch(reply);
    const isOver = (one: Reply): boolean => by !== undefined && one.receivedAt + lagMsMax < by.sentAt;
    return this.lost.some((one) => one === undefined || (one.sentAt < reply.receivedAt && !isOver(one)));
  }

  /** The account that the last accepted switch should have stored. */
  storedBy(reply: Reply): Stored | undefined {
    if (reply.credential !== session || this.mayHaveMoved(reply)) return undefined;
    const switches = this.own.filter((one) => one.operation === change && one !== reply && one.after < reply.id);
    const by = switches.findLast(wasAccepted);
    const slug = by && bodyOf(by)?.slug;
    if (by === undefined || typeof slug !== 'string' || !this.slugs.has(slug)) return undefined;
    // Switches that overlapped with it, or whose effect is unknown.
    const isOpen = (one: Reply): boolean => one !== by && one.id > by.after && (one.after < by.id || one.status >= 500);
    if (by.id > reply.after || by.undocumented || switches.some(isOpen)) return undefined;
    const isSince = (one: Reply): boolean => one !== reply && one.id > by.id && one.after < reply.id;
    const since = this.own.filter((one) => isSince(one) && (one.operation === change || isUnderHeader(one)));
    return { slug, by, since };
  }

  /** The same, unless something else was sent since that other requirements judge, and that may have moved it. */
  private storedAt(reply: Reply): string | undefined {
    const { slug, by, since = [] } = this.storedBy(reply) ?? {};
    return by === undefined || isUnderHeader(by) || since.length > 0 ? undefined : slug;
  }

  /** The slug of the key's account. With `reported`, only a validation's own report counts. */
  slugOfKey(token: string | undefined, reported = false): string | undefined {
    const account = reported ? this.reported.get(token ?? '') : this.ofToken(token);
    return account === undefined ? undefined : this.slugsById.get(account);
  }

  /** The identifier of the account that the request was for; undefined where it is unknown. */
  of(reply: Reply): string | undefined {
    return reply.credential === session ? this.ofOwn(reply) : this.ofToken(tokenOf(reply));
  }

  /** Undefined for a key under a foreign X-Active-Account: the document does not say what that does. */
  private readonly plain = computedOnce((reply: Reply): string | undefined => {
    const { callers } = this;
    const isPlain = reply.credential === session || callers.viewOf(reply) === callers.ownerOf(reply.credential);
    return isPlain ? this.of(reply) : undefined;
  });

  /** The requests are known to be of different accounts. */
  areApart(one: Reply, other: Reply): boolean {
    const [first, second] = [this.plain(one), this.plain(other)];
    if (first !== undefined && second !== undefined) return first !== second;
    return this.isOutside(one, second) || this.isOutside(other, first);
  }

  /** The session's user does not belong to the account. */
  private isOutside({ credential }: Reply, account: string | undefined): boolean {
    return credential === session && account !== undefined && this.isOfOthers(account);
  }

  private ofOwn(reply: Reply): string | undefined {
    if (isUnderHeader(reply) && !this.isHonoured) return undefined;
    const slug = this.slugOf(reply);
    return slug === undefined ? undefined : this.named.get(slug);
  }

  /** The account reported for the key, or for the credential that created it. */
  ofToken(token: string | undefined): string | undefined {
    if (token === undefined) return undefined;
    const account = this.reported.get(token);
    const created = this.keys.of(token)?.created;
    if (account !== undefined || created === undefined) return account;
    return created.credential === session ? this.ofOwn(created) : this.ofToken(tokenOf(created));
  }

  private lastSwitch = ({ after }: Reply): Reply | undefined =>
    this.own.findLast(({ operation, id }) => operation === change && id <= after);
}
