// Who is calling, and which account a request is about.
import type { Choices } from './choices.ts';
import type { Account, ApiKey, Membership, User } from './records.ts';
import { Refusal, refuse } from './refusal.ts';
import { type Call, type Caller, callerOf, type Visit } from './visit.ts';
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

/** Finds the active account of the caller, and the membership by which it is reached. */
export function settleAccount(visit: Visit): void {
  const caller = callerOf(visit);
  const named = visit.call.header('x-active-account');
  if (caller.key !== undefined) {
    if (named !== undefined) checkHeaderWithKey(visit, named, caller.key.membership.account);
    enter(visit, caller.key.membership);
    return;
  }
  const chosen = named === undefined ? undefined : membershipByHeader(visit, named, caller.user);
  enter(visit, chosen ?? preferredMembership(visit, caller.user));
}

export function activeMemberships(user: User): Membership[] {
  return user.memberships.filter((membership) => membership.active);
}

export function membershipOn(user: User, account: Account | null | undefined): Membership | null {
  return user.memberships.find((membership) => membership.active && membership.account === account) ?? null;
}

/** Keeps a new preference, for the user or for the session only. */
export function prefer(visit: Visit, account: Account): void {
  const caller = callerOf(visit);
  if (visit.choices.activeChangeScope === 'user') caller.user.preferred = account;
  else visit.world.sessions.set(caller.session, account);
}

function preferredMembership(visit: Visit, user: User): Membership | null {
  const ofSession = visit.world.sessions.get(callerOf(visit).session);
  const stored = membershipOn(user, ofSession ?? user.preferred);
  if (stored !== null || visit.choices.soleMembership === 'not-implied') return stored;
  const all = activeMemberships(user);
  return all.length === 1 ? (all[0] ?? null) : null;
}

function membershipByHeader(visit: Visit, named: string, user: User): Membership | undefined {
  const { choices, world, operation } = visit;
  const text = named.trim();
  if (text === '' && choices.activeHeaderBlank === 'as-absent') return undefined;
  const account = world.accounts.find((candidate) => isNamed(visit, candidate, text));
  const membership = membershipOn(user, account);
  if (membership !== null) return membership;
  if (operation.needsAccount === false && choices.activeHeaderChecked === 'where-needed') return undefined;
  const status = account === undefined ? choices.activeHeaderUnknown : choices.activeHeaderForeign;
  return refuse(status, causeOfStatus(status), 'X-Active-Account names no account of this user.');
}

function checkHeaderWithKey(visit: Visit, named: string, account: Account): void {
  const { choices, operation } = visit;
  const status = choices.activeHeaderWithKey;
  const text = named.trim();
  if (status === 'ignored' || isNamed(visit, account, text)) return;
  if (text === '' && choices.activeHeaderBlank === 'as-absent') return;
  if (operation.needsAccount === false && choices.activeHeaderChecked === 'where-needed') return;
  refuse(status, causeOfStatus(status), 'X-Active-Account differs from the account of the API key.');
}

function isNamed(visit: Visit, account: Account, text: string): boolean {
  const { activeHeaderForm } = visit.choices;
  if (activeHeaderForm !== 'id' && account.slug === text) return true;
  return activeHeaderForm !== 'slug' && String(account.shownId) === text;
}

function causeOfStatus(status: '400' | '403' | '404'): 'bad_request' | 'not_allowed' | 'account_not_found' {
  if (status === '400') return 'bad_request';
  return status === '403' ? 'not_allowed' : 'account_not_found';
}

function enter(visit: Visit, membership: Membership | null): void {
  visit.membership = membership;
  visit.account = membership?.account ?? null;
}
