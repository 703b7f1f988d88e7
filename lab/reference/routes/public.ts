// Endpoints, Public operations: the liveness check and the validation of API keys.
import type { Operation, PublicCall, Result } from '../operation.ts';
import { anonymousValidations } from '../options.ts';
import { limitsInForce, spend } from '../service.ts';
import { checked, secretRules } from '../validation.ts';

function validate(call: PublicCall): Result {
  const { service, body, now } = call;
  const { store, choices } = service;
  const given = body.api_key;
  const key = typeof given === 'string' ? store.keysBySecret.get(given) : undefined;
  const account = choices.validateBudget === 'key-account' ? key?.account : undefined;
  const limit = account === undefined ? anonymousValidations : limitsInForce(service, account.tier).validate;
  spend(service, account === undefined ? 'anonymous' : `account-${account.id}`, 'validate', limit, now);
  checked(body, secretRules, { required: ['api_key'], refusal: choices.refusal });
  if (key === undefined) {
    const none = { user_id: null, account_id: null, scopes: null, tier: null };
    return { data: choices.invalidKeyDetails === 'null' ? { valid: false, ...none } : { valid: false } };
  }
  const { user, account: owner } = key;
  return { data: { valid: true, user_id: user.id, account_id: owner.id, scopes: user.scopes, tier: owner.tier } };
}

export const publicOperations: readonly Operation[] = [
  { method: 'GET', path: '/health', access: 'public', run: () => ({ data: { status: 'ok' } }) },
  { method: 'POST', path: '/auth/validate-api-key', access: 'public', body: true, run: validate },
];
