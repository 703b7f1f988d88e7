// Which account a request is about.
import type { Account, Membership, User } from './records.ts';
import { refuse } from './refusal.ts';
import { callerOf, type Visit } from './visit.ts';

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
  return refuse(status, causeOf(status), 'X-Active-Account names no account of this user.');
}

function checkHeaderWithKey(visit: Visit, named: string, account: Account): void {
  const { choices, operation } = visit;
  const status = choices.activeHeaderWithKey;
  const text = named.trim();
  if (status === 'ignored' || isNamed(visit, account, text)) return;
  if (text === '' && choices.activeHeaderBlank === 'as-absent') return;
  if (operation.needsAccount === false && choices.activeHeaderChecked === 'where-needed') return;
  refuse(status, causeOf(status), 'X-Active-Account differs from the account of the API key.');
}

function isNamed(visit: Visit, account: Account, text: string): boolean {
  const { activeHeaderForm } = visit.choices;
  if (activeHeaderForm !== 'id' && account.slug === text) return true;
  return activeHeaderForm !== 'slug' && String(account.shownId) === text;
}

function causeOf(status: '400' | '403' | '404'): 'bad_request' | 'not_allowed' | 'account_not_found' {
  if (status === '400') return 'bad_request';
  return status === '403' ? 'not_allowed' : 'account_not_found';
}

function enter(visit: Visit, membership: Membership | null): void {
  visit.membership = membership;
  visit.account = membership?.account ?? null;
}
