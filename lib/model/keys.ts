// The keys of a run: the owner of each, its creation and revocation, and whether it is live at a given reply.
import { operations } from '../catalogue/operations.ts';
import { at, dataOf, identifierOf, type Reply, type Sent, wasAccepted } from '../client/reply.ts';
import type { Callers } from './callers.ts';
import { bodyOf, idInPath, isSession, isShown, tokenOf } from './request.ts';

/** A key that the run created. */
export interface KeyLifetime {
  readonly id: number | string;
  readonly token: string;
  readonly created: Reply;
  /** The configured credential behind its creator. */
  readonly owner: string;
  /** All requests to revoke it, accepted or not. */
  readonly attempts: readonly Reply[];
  /** The first accepted revocation by its owner. */
  readonly revoked: Reply | undefined;
}

const isCreation = ({ method, url }: Sent): boolean => method === 'POST' && new URL(url).pathname.endsWith('/api-keys');

export class Keys {
  /** Created keys by token. */
  private readonly made: ReadonlyMap<string, KeyLifetime>;
  /** The number of the last reply that accepted each token. */
  private readonly lastAccepted = new Map<string, number>();
  private readonly configured = new Map<string, string>();

  constructor(replies: readonly Reply[], lost: readonly Sent[], callers: Callers) {
    const lostPaths = lost.filter(({ method }) => method === 'DELETE').map(({ url }) => new URL(url).pathname);
    const revocations = replies.filter(({ operation }) => operation === 'DELETE /api-keys/{key_id}');
    const creations = replies.filter((reply) => reply.operation === 'POST /api-keys' && wasAccepted(reply));
    const firstSent = new Map<unknown, number>();
    for (const reply of replies) firstSent.set(tokenOf(reply), firstSent.get(tokenOf(reply)) ?? reply.id);
    const made = creations.flatMap((created): KeyLifetime[] => {
      const token = at(dataOf(created), 'api_key');
      // A key that was sent before was not created here; a chain of creators could lead back to it.
      if ((firstSent.get(token) ?? Number.POSITIVE_INFINITY) <= created.id) return [];
      const id = identifierOf('key', dataOf(created));
      if (created.mayReplay || typeof token !== 'string' || id === undefined) return [];
      // A revocation without a reply may have been carried out.
      if (lostPaths.some((path) => path.endsWith(`/${id}`))) return [];
      const owner = callers.ownerOf(created.credential);
      const isOwn = (one: Reply): boolean => callers.ownerOf(one.credential) === owner;
      const attempts = revocations.filter((one) => idInPath(one) === String(id));
      // Accounts may number keys independently: if two keys share a number, it is unknown which one a session revoked.
      const byAny = isSession(owner);
      const isShared = creations.some(
        (one) =>
          at(dataOf(one), 'api_key') !== token && identifierOf('key', dataOf(one)) === id && (byAny || isOwn(one)),
      );
      const revoked = attempts.find((one) => at(dataOf(one), 'deleted') === true && !one.mayReplay && isOwn(one));
      const isAmbiguous = isShared || (byAny && lost.some(isCreation));
      return [{ id, token, created, owner, attempts, revoked: isAmbiguous ? undefined : revoked }];
    });
    this.made = new Map(made.map((key) => [key.token, key]));
    for (const reply of replies) {
      const token = tokenOf(reply);
      if (token === undefined || reply.operation === undefined || !operations[reply.operation].protected) continue;
      if (/^COVENANT_/.test(reply.credential)) this.configured.set(token, reply.credential);
      if (wasAccepted(reply)) this.lastAccepted.set(token, reply.id);
    }
  }

  get all(): readonly KeyLifetime[] {
    return [...this.made.values()];
  }

  /** The configured credential behind a token; undefined where the token was neither created nor configured. */
  ownerOf = (token: string | undefined): string | undefined =>
    token === undefined ? undefined : (this.made.get(token)?.owner ?? this.configured.get(token));

  /** The created key with this token. */
  of = (token: string | undefined): KeyLifetime | undefined => (token === undefined ? undefined : this.made.get(token));

  /** The key was created before, or accepted later, and nothing that may end it was sent before this reply. */
  isLive(token: string | undefined, reply: Reply): boolean {
    if (token === undefined) return false;
    const key = this.made.get(token);
    const isKnown = key === undefined ? (this.lastAccepted.get(token) ?? 0) > reply.id : key.created.id <= reply.after;
    return isKnown && !this.mayHaveEnded(token, reply);
  }

  /** No revocation was sent for the key that created it, nor for that key's creator. */
  hasLiveMaker({ created }: KeyLifetime, reply: Reply): boolean {
    const maker = tokenOf(created);
    return maker === undefined || !this.mayHaveEnded(maker, reply);
  }

  /** Its revocation was confirmed before the request was sent. */
  isRevoked(token: string | undefined, { after }: Reply): boolean {
    const revoked = this.of(token)?.revoked;
    return revoked !== undefined && revoked.id <= after;
  }

  /** A revocation of it or its creator was sent: the document does not say if a key outlives its creator. */
  private mayHaveEnded(token: string, reply: Reply): boolean {
    const key = this.made.get(token);
    if (key === undefined) return false;
    const maker = tokenOf(key.created);
    return (
      key.attempts.some(({ after }) => after < reply.id) || (maker !== undefined && this.mayHaveEnded(maker, reply))
    );
  }
}

/** The key that an accepted validation asked about. */
export function validatedIn(reply: Reply): string | undefined {
  if (reply.operation !== 'POST /auth/validate-api-key' || !isShown(reply)) return undefined;
  const key = bodyOf(reply)?.api_key;
  return typeof key === 'string' ? key : undefined;
}

/** The scopes that a validation lists for a valid key. */
export function scopesIn(reply: Reply): readonly unknown[] | undefined {
  const scopes = at(dataOf(reply), 'scopes');
  return at(dataOf(reply), 'valid') === true && Array.isArray(scopes) ? scopes : undefined;
}
