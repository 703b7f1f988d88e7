// On which account a reply was asked for: by the key that asked, by the last switch of a session, or by X-Active-Account.
import { at, dataOf, type OperationId, type Reply, type Story, slugsIn, wasAccepted, wordOf } from '../../lib/index.ts';
import { validated } from './facts.ts';
import { isHeededIn, unheededIn } from './heeded.ts';
import { sentBody, tokenOf } from './sent.ts';
import type { Life, Tokens } from './tokens.ts';

export const session = 'COVENANT_JWT';
const change: OperationId = 'PATCH /me/active-account';

export const headerOf = ({ request }: Reply): string | undefined => request.headers['x-active-account'];
const isElsewhere = (reply: Reply): boolean => headerOf(reply) !== undefined;

const lastSwitch = (reply: Reply, own: readonly Reply[]): Reply | undefined =>
  own.findLast((one) => one.operation === change && one.id <= reply.after);

/**
 * Where the last switch of a session has led it; undefined where that is not known. What refused switches and requests under
 * X-Active-Account leave of the preference are requirements of their own.
 */
function storedAt(reply: Reply, own: readonly Reply[]): string | undefined {
  const last = lastSwitch(reply, own);
  if (last === undefined || !wasAccepted(last) || last.undocumented || isElsewhere(last)) return undefined;
  const later = own.filter((one) => one.id > last.id && one.after < reply.id);
  if (later.some((one) => one !== reply && (one.operation === change || isElsewhere(one)))) return undefined;
  if (own.some((one) => one.operation === change && one !== last && one.id > last.after && one.id <= last.id))
    return undefined;
  const slug = sentBody(last)?.slug;
  return typeof slug === 'string' ? slug : undefined;
}

/** The slugs that a session has chosen, of its own accounts. */
export class Choices {
  private readonly own: readonly Reply[];
  private readonly slugs: ReadonlySet<string>;
  private readonly isLost: boolean;
  /** Where values that are not known are ignored, a slug may be one of them. */
  private readonly isUnheeded: boolean;

  constructor({ replies, lost }: Story) {
    this.own = replies.filter(({ credential }) => credential === session);
    const lists = this.own.filter((reply) => reply.operation === 'GET /me/accounts' && wasAccepted(reply));
    this.slugs = new Set(lists.flatMap((reply) => slugsIn(reply).map(({ slug }) => slug)));
    this.isLost = lost.some(({ method, url }) => method === 'PATCH' && url.endsWith('/me/active-account'));
    this.isUnheeded = unheededIn(replies).has(session);
  }

  /** What led it to the account that is stored, where that is known. */
  switchTo(reply: Reply): Reply | undefined {
    const isStored = reply.credential === session && !isElsewhere(reply) && this.of(reply) !== undefined;
    return isStored ? lastSwitch(reply, this.own) : undefined;
  }

  /** Each of them is one of `named`, and there are some. */
  areAll(named: ReadonlyMap<string, string>): boolean {
    return this.slugs.size > 0 && [...this.slugs].every((slug) => named.has(slug));
  }

  /** Under a value that is none of them. */
  isStrayed(reply: Reply): boolean {
    const slug = headerOf(reply);
    return reply.credential === session && slug !== undefined && !this.slugs.has(slug);
  }

  of(reply: Reply): string | undefined {
    if (isElsewhere(reply) && this.isUnheeded) return undefined;
    const slug = headerOf(reply) ?? (this.isLost ? undefined : storedAt(reply, this.own));
    return slug !== undefined && this.slugs.has(slug) ? slug : undefined;
  }
}

/** Accounts by their identifiers, as the validations of keys report them. */
export class Whereabouts {
  private readonly tokens: Tokens;
  private readonly choices: Choices;
  private readonly isHeeded: boolean;
  /** By token. */
  private readonly reported = new Map<string, string>();
  /** By slug. */
  private readonly named = new Map<string, string>();

  constructor(story: Story, tokens: Tokens) {
    this.tokens = tokens;
    this.choices = new Choices(story);
    this.isHeeded = isHeededIn(story.replies, session);
    for (const reply of story.replies) this.learn(reply);
    for (const life of tokens.lives) {
      const slug = life.born.credential === session && !isElsewhere(life.born) ? this.choices.of(life.born) : undefined;
      const account = this.reported.get(life.token);
      if (slug !== undefined && account !== undefined) this.named.set(slug, account);
    }
  }

  /** Of the session; undefined where not each of them is known. */
  get accounts(): ReadonlySet<string> | undefined {
    return this.choices.areAll(this.named) ? new Set(this.named.values()) : undefined;
  }

  isStrayed = (reply: Reply): boolean => this.choices.isStrayed(reply);

  /** Undefined where it is not known. */
  of(reply: Reply): string | undefined {
    const token = tokenOf(reply);
    if (reply.credential === session) return this.ofSession(reply);
    return token === undefined ? undefined : this.ofKey(token, this.tokens.lifeOf(token));
  }

  private learn(reply: Reply): void {
    const token = validated(reply);
    const account = at(dataOf(reply), 'account_id');
    if (token === undefined || account === undefined || account === null || this.reported.has(token)) return;
    this.reported.set(token, wordOf(account));
  }

  private ofSession(reply: Reply): string | undefined {
    if (isElsewhere(reply) && !this.isHeeded) return undefined;
    const slug = this.choices.of(reply);
    return slug === undefined ? undefined : this.named.get(slug);
  }

  /** As it was reported of the key, or of the one that it comes of. */
  private ofKey(token: string, life: Life | undefined): string | undefined {
    const account = this.reported.get(token);
    if (account !== undefined || life === undefined) return account;
    const maker = tokenOf(life.born);
    if (life.born.credential === session) return this.ofSession(life.born);
    return maker === undefined ? undefined : this.ofKey(maker, this.tokens.lifeOf(maker));
  }
}
