// Endpoints, Billing: both need the scope billing:read.
import { activeAccount, type Call, type Operation, type Result } from '../operation.ts';
import type { Account, User } from '../store.ts';

const mayRead = (user: User) => user.scopes.includes('billing:read');
const balance = (account: Account) => ({ balance: account.credits, unit: 'credits' });

function summary(call: Call): Result {
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
  { method: 'GET', path: '/billing/summary', access: 'user', allows: mayRead, run: summary },
  { method: 'GET', path: '/billing/credits/balance', access: 'user', allows: mayRead, run: credits },
];
