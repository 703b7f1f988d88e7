// Who is calling: the Authorization and X-Origin-App headers.
import type { Choices } from './choices.ts';
import type { ApiKey, User } from './records.ts';
import { Refusal, refuse } from './refusal.ts';
import type { Call, Caller } from './visit.ts';
import type { World } from './world.ts';

type Cause = 'missing' | 'unknown' | 'expired';

const WORDS: Record<Choices['unauthorizedWording'], string> = {
  short: 'Invalid or expired authentication token',
  sentence: 'The authentication token is invalid or has expired.',
  polite: 'Please sign in again: the authentication token was invalid or expired.',
};

const CAUSES: Record<Cause, string> = {
  missing: 'none was sent',
  unknown: 'not recognised',
  expired: 'past its end',
};

export const API_KEY_PREFIX = 'svc_sk_';
const THROTTLE = 60_000;

export function identify(world: World, call: Call, now: number): Caller {
  const token = bearerToken(call.header('authorization'), world.choices);
  if (token === undefined) return unauthorized(world.choices, 'missing');
  return callerFor(world, token, now) ?? unauthorized(world.choices, causeOf(world, token));
}

/** The caller a token stands for, if it is good. */
export function callerFor(world: World, token: string, now: number): Caller | undefined {
  if (token.startsWith(API_KEY_PREFIX)) {
    const key = world.keysBySecret.get(token);
    if (key === undefined) return undefined;
    markUsed(key, now);
    return { user: key.membership.user, key, session: `key-${key.id}`, expires: undefined };
  }
  const claims = world.tokens.read(token);
  if (claims === undefined || now >= claims.expires) return undefined;
  const user = userFor(world, claims.subject);
  return user && { user, key: undefined, session: claims.session, expires: claims.expires };
}

export function bearerToken(header: string | undefined, choices: Choices): string | undefined {
  if (header === undefined) return undefined;
  const scheme = header.slice(0, 7);
  const good = choices.bearerCase === 'exact' ? scheme === 'Bearer ' : scheme.toLowerCase() === 'bearer ';
  if (!good) return undefined;
  const rest = header.slice(7);
  const token = choices.bearerGap === 'any' ? rest.trim() : rest;
  return token === '' || token.includes(' ') ? undefined : token;
}

export function markUsed(key: ApiKey, now: number): void {
  if (key.shownUsed === null || now - key.shownUsed >= THROTTLE) key.shownUsed = now;
  key.used = now;
}

export function checkOrigin(choices: Choices, call: Call): void {
  if (choices.originMissing === 'accepted') return;
  const app = call.header('x-origin-app');
  const missing = app === undefined || (choices.originBlank === 'as-missing' && app.trim() === '');
  if (missing) refuse(choices.originMissing, 'missing_origin_app', 'The X-Origin-App header is required.');
}

function userFor(world: World, subject: string): User | undefined {
  return world.choices.jwtSubject === 'email'
    ? world.usersByEmail.get(subject)
    : world.usersByNumber.get(Number(subject));
}

function causeOf(world: World, token: string): Cause {
  return world.tokens.read(token) === undefined ? 'unknown' : 'expired';
}

function unauthorized(choices: Choices, cause: Cause): never {
  const words = WORDS[choices.unauthorizedWording];
  const message = choices.unauthorizedReason === 'one' ? words : `${words} (${CAUSES[cause]})`;
  throw new Refusal(401, 'unauthorized', message, undefined, challenge(choices));
}

function challenge(choices: Choices): Record<string, string> {
  if (choices.wwwAuthenticate === 'none') return {};
  const detail = choices.wwwAuthenticate === 'plain' ? '' : ' realm="external", error="invalid_token"';
  return { 'WWW-Authenticate': `Bearer${detail}` };
}
