// Where a request counts: a session's on the account it acts on, a made key's where the request that made it counted.
import type { Credential } from './credential.ts';
import { at, dataOf, type Reply, wasAccepted } from './reply.ts';

/** The parts of a request that decide where it counts. */
export interface Acting {
  readonly credential: Credential;
  /** X-Active-Account, as it is sent. */
  readonly account: string | undefined;
  /** Only on PATCH me/active-account: the requested slug, as text. */
  readonly switchTo?: { readonly slug: string };
}

export class ActiveAccounts {
  /** By session, if its accounts are known: the pool of each account, by slug. */
  private readonly pools = new Map<string, ReadonlyMap<string, string>>();
  /** The slug of a session's stored account, once it was switched to it. */
  private readonly stored = new Map<string, string>();
  /** By the token of a key that the run made. */
  private readonly ofKeys = new Map<string, readonly string[]>();
  /** Switches in progress; if there were several at once, which came last is unknown. */
  private switches = 0;
  private atOnce = false;

  /** `pools`: where each account of the session is counted, by the slug that X-Active-Account takes. */
  know({ name }: Credential, pools: ReadonlyMap<string, string>): void {
    this.pools.set(name, pools);
  }

  /** Whether a key is on the account with this slug and spends its allowance, too. */
  isShared({ name }: Credential, slug: string): boolean {
    const pool = this.pools.get(name)?.get(slug);
    return pool !== undefined && !pool.startsWith(name);
  }

  /** The slugs of the session's accounts without a key. */
  apartFrom(session: Credential): readonly string[] {
    return [...(this.pools.get(session.name)?.keys() ?? [])].filter((slug) => !this.isShared(session, slug));
  }

  /** The pools that may count the request: all of the credential's if it is unknown which. */
  of({ credential, account, switchTo }: Acting): readonly string[] {
    const { name, token = '', accounts } = credential;
    // The key may be revoked.
    if (accounts.length === 0) return accounts;
    const pools = this.pools.get(name);
    if (!pools) return this.ofKeys.get(token) ?? accounts;
    const pool = pools.get(account ?? (this.switches === 0 ? this.stored.get(name) : undefined) ?? '');
    // A switch may be counted against either account.
    return pool === undefined ? accounts : [...new Set([pool, pools.get(switchTo?.slug ?? '') ?? pool])];
  }

  sends({ switchTo }: Acting): void {
    if (!switchTo) return;
    this.switches += 1;
    if (this.switches > 1) this.atOnce = true;
  }

  /** `counted`: the pools of the request. */
  ended({ credential: { name }, switchTo }: Acting, counted: readonly string[], reply?: Reply): void {
    const isAnswered = reply !== undefined && reply.doubt === undefined && reply.status < 500;
    const isAccepted = isAnswered && wasAccepted(reply);
    if (switchTo) {
      this.switches -= 1;
      if (isAccepted || !isAnswered) this.stored.clear();
      if (isAccepted && !this.atOnce) this.stored.set(name, switchTo.slug);
      if (this.switches === 0) this.atOnce = false;
    }
    if (!isAccepted) return;
    const key = at(dataOf(reply), 'api_key');
    if (reply.operation === 'POST /api-keys' && typeof key === 'string') this.ofKeys.set(key, counted);
  }
}
