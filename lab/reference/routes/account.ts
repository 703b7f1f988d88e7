// Endpoints, Account and team, and billing.
import { activeAccount, type Call, type Operation, type Result } from '../operation.ts';
import type { Limits } from '../options.ts';
import { page, sortsBy } from '../paging.ts';
import { notFound, refuse } from '../refusal.ts';
import { limitsInForce } from '../service.ts';
import type { Account, User } from '../store.ts';
import type { WireRecord } from '../wire.ts';

const accountsOf = (user: User): Account[] =>
  user.memberships.filter((membership) => membership.active).map((membership) => membership.account);

function rateLimits(call: Call): unknown {
  const limits = limitsInForce(call.service, call.session.account?.tier ?? 'business');
  const classes = Object.keys(limits) as (keyof Limits)[];
  const shape = call.service.choices.rateLimitsShape;
  const each = (name: (of: string) => string, value: (limit: number) => unknown) =>
    Object.fromEntries(classes.map((of) => [name(of), value(limits[of])]));
  if (shape === 'array') return classes.map((type) => ({ type, limit: limits[type], per: 'minute' }));
  if (shape === 'objects') return each(String, (limit) => ({ limit, window_seconds: 60 }));
  if (shape === 'texts') return each(String, (limit) => `${limit} requests per minute`);
  return each((of) => `${of}_per_minute`, Number);
}

function me(call: Call): Result {
  const { session, service } = call;
  const { user, account } = session;
  const { wire, choices } = service;
  const accounts = accountsOf(user);
  const platform: WireRecord = { version: '2026-03', rate_limits: rateLimits(call) };
  if (choices.meShape === 'flat') {
    const memberships = accounts.map(({ id, slug }) => ({ account_id: id, account_slug: slug }));
    const permissions = { granted: user.scopes };
    const limits = { api_keys_per_account: choices.maxKeys };
    return {
      data: {
        ...wire.user(user),
        active_account_slug: account?.slug ?? null,
        memberships,
        permissions,
        limits,
        platform,
      },
    };
  }
  return {
    data: {
      user: wire.user(user),
      account: account === undefined ? null : wire.account(account),
      accounts: accounts.map((one) => wire.account(one)),
      scopes: user.scopes,
      max_api_keys: choices.maxKeys,
      platform,
    },
  };
}

function accountList(call: Call, name: string, items: readonly Account[]): Result {
  const { wire, choices } = call.service;
  if (choices.accountsPaginated) return page(call, { name, items, render: (one) => wire.account(one) });
  return { data: items.map((one) => wire.account(one)) };
}

function switchAccount(call: Call): Result {
  const { slug } = call.body;
  if (typeof slug !== 'string' || slug === '') throw refuse(400, 'slug is required');
  const { user } = call.session;
  const account = accountsOf(user).find((one) => one.slug === slug);
  if (account === undefined) throw notFound('account');
  user.preferred = account;
  return { data: { ...call.service.wire.account(account), is_active: true } };
}

function team(call: Call): Result {
  const account = activeAccount(call);
  return page(call, {
    name: 'team',
    items: account.members,
    render: (user) => call.service.wire.member(account, user),
    sorts: sortsBy((user: User) => user.name),
    offsetOnly: call.service.choices.teamMode === 'offset',
  });
}

export const accountOperations: readonly Operation[] = [
  { method: 'GET', path: '/me', access: 'user', run: me },
  {
    method: 'GET',
    path: '/me/accounts',
    access: 'user',
    run: (call) => accountList(call, 'accounts', accountsOf(call.session.user)),
  },
  {
    method: 'GET',
    path: '/me/team-accounts',
    access: 'user',
    allows: (user) => user.scopes.includes('account:read'),
    run: (call) => accountList(call, 'team-accounts', activeAccount(call).partners),
  },
  { method: 'PATCH', path: '/me/active-account', access: 'user', run: switchAccount },
  { method: 'GET', path: '/account/team', access: 'user', run: team },
];

const mayRead = (user: User) => user.scopes.includes('billing:read');
const balance = (account: Account) => ({ balance: account.credits, unit: 'credits' });

function billingSummary(call: Call): Result {
  const account = activeAccount(call);
  const renews_at = call.service.wire.time(account.renewsAt);
  const subscription = { plan: account.tier, status: 'active', seats: account.members.length, renews_at };
  return { data: { account_id: account.id, subscription, credits: balance(account) } };
}

function credits(call: Call): Result {
  const account = activeAccount(call);
  return { data: { account_id: account.id, ...balance(account) } };
}

export const billingOperations: readonly Operation[] = [
  { method: 'GET', path: '/billing/summary', access: 'user', allows: mayRead, run: billingSummary },
  { method: 'GET', path: '/billing/credits/balance', access: 'user', allows: mayRead, run: credits },
];
