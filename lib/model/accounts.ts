// Which account a reply was asked for on: by the key that asked, by the last switch of a session, or by X-Active-Account.
import { at, dataOf, type Reply, wasAccepted } from '../client/reply.ts';
import { lagMsMax } from '../expect/eventually.ts';
import { identifiersIn, type Membership, namesOf, slugsIn } from '../fixtures/slugs.ts';
import { wordOf } from '../runtime/text.ts';
import type { Callers } from './callers.ts';
import type { History } from './history.ts';
import { type Keys, validatedIn } from './keys.ts';
import { accountHeaderOf, bodyOf, isShown, tokenOf } from './request.ts';

/** The only session that may have several accounts. */
export const session = 'COVENANT_JWT';
const change = 'PATCH /me/active-account';
const isUnderHeader = (reply: Reply): boolean => accountHeaderOf(reply) !== undefined;

/** Where a session should be, and what it has sent since that must not have moved it. */
interface Stored {
  readonly slug: string;
  readonly by: Reply;
  /** Switches that were refused, and requests under X-Active-Account. */
  readonly since: readonly Reply[];
}

/** Whatever stands in the record of one account alone names it. */
function namesIn(accounts: readonly Membership[]): ReadonlyMap<string, Named | undefined> {
  const names = new Map<string, Named | undefined>();
  for (const one of accounts)
    for (const [kind, name] of namesOf(one)) {
      const isOther = names.has(name) && names.get(name)?.slug !== one.slug;
      names.set(name, isOther ? undefined : (names.get(name) ?? { slug: one.slug, kind }));
    }
  return names;
}

/** An account of the session, and what names it: its slug, or another member of its record. */
interface Named {
  readonly slug: string;
  readonly kind: string;
}

export class Accounts {
  /** Of the session. */
  private readonly own: readonly Reply[];
  private readonly slugs: ReadonlySet<string>;
  private readonly names: ReadonlyMap<string, Named | undefined>;
  /** The slug of each account of the session, by its identifier. */
  private readonly slugsById = new Map<string, string>();
  /** Switches of which nobody knows what they did, with what came in place of their replies. */
  private readonly lost: readonly (Reply | undefined)[];
  /** Where values that are not known are ignored, a slug may be one of them. */
  private readonly isIgnored: boolean;
  private readonly isHonoured: boolean;
  private readonly keys: Keys;
  /** Accounts by their identifiers, as validations report them, by token. */
  private readonly reported = new Map<string, string>();
  /** The same, by slug. */
  private readonly named = new Map<string, string>();

