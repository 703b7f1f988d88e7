// Who is let in: a live token wherever it was accepted before and after, and nobody without one or with a bad one.
import {
  isBare,
  isSession,
  type Judge,
  type OperationId,
  operations,
  type Reply,
  type Rule,
  rules,
  together,
  tokenOf,
  type World,
  wasAccepted,
} from '../../lib/index.ts';
import { scopeRules } from '../shared/scope-rules.ts';

const badTokenIds = [
  'authentication-missing',
  'authentication-key-unknown',
  'authentication-key-altered',
  'authentication-malformed',
  'authentication-tampered-signature',
  'authentication-tampered-payload',
  'authentication-alg-none',
  'authentication-expired',
  'authentication-revoked',
] as const;
export type BadTokenId = (typeof badTokenIds)[number];
const ids = [...badTokenIds, 'authentication-key-accepted', 'authentication-jwt-accepted'] as const;
type Id = (typeof ids)[number];

const credentials: Rule<Id> = (world, judge) => {
  const { keys } = world;
  const isKnown = knownIn(world);
  for (const reply of world.replies) {
    const { operation, credential } = reply;
    const token = tokenOf(reply);
    if (operation === undefined || !operations[operation].protected) continue;
    if (token === undefined) judgeMissing(reply, operation, judge);
    const isValid = keys.ownerOf(token) !== undefined && credential !== 'COVENANT_JWT_EXPIRED';
    if (!isValid) judgeInvalid(reply, judge);
    else if (token !== undefined && isKnown(reply, token)) judgeValid(reply, token, world, judge);
  }
};

/** By what a case calls a token that it made up, which kind it is of; the first that fits. */
const kinds: readonly (readonly [RegExp, BadTokenId])[] = [
  [/^COVENANT_JWT_EXPIRED$/, 'authentication-expired'],
  [/^a revoked key$/, 'authentication-revoked'],
  [/^a JWT .*(old signature|in its payload|live longer|another claim)/, 'authentication-tampered-payload'],
  [/^nothing behind /, 'authentication-missing'],
  [/^a JWT .*(signature|signed|header and payload alone)/, 'authentication-tampered-signature'],
  [/^a JWT of (algorithm|no algorithm)/, 'authentication-alg-none'],
  [/^a key (of another service)/, 'authentication-malformed'],
  [/^a key (that|of)|^the (end|first half|prefix|visible prefix) of/, 'authentication-key-unknown'],
  [/^a key /, 'authentication-key-altered'],
  [/^a (JWT|text|UUID)|^the word|^three parts/, 'authentication-malformed'],
];

/** Whoever was accepted at so many operations is accepted at all of them: what a user may not do is refused with 403. */
const operationsMin = 2;

/** A key that the run made, or a token that the same operation or several others accept at another time. */
function knownIn({ replies, keys }: World): (reply: Reply, token: string) => boolean {
  const accepted = new Map<string, Set<OperationId | undefined>>();
  for (const reply of replies) {
    const token = tokenOf(reply);
    if (token !== undefined && wasAccepted(reply))
      accepted.set(token, (accepted.get(token) ?? new Set()).add(reply.operation));
  }
  return ({ operation }, token) => {
    const known = accepted.get(token);
    return keys.of(token) !== undefined || known?.has(operation) === true || (known?.size ?? 0) >= operationsMin;
  };
}

/** Reads that name nothing are valid in everything but their credentials. */
function judgeMissing(reply: Reply, operation: OperationId, { expect }: Judge<Id>): void {
  const { status, request } = reply;
  if (operations[operation].rate !== 'read' || operation.includes('{') || !isBare(reply)) return;
  if (request.headers.authorization !== undefined || status >= 429) return;
  const message = 'a request without credentials should be refused';
  expect('authentication-missing', reply, status === 401, message, { expected: 401, actual: status });
}

/** A token that is known to be bad, in a call that is valid in everything else. */
function judgeInvalid(reply: Reply, { expect }: Judge<Id>): void {
  const { status, credential, undocumented } = reply;
  const [, id] = kinds.find(([name]) => name.test(credential)) ?? [];
  if (id === undefined || undocumented || status >= 429) return;
  expect(id, reply, status === 401, `${credential} should be refused`, { expected: 401, actual: status });
}

function judgeValid(reply: Reply, token: string, { keys }: World, { expect }: Judge<Id>): void {
  const { status, operation, credential } = reply;
  if (!isBare(reply) || status >= 429 || !keys.isLive(token, reply)) return;
  const isOfSession = keys.of(token) === undefined && isSession(keys.ownerOf(token));
  const id = isOfSession ? 'authentication-jwt-accepted' : 'authentication-key-accepted';
  const found = { expected: 'any status but 401', actual: status };
  expect(id, reply, status !== 401, `${operation} should accept ${credential} whenever it calls`, found);
}

export const authenticationRules = together(
  rules(ids, credentials),
  scopeRules('billing-summary-scope', 'billing-credits-scope', 'account-team-accounts-scope', 'account-me-scopes'),
  scopeRules('api-keys-made-rights'),
);
