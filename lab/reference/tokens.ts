// Credentials: JWTs signed and verified with jose, and the session that a Bearer token stands for (Authentication).
import { createSecretKey, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Account, Key, Store, User } from './store.ts';

/** The caller, and the account of the request. */
export interface Session {
  readonly user: User;
  /** Undefined for a JWT of a user whose active account cannot be determined. */
  readonly account: Account | undefined;
  readonly key: Key | undefined;
}

export const keyPrefix = 'svc_sk_';
const issuer = 'https://identity.sandbox.example';
const audience = 'external-api-v2';
const rememberedTokens = 1_000;

export class Tokens {
  readonly #secret: KeyObject;
  readonly #store: Store;
  readonly #verified = new Map<string, { user: User; expiresAt: number }>();
  /** JWTs that were refused once and stay refused. */
  readonly #refused = new Set<string>();

  constructor(secret: string, store: Store) {
    this.#secret = createSecretKey(secret, 'utf8');
    this.#store = store;
  }

  /** A JWT for the user; times in milliseconds since the epoch. */
  issue(user: User, issuedAt: number, expiresAt: number): Promise<string> {
    return new SignJWT({ email: user.email })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(String(user.id))
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(Math.floor(issuedAt / 1000))
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .sign(this.#secret);
  }

  /** The user of a JWT that was verified before and has not expired: avoids the signature check. */
  remembered(token: string, now: number): User | undefined {
    const known = this.#verified.get(token);
    return known !== undefined && now < known.expiresAt ? known.user : undefined;
  }

  /** The user of a JWT, or undefined when its signature, algorithm, audience or time is wrong. */
  async verify(token: string, now: number): Promise<User | undefined> {
    if (this.#refused.has(token)) return undefined;
    try {
      const { payload } = await jwtVerify(token, this.#secret, {
        issuer,
        audience,
        algorithms: ['HS256'],
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(now),
      });
      const user = this.#store.users.get(Number(payload.sub));
      if (user === undefined || payload.exp === undefined) return undefined;
      if (this.#verified.size >= rememberedTokens) this.#verified.clear();
      this.#verified.set(token, { user, expiresAt: payload.exp * 1000 });
      return user;
    } catch {
      // jose distinguishes many errors; the interface has one reply to all of them.
      if (this.#refused.size >= rememberedTokens) this.#refused.clear();
      this.#refused.add(token);
      return undefined;
    }
  }
}
