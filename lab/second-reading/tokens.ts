// JSON Web Tokens, HS256, made and checked by hand.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Choices } from './choices.ts';
import type { User } from './records.ts';

export interface Claims {
  subject: string;
  session: string;
  expires: number;
}

const REMEMBERED = 500;

export class TokenRegister {
  readonly #secret: string;
  readonly #choices: Choices;
  readonly #known = new Map<string, Claims>();

  constructor(secret: string, choices: Choices) {
    this.#secret = secret;
    this.#choices = choices;
  }

  issue(user: User, session: string, issued: number, expires: number): string {
    const { jwtSubject, jwtKeyName, jwtScopeClaim } = this.#choices;
    const header = { alg: 'HS256', typ: 'JWT', ...(jwtKeyName === 'kid' ? { kid: 'main' } : {}) };
    const payload: Record<string, unknown> = {
      sub: jwtSubject === 'email' ? user.email : String(user.number),
      jti: session,
      iat: Math.floor(issued / 1000),
      exp: Math.floor(expires / 1000),
    };
    if (jwtScopeClaim === 'scope') payload.scope = user.scopes.join(' ');
    else if (jwtScopeClaim !== 'none') payload[jwtScopeClaim] = user.scopes;
    const signed = `${encode(header)}.${encode(payload)}`;
    return `${signed}.${this.#sign(signed)}`;
  }

  /** The claims of a token that is genuine; whether it has expired is for the caller to see. */
  read(token: string): Claims | undefined {
    const known = this.#known.get(token);
    if (known !== undefined) return known;
    const claims = this.#examine(token);
    if (claims === undefined) return undefined;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(token, claims);
    return claims;
  }

  #examine(token: string): Claims | undefined {
    const [header, payload, signature, ...rest] = token.split('.');
    if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) return undefined;
    const expected = Buffer.from(this.#sign(`${header}.${payload}`));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    if (decode(header)?.alg !== 'HS256') return undefined;
    const claims = decode(payload);
    if (typeof claims?.sub !== 'string' || typeof claims.exp !== 'number') return undefined;
    return { subject: claims.sub, session: String(claims.jti ?? ''), expires: claims.exp * 1000 };
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
