// Which account a reply was asked for on: by the key that asked, by the last switch of a session, or by X-Active-Account.
import { at, dataOf, type Reply, type Sent, wasAccepted } from '../client/reply.ts';
import { namesOf, slugsIn } from '../fixtures/slugs.ts';
import { wordOf } from '../runtime/text.ts';
import type { Callers } from './callers.ts';
import { type Keys, validatedIn } from './keys.ts';
import { accountHeaderOf, bodyOf, isShown, tokenOf } from './request.ts';

/** The only session that may have several accounts. */
export const session = 'COVENANT_JWT';
const change = 'PATCH /me/active-account';
const isUnderHeader = (reply: Reply): boolean => accountHeaderOf(reply) !== undefined;

export class Accounts {
  /** Of the session. */
  private readonly own: readonly Reply[];
  private readonly slugs: ReadonlySet<string>;
  /** Whatever stands in their records may name them. */
  private readonly names: ReadonlySet<string>;
  private readonly isLost: boolean;
  /** Where values that are not known are ignored, a slug may be one of them. */
  private readonly isIgnored: boolean;
  private readonly isHonoured: boolean;
  private readonly keys: Keys;
  /** Accounts by their identifiers, as validations report them, by token. */
  private readonly reported = new Map<string, string>();
  /** The same, by slug. */
  private readonly named = new Map<string, string>();

  constructor(replies: readonly Reply[], lost: readonly Sent[], callers: Callers, keys: Keys) {
    this.keys = keys;
    this.own = replies.filter(({ credential }) => credential === session);
    // Also later pages, though the row names no parameters: whatever it lists is its own.
    const lists = this.own.filter((reply) => reply.operation === 'GET /me/accounts' && wasAccepted(reply));
    // Under a header it may be those of others.
    const bare = lists.filter((reply) => !isUnderHeader(reply));
    const listed = (bare.length > 0 ? bare : lists).flatMap(slugsIn);
    this.slugs = new Set(listed.map(({ slug }) => slug));
    this.names = new Set(listed.flatMap((one) => [...namesOf(one).values()]));
    this.isLost = lost.some(({ method, url }) => method === 'PATCH' && url.endsWith('/me/active-account'));
    this.isIgnored = callers.ignoring.has(session);
    this.isHonoured = callers.honoursHeader(session);
    for (const reply of replies) {
      const [token, account] = [validatedIn(reply), at(dataOf(reply), 'account_id')];
      if (token !== undefined && account !== undefined && account !== null && !this.reported.has(token))
        this.reported.set(token, wordOf(account));
    }
    for (const { token, created } of keys.all) {
      const isOwn = created.credential === session && !isUnderHeader(created);
      const [slug, account] = [isOwn ? this.slugOf(created) : undefined, this.reported.get(token)];
      if (slug !== undefined && account !== undefined) this.named.set(slug, account);
    }
  }

  /** The identifiers of the session's accounts; undefined where not each of them is known. */
  get ofSession(): ReadonlySet<string> | undefined {
    const areKnown = this.slugs.size > 0 && [...this.slugs].every((slug) => this.named.has(slug));
    return areKnown ? new Set(this.named.values()) : undefined;
  }

  /** The session asks under a value that names none of its accounts. */
  isUnderForeign(reply: Reply): boolean {
    const slug = accountHeaderOf(reply);
    return reply.credential === session && slug !== undefined && !this.names.has(slug);
  }

  /** The slug of the session's own account that it has chosen; undefined where that is not known. */
  slugOf(reply: Reply): string | undefined {
    if (isUnderHeader(reply) && this.isIgnored) return undefined;
    const slug = accountHeaderOf(reply) ?? (this.isLost ? undefined : this.storedAt(reply));
    return slug !== undefined && this.slugs.has(slug) ? slug : undefined;
  }

  /** The switch that led the session to the account that is stored, where that is known. */
  switchBefore(reply: Reply): Reply | undefined {
    const isStored = reply.credential === session && !isUnderHeader(reply) && this.slugOf(reply) !== undefined;
    return isStored ? this.lastSwitch(reply) : undefined;
  }

  /** The identifier of the account; undefined where it is not known. */
  of(reply: Reply): string | undefined {
    return reply.credential === session ? this.ofOwn(reply) : this.ofKey(tokenOf(reply));
  }

  private ofOwn(reply: Reply): string | undefined {
    if (isUnderHeader(reply) && !this.isHonoured) return undefined;
    const slug = this.slugOf(reply);
    return slug === undefined ? undefined : this.named.get(slug);
  }

  /** As it was reported of the key, or of the one that made it. */
  private ofKey(token: string | undefined): string | undefined {
    if (token === undefined) return undefined;
    const account = this.reported.get(token);
    const created = this.keys.of(token)?.created;
    if (account !== undefined || created === undefined) return account;
    return created.credential === session ? this.ofOwn(created) : this.ofKey(tokenOf(created));
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
