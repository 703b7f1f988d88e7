// The two operations that need no authentication.
import { API_KEY_PREFIX, bearerToken, callerFor, markUsed, membershipOn } from '../auth.ts';
import { charge, payerForAccount } from '../charge.ts';
import { readObject } from '../checks.ts';
import type { Choices } from '../choices.ts';
import { writeTime } from '../clock.ts';
import type { Account, ApiKey, Row } from '../records.ts';
import { refuse } from '../refusal.ts';
import { type Operation, operation, type Visit } from '../visit.ts';

export const publicOperations: readonly Operation[] = [
  operation('GET /health', { kind: 'health', act: (visit) => ({ status: 200, data: healthBody(visit) }) }),
  operation('POST /auth/validate-api-key', {
    kind: 'validate',
    act: (visit) => {
      const early = visit.choices.validateCharge !== 'checked-account';
      if (early) charge(visit, payerOf(visit, undefined), 'validate');
      const secret = readSecret(visit);
      const key = secret === undefined ? undefined : visit.world.keysBySecret.get(secret);
      if (!early) charge(visit, payerOf(visit, key), 'validate');
      return { status: 200, data: key === undefined ? invalid(visit) : valid(visit, key) };
    },
  }),
];

function healthBody(visit: Visit): Row {
  const { choices, now } = visit;
  const shapes: Record<Choices['healthBody'], Row> = {
    status: { status: 'ok' },
    empty: {},
    checks: { status: 'healthy', checks: { database: 'up' }, time: writeTime(now, choices.recordTimeForm) },
    boolean: { alive: true, version: '2026-03' },
  };
  return shapes[choices.healthBody];
}

/** The key to check; undefined when what was sent cannot be one. */
function readSecret(visit: Visit): string | undefined {
  const { choices } = visit;
  const { api_key: given } = readObject(visit);
  if (given === undefined || given === null) return cannotBeKey(choices.validateMissing);
  if (typeof given !== 'string') return cannotBeKey(choices.validateWrongType);
  if (given.trim() === '') return cannotBeKey(choices.validateBlank);
  return choices.validateTrim === 'trimmed' ? given.trim() : given;
}

function cannotBeKey(rule: 'false' | '422' | '400'): undefined {
  if (rule === 'false') return undefined;
  refuse(rule, 'invalid_field', 'api_key must be a key, as a string.', 'api_key');
}

function valid(visit: Visit, key: ApiKey): Row {
  const { choices, now } = visit;
  const { user, account, scopes } = key.membership;
  if (choices.validateTouches === 'yes') markUsed(key, now);
  const row: Row = { valid: true, user_id: user.shownId, account_id: account.shownId, scopes, tier: account.tier };
  if (choices.validateExtra === 'key_id') row.key_id = key.id;
  if (choices.validateExtra === 'label') row.label = key.label;
  return row;
}

function invalid(visit: Visit): Row {
  if (visit.choices.validateInvalidRest === 'absent') return { valid: false };
  return { valid: false, user_id: null, account_id: null, scopes: null, tier: null };
}

/** Who pays for a validation: it is public, so somebody has to be found. */
function payerOf(visit: Visit, checked: ApiKey | undefined): string {
  switch (visit.choices.validateCharge) {
    case 'checked-account':
      return checked === undefined ? 'everyone' : payerForAccount(checked.membership.account);
    case 'caller':
      return payerForCaller(visit);
    case 'origin-app':
      return `app-${visit.call.header('x-origin-app') ?? ''}`;
    default:
      return 'everyone';
  }
}

function payerForCaller(visit: Visit): string {
  const { world, call, choices, now } = visit;
  const token = bearerToken(call.header('authorization'), choices);
  const key = token?.startsWith(API_KEY_PREFIX) === true ? world.keysBySecret.get(token) : undefined;
  if (key !== undefined) return payerForAccount(key.membership.account);
  const caller = token === undefined ? undefined : callerFor(world, token, now);
  if (caller === undefined) return 'everyone';
  const account: Account | undefined = membershipOn(caller.user, caller.user.preferred)?.account;
  return account === undefined ? `user-${caller.user.number}` : payerForAccount(account);
}
