// The subscription summary and the credit balance.
import { must, observe, requirements } from './requirement.ts';

export const billing = {
  ...requirements('billing', 'Endpoints / Billing, row GET /billing/summary', {
    'billing-summary-scope': must('The billing summary is refused with 403 to a token without billing:read', {
      impact: 'Restricted users see what the firm pays.',
      rulings: ['otherwise-valid'],
    }),
    'billing-credits-scope': must('The credit balance is refused with 403 to a token without billing:read', {
      at: 'Endpoints / Billing, row GET /billing/credits/balance',
      impact: 'Restricted users see the credits of the firm.',
      rulings: ['otherwise-valid'],
    }),
    'billing-credits-agree': observe('Does the billing summary show the same balance as the credits?'),
  }),
  ...requirements('billing', 'Resources and their fields / Fields of other records, point 6', {
    'billing-summary-fields': observe('Which fields does the billing summary have?', {
      rulings: ['silent-is-observed'],
    }),
    'billing-credits-fields': observe('Which fields does the credits record have?', {
      rulings: ['silent-is-observed'],
    }),
  }),
};
