// Wrong ways to guard billing.
import { type Fault, fault } from './fault.ts';
import { instead, onStatus, refusal } from './meddle.ts';
import { opening } from './tokens.ts';

const summary = 'GET /billing/summary';
const credits = 'GET /billing/credits/balance';

export default [
  fault('billing-shows-summary-without-scope', { breaks: ['billing-summary-scope'] }, opening(summary)),
  fault('billing-shows-credits-without-scope', { breaks: ['billing-credits-scope'] }, opening(credits)),
  fault(
    'billing-takes-missing-scope-for-bad-token-on-summary',
    { breaks: ['billing-summary-scope'] },
    instead(summary, async (seen, honest) => {
      const response = await honest(seen.request.clone());
      return response.status === 403
        ? refusal(401, 'UNAUTHORIZED', 'Invalid or expired authentication token')
        : response;
    }),
  ),
  fault(
    'billing-hides-credits-without-scope-as-not-found',
    { breaks: ['billing-credits-scope'] },
    onStatus(credits, 403, 404),
  ),
] satisfies readonly Fault[];
