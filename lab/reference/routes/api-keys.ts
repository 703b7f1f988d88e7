// Endpoints, API keys: created, listed and revoked by the user that they belong to; and what needs no credential.
import { activeAccount, type Call, type Operation, type PublicCall, type Result } from '../operation.ts';
import { anonymousValidations } from '../options.ts';
import { page } from '../paging.ts';
import { randomText } from '../random.ts';
import { notFound, refuse } from '../refusal.ts';
import { limitsInForce, spend } from '../service.ts';
import type { Key } from '../store.ts';
import { keyPrefix } from '../tokens.ts';
import { checked, labelRules, secretRules } from '../validation.ts';

function create(call: Call): Result {
  const { service, session, now } = call;
  const account = activeAccount(call);
  const { label } = checked(call.body, labelRules, { required: ['label'], refusal: service.choices.refusal });
  if (account.keys.length >= service.choices.maxKeys) {
    throw refuse(403, `This account may have no more than ${service.choices.maxKeys} API keys; revoke one first`);
  }
  const key = service.store.addKey({
    id: service.store.admit('key'),
    createdAt: now,
    label: String(label),
    secret: keyPrefix + randomText(service.random, 40),
    user: session.user,
    account,
    lastUsedAt: undefined,
  });
  return { data: { ...service.wire.key(key), api_key: key.secret } };
}

function list(call: Call): Result {
  const { service, session } = call;
  const { keys } = activeAccount(call);
  const everybody = service.choices.keysListed === 'account';
  const items = everybody ? keys : keys.filter((key) => key.user === session.user);
  return page<Key>(call, { name: 'api-keys', items, render: (key) => service.wire.key(key), offsetOnly: true });
}

/** A session of a key may revoke keys of its account only, a JWT session every key of its user. */
function isCallers(call: Call, key: Key): boolean {
  const { user, key: own } = call.session;
  return key.user === user && (own === undefined || own.account === key.account);
}

function revoke(call: Call): Result {
  const { store, choices } = call.service;
  const id = call.ids.key_id;
  const key =
    choices.keysNumbered === 'together'
      ? store.keys.get(id ?? 0)
      : activeAccount(call).keys.find(({ number }) => number === id);
  if (key !== undefined && isCallers(call, key)) {
    store.removeKey(key);
    return { data: { deleted: true } };
  }
  const answer = key === undefined ? choices.unknownKeyDeletion : choices.foreignKeyDeletion;
  if (answer === 'not-deleted') return { data: { deleted: false } };
  throw answer === 404 ? notFound('API key') : refuse(403, 'This API key is not yours to revoke');
}

export const apiKeyOperations: readonly Operation[] = [
  {
    method: 'POST',
    path: '/api-keys',
    access: 'user',
    status: 201,

    allows: (user, { choices }) => choices.keyCreation && user.mayCreateKeys,
    run: create,
  },
  { method: 'GET', path: '/api-keys', access: 'user', run: list },
  { method: 'DELETE', path: '/api-keys/:key_id', access: 'user', run: revoke },
];

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
  { method: 'POST', path: '/auth/validate-api-key', access: 'public', run: validate },
];
