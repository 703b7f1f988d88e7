// Operations on the user, the accounts, the team and what they pay.
import { activeMemberships, membershipOn, prefer } from '../auth.ts';
import { readObject } from '../checks.ts';
import type { Choices } from '../choices.ts';
import { type Listed, sourceOf } from '../collection.ts';
import { LIST_QUERY, listPage, offsetPage, readLimit } from '../paging.ts';
import type { Account, Membership, Row } from '../records.ts';
import { type Outcome, refuse } from '../refusal.ts';
import {
  accountView,
  creditsView,
  memberView,
  meView,
  summaryView,
  teamAccountView,
  userView,
} from '../views/accounts.ts';
import { accountOf, callerOf, type Operation, operation, type Visit } from '../visit.ts';

export const accountOperations: readonly Operation[] = [
  operation('GET /me', { needsAccount: false, act: (visit) => ({ status: 200, data: meView(visit) }) }),
  operation('GET /me/accounts', {
    needsAccount: false,
    query: LIST_QUERY,
    scope: (choices) => (choices.accountsScope === 'open' ? null : 'account:read'),
    act: (visit) => {
      const { account, choices } = visit;
      const all = activeMemberships(callerOf(visit).user);
      const view = (each: Membership): Row => accountView(each.account, each, each.account === account, choices);
      return listOrObject(visit, choices.accountsShape, 'accounts', all, view);
    },
  }),
  operation('GET /me/team-accounts', {
    query: LIST_QUERY,
    scope: () => 'account:read',
    act: (visit) => {
      const shape = visit.choices.teamAccountsShape;
      const view = (account: Account): Row => teamAccountView(account, visit.choices);
      return listOrObject(visit, shape, 'team_accounts', accountOf(visit).sharedFrom, view);
    },
  }),
  operation('PATCH /me/active-account', {
    needsAccount: false,
    idempotency: (choices) => choices.idemActive,
    permit: refuseByKey,
    read: readSlug,
    act: (visit, _, slug) => switchTo(visit, slug),
  }),
  operation('GET /account/team', {
    query: LIST_QUERY,
    scope: (choices) => (choices.teamScope === 'open' ? null : 'account:read'),
    act: (visit) => {
      const { choices } = visit;
      const account = accountOf(visit);
      const members = account.members.filter((each) => each.active || choices.teamStatus === 'with-status');
      const view = (member: Membership): Row => memberView(member, choices);
      const listing = { name: `team:${account.slug}`, source: sourceOf(members), view };
      if (choices.teamLimit === 'ignored') return wholeTeam(visit, members.map(view));
      if (choices.teamMode === 'cursor') return listPage(visit, listing);
      refuseCombination(visit);
      return offsetPage(visit, members, view, readLimit(visit, choices.limitOut) ?? 50);
    },
  }),
];

function listOrObject<T extends Listed>(
  visit: Visit,
  shape: Choices['accountsShape'],
  name: string,
  items: readonly T[],
  view: (item: T) => Row,
): Outcome {
  refuseCombination(visit);
  if (shape === 'array') return { status: 200, data: items.map(view) };
  if (shape === 'object') return { status: 200, data: { [name]: items.map(view) } };
  if (shape === 'cursor-page') return listPage(visit, { name, source: sourceOf(items), view });
  return offsetPage(visit, items, view, readLimit(visit, visit.choices.limitOut) ?? 50);
}

/** A cursor with a sort is refused on every list, even one that heeds neither. */
function refuseCombination(visit: Visit): void {
  if (visit.query.get('cursor') === undefined || visit.query.get('sort') === undefined) return;
  refuse(400, 'cursor_with_sort', 'A cursor cannot be combined with sort.', 'cursor');
}

function wholeTeam(visit: Visit, data: Row[]): Outcome {
  refuseCombination(visit);
  const total = data.length;
  const limit = Math.max(50, total);
  const pagination =
    visit.choices.teamMode === 'cursor'
      ? { total, limit, cursor: null, has_more: false, next_cursor: null }
      : { total, limit, offset: 0, has_more: false };
  return { status: 200, data, pagination };
}

function refuseByKey(visit: Visit): void {
  if (callerOf(visit).key === undefined || visit.choices.activeChangeByKey === 'stored') return;
  refuse(403, 'not_allowed', 'The account of an API key cannot be changed.');
}

function readSlug(visit: Visit): string {
  const { choices } = visit;
  const { slug } = readObject(visit, 'as-object');
  if (slug === undefined || slug === null) return refuse(400, 'missing_slug', 'slug is required.', 'slug');
  if (typeof slug !== 'string') return refuse(choices.slugWrongType, 'invalid_field', 'slug must be a string.', 'slug');
  if (slug.trim() === '' && choices.slugBlank === '400') refuse(400, 'missing_slug', 'slug is required.', 'slug');
  return choices.slugCase === 'any-case' ? slug.toLowerCase() : slug;
}

function switchTo(visit: Visit, slug: string): Outcome {
  const { world, choices } = visit;
  const { user } = callerOf(visit);
  const membership = membershipOn(
    user,
    world.accounts.find((account) => account.slug === slug),
  );
  if (membership === null) return refuse(404, 'account_not_found', 'There is no such account for this user.', 'slug');
  const { account } = membership;
  prefer(visit, account);
  return { status: 200, data: activeRecord(visit, accountView(account, membership, true, choices), account) };
}

function activeRecord(visit: Visit, shown: Row, account: Account): Row {
  const shapes: Record<Choices['activeResult'], Row> = {
    wrapped: { active_account: shown },
    short: { slug: account.slug },
    'with-user': { ...shown, user: userView(callerOf(visit).user, visit.choices) },
    account: shown,
  };
  return shapes[visit.choices.activeResult];
}

const billing = (name: `GET /${string}`, view: (account: Account, choices: Choices) => Row): Operation =>
  operation(name, {
    scope: () => 'billing:read',
    act: (visit) => ({ status: 200, data: view(accountOf(visit), visit.choices) }),
  });

export const billingOperations: readonly Operation[] = [
  billing('GET /billing/summary', summaryView),
  billing('GET /billing/credits/balance', creditsView),
];