  constructor({ replies, lost, suspect = [] }: History, callers: Callers, keys: Keys) {
    this.keys = keys;
    this.own = replies.filter(({ credential }) => credential === session);
    // Also later pages, though the row names no parameters: whatever it lists is its own.
    const lists = this.own.filter((reply) => reply.operation === 'GET /me/accounts' && wasAccepted(reply));
    // Under a header it may be those of others.
    const bare = lists.filter((reply) => !isUnderHeader(reply));
    const listed = (bare.length > 0 ? bare : lists).flatMap(slugsIn);
    this.slugs = new Set(listed.map(({ slug }) => slug));
    this.names = namesIn(listed);
    const switches = lost.filter(({ method, url }) => method === 'PATCH' && url.endsWith('/me/active-account'));
    this.lost = switches.map((one) => suspect.findLast(({ request }) => request === one));
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
      if (slug !== undefined && account !== undefined) this.named.set(slug, account);
      if (slug !== undefined && account !== undefined && !this.slugsById.has(account))
        this.slugsById.set(account, slug);
    }
  }

  /** The identifiers of the session's accounts; undefined where not each of them is known. */
  get ofSession(): ReadonlySet<string> | undefined {
    const areKnown = this.slugs.size > 0 && [...this.slugs].every((slug) => this.named.has(slug));
    return areKnown ? new Set(this.named.values()) : undefined;
  }

  /** An account, by its identifier, of which the session's user is no member: none of its records and none of its keys names it. */
  isOfOthers(account: string): boolean {
    // Lists may show other identifiers than validations do.
    const areKnown = this.ofSession !== undefined || [...this.reported.values()].some((one) => this.slugsById.has(one));
    return areKnown && !this.names.has(account) && !this.slugsById.has(account);
  }

  /** The session asks under a value that names none of its accounts. */
  isUnderForeign(reply: Reply): boolean {
    const slug = accountHeaderOf(reply);
    return reply.credential === session && slug !== undefined && !this.names.has(slug);
  }

  /** The slug of the session's own account that it has chosen; undefined where that is not known. */
  slugOf(reply: Reply): string | undefined {
    if (isUnderHeader(reply) && this.isIgnored) return undefined;
    const slug = accountHeaderOf(reply) ?? (this.mayHaveMoved(reply) ? undefined : this.storedAt(reply));
    return slug !== undefined && this.slugs.has(slug) ? slug : undefined;
  }

  /** The switch that led the session to the account that is stored, where that is known. */
  switchBefore(reply: Reply): Reply | undefined {
    const isStored = reply.credential === session && !isUnderHeader(reply) && this.slugOf(reply) !== undefined;
    return isStored ? this.lastSwitch(reply) : undefined;
  }

  /** The members of their records that may name the session's accounts. */
  get kinds(): readonly string[] {
    return [...new Set([...this.names.values()].flatMap((one) => one?.kind ?? []))];
  }

  /** What X-Active-Account names; whether such a name is taken there is open. */
  namedBy(reply: Reply): Named | undefined {
    return reply.credential === session ? this.names.get(accountHeaderOf(reply) ?? '') : undefined;
  }

  /** Since the last switch that is known there was one whose reply is not: it may still have been carried out for some seconds. */
  private mayHaveMoved(reply: Reply): boolean {
    if (this.lost.length === 0) return false;
    const by = this.lastSwitch(reply);
    const isOver = (one: Reply): boolean => by !== undefined && one.receivedAt + lagMsMax < by.sentAt;
    return this.lost.some((one) => one === undefined || (one.sentAt < reply.receivedAt && !isOver(one)));
  }

  /** Where the last switch that was carried out should have led the session. */
  storedBy(reply: Reply): Stored | undefined {
    if (reply.credential !== session || this.mayHaveMoved(reply)) return undefined;
    const switches = this.own.filter(({ operation, after }) => operation === change && after < reply.id);
    const by = switches.findLast(wasAccepted);
    const slug = by && bodyOf(by)?.slug;
    if (by === undefined || typeof slug !== 'string' || !this.slugs.has(slug)) return undefined;
    // Those that were under way together, or of which nobody knows what they did.
    const isOpen = (one: Reply): boolean => one !== by && one.id > by.after && (one.after < by.id || one.status >= 500);
    if (by.id > reply.after || by.undocumented || switches.some(isOpen)) return undefined;
    const isSince = (one: Reply): boolean => one !== reply && one.id > by.id && one.after < reply.id;
    const since = this.own.filter((one) => isSince(one) && (one.operation === change || isUnderHeader(one)));
    return { slug, by, since };
  }

  /** The slug of the session's account that a key is on; `reported`: as a validation says. */
  slugOfKey(token: string | undefined, reported = false): string | undefined {
    const account = reported ? this.reported.get(token ?? '') : this.ofToken(token);
    return account === undefined ? undefined : this.slugsById.get(account);
  }

  /** The identifier of the account; undefined where it is not known. */
  of(reply: Reply): string | undefined {
    return reply.credential === session ? this.ofOwn(reply) : this.ofToken(tokenOf(reply));
  }

  private ofOwn(reply: Reply): string | undefined {
    if (isUnderHeader(reply) && !this.isHonoured) return undefined;
    const slug = this.slugOf(reply);
    return slug === undefined ? undefined : this.named.get(slug);
  }

  /** As it was reported of the key, or of the one that made it. */
  ofToken(token: string | undefined): string | undefined {
    if (token === undefined) return undefined;
    const account = this.reported.get(token);
    const created = this.keys.of(token)?.created;
    if (account !== undefined || created === undefined) return account;
    return created.credential === session ? this.ofOwn(created) : this.ofToken(tokenOf(created));
  }

  private lastSwitch = ({ after }: Reply): Reply | undefined =>
    this.own.findLast(({ operation, id }) => operation === change && id <= after);

  /**
   * Where the last switch has led; undefined where that is not known. What refused switches and requests under
   * X-Active-Account leave of the preference are requirements of their own.
   */
  private storedAt(reply: Reply): string | undefined {
    const last = this.lastSwitch(reply);
    if (last === undefined || !isShown(last) || isUnderHeader(last)) return undefined;
    const later = this.own.filter((one) => one !== reply && one.id > last.id && one.after < reply.id);
    if (later.some((one) => one.operation === change || isUnderHeader(one))) return undefined;
    const isBesides = ({ operation, id }: Reply): boolean => operation === change && id > last.after && id < last.id;
    const slug = this.own.some(isBesides) ? undefined : bodyOf(last)?.slug;
    return typeof slug === 'string' ? slug : undefined;
  }
}
