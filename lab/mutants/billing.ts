// Wrong ways to guard billing.
import { type Mutant, mutant } from './mutant.ts';
import { instead, onStatus, refusal } from './wrappers/mutator.ts';
import { opening } from './wrappers/tokens.ts';

const summary = 'GET /billing/summary';
const credits = 'GET /billing/credits/balance';

export default [
  mutant('billing-shows-summary-without-scope', { breaks: ['billing-summary-scope'] }, opening(summary)),
  mutant('billing-shows-credits-without-scope', { breaks: ['billing-credits-scope'] }, opening(credits)),
  mutant(
    'billing-takes-missing-scope-for-bad-token-on-summary',
    { breaks: ['billing-summary-scope'] },
    instead(summary, async (seen, honest) => {
      const response = await honest(seen.request.clone());
      return response.status === 403
        ? refusal(401, 'UNAUTHORIZED', 'Invalid or expired authentication token')
        : response;
    }),
  ),
  mutant(
    'billing-hides-credits-without-scope-as-not-found',
    { breaks: ['billing-credits-scope'] },
    onStatus(credits, 403, 404),
  ),
] satisfies readonly Mutant[];
