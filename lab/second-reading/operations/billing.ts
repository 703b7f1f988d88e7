// Operations on billing.
import { creditsView, summaryView } from '../views/accounts.ts';
import { accountOf, type Operation } from '../visit.ts';

const summary: Operation = {
  method: 'GET',
  path: '/billing/summary',
  kind: 'read',
  needsAccount: true,
  scope: () => 'billing:read',
  begin: (visit) => ({ act: () => ({ status: 200, data: summaryView(accountOf(visit), visit.choices) }) }),
};

const balance: Operation = {
  method: 'GET',
  path: '/billing/credits/balance',
  kind: 'read',
  needsAccount: true,
  scope: () => 'billing:read',
  begin: (visit) => ({ act: () => ({ status: 200, data: creditsView(accountOf(visit), visit.choices) }) }),
};

export const billingOperations: readonly Operation[] = [summary, balance];
