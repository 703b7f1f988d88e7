// Wrong ways to guard billing.
import { mutants } from './mutant.ts';
import { instead, onStatus, unauthorized } from './wrappers/mutator.ts';
import { opening } from './wrappers/tokens.ts';

const summary = 'GET /billing/summary';
const credits = 'GET /billing/credits/balance';

/** What opens is that of whoever was let in last. */
const anothers = {
  'account-active-key-unmoved': 'a key is shown the billing of another account',
  'account-header-key-unmoved': 'a key is shown the billing of another account',
  'api-keys-made-rights': 'what is closed to one may open to another right afterwards',
};

export default mutants({
  'billing-summary-scope': {
    'billing-shows-summary-without-scope': { collateral: anothers, wrap: opening(summary) },
    'billing-takes-missing-scope-for-bad-token-on-summary': {
      collateral: { 'authentication-key-accepted': 'a key that the run made is live until it is revoked' },
      wrap: instead(summary, async (seen, honest) => {
        const response = await honest(seen.request.clone());
        return response.status === 403 ? unauthorized() : response;
      }),
    },
  },
  'billing-credits-scope': {
    'billing-shows-credits-without-scope': { collateral: anothers, wrap: opening(credits) },
    'billing-hides-credits-without-scope-as-not-found': onStatus(credits, 403, 404),
  },
});
