// Valid tokens are accepted by every operation; missing and bad ones are refused, and their writes have no effect.
import {
  anonymous,
  computedOnce,
  grouped,
  isBare,
  isOutage,
  isSession,
  type Judge,
  type JudgedId,
  leftNothingRule,
  type OperationId,
  operations,
  type Reply,
  type Rule,
  rules,
  stillThereRule,
  together,
  tokenOf,
  type World,
  wasAccepted,
} from '../../lib/index.ts';
import { missingName } from '../shared/invalid-tokens.ts';
import { revokedName } from '../shared/keys.ts';
import { foreignRules } from './foreign-rules.ts';
import { scopeRules } from './scope-rules.ts';

const credentials: Rule = (world, judge) => {
  const { keys } = world;
  const isKnown = knownIn(world);
  for (const reply of world.replies) {
    const { operation, credential } = reply;
    const token = tokenOf(reply);
    if (operation === undefined || !operations[operation].protected) continue;
    if (credential === anonymous.name) judgeMissing(reply, operation, judge);
    const isOver =
      credential === 'COVENANT_JWT_EXPIRED' || (credential === revokedName && keys.isRevoked(token, reply));
    const isValid = keys.ownerOf(token) !== undefined && !isOver;
    if (!isValid) judgeInvalid(reply, judge);
    else if (token !== undefined && isKnown(reply, token)) judgeValid(reply, token, world, judge);
  }
};

/** The kind of a bad token, by the name that its case gave it; the first match counts. */
const kinds = [
  [/^COVENANT_JWT_EXPIRED$/, 'authentication-expired'],
  [new RegExp(`^${revokedName}$`), 'authentication-revoked'],
  [/^a JWT .*(old signature|in its payload|live longer|another claim)/, 'authentication-tampered-payload'],
  [new RegExp(`^${missingName}$|^nothing behind `), 'authentication-missing'],
  [/^a JWT .*(signature|signed|header and payload alone)/, 'authentication-tampered-signature'],
  [/^a JWT of (algorithm|no algorithm)/, 'authentication-alg-none'],
  [/^a key (of another service)/, 'authentication-malformed'],
  [/^a key (that|of)|^the (end|first half|prefix|visible prefix) of/, 'authentication-key-unknown'],
  [/^a key /, 'authentication-key-altered'],
  [/^a (JWT|text|UUID)|^the (word|header)|^three parts/, 'authentication-malformed'],
] as const satisfies readonly (readonly [RegExp, JudgedId])[];
export type BadTokenId = (typeof kinds)[number][1];
export const badTokenIds: readonly BadTokenId[] = kinds.map(([, id]) => id);
/** The target may support other schemes: any answer but an outage is fine. */
const isOfAnyScheme = /^the header /;

/**
 * A token that this many operations accepted must be accepted by all: a missing permission gives 403. A session without an
 * account may be accepted by GET /me alone.
 */
const operationsMin = (credential: string): number => (credential === 'COVENANT_JWT_NO_ACCOUNT' ? 2 : 1);

/** Whether the token is a key of the run, or was accepted by the same operation or by enough others. */
function knownIn({ replies, keys }: World): (reply: Reply, token: string) => boolean {
  const accepted = grouped(replies.filter(wasAccepted), tokenOf);
  const operationsOf = computedOnce((some: readonly Reply[]) => new Set(some.map(({ operation }) => operation)));
  return ({ operation, credential }, token) => {
    const known = operationsOf(accepted.get(token) ?? []);
    return keys.of(token) !== undefined || known.has(operation) || known.size >= operationsMin(credential);
  };
}

/** Only reads without identifiers and parameters: other requests may be invalid in another way as well. */
function judgeMissing(reply: Reply, operation: OperationId, { expect }: Judge): void {
  const { status } = reply;
  if (operations[operation].rate !== 'read' || operation.includes('{') || !isBare(reply)) return;
  if (status >= 429) return;
  const message = 'a request without credentials should be refused';
  expect('authentication-missing', reply, status === 401, message, { expected: 401, actual: status });
}

/** Cases send bad tokens in requests that are otherwise valid. */
function judgeInvalid(reply: Reply, { expect }: Judge): void {
  const { status, credential, undocumented } = reply;
  const [, id] = kinds.find(([name]) => name.test(credential)) ?? [];
  if (id === undefined || undocumented || (status >= 429 && !isOutage(reply))) return;
  const holds = status === 401 || (isOfAnyScheme.test(credential) && !isOutage(reply));
  expect(id, reply, holds, `${credential} should be refused`, { expected: 401, actual: status });
}

function judgeValid(reply: Reply, token: string, { keys }: World, { expect }: Judge): void {
  const { status, operation, credential } = reply;
  if (!isBare(reply) || status >= 429 || !keys.isLive(token, reply)) return;
  const isOfSession = keys.of(token) === undefined && isSession(keys.ownerOf(token));
  const id = isOfSession ? 'authentication-jwt-accepted' : 'authentication-key-accepted';
  const found = { expected: 'any status but 401', actual: status };
  expect(id, reply, status !== 401, `${operation} should accept ${credential} whenever it calls`, found);
}

const effectOf = ({ status }: Reply) => (status === 401 ? ('authentication-refused-effect' as const) : undefined);

export const authenticationRules = together(
  foreignRules,
  rules([], credentials, leftNothingRule(effectOf), stillThereRule(effectOf)),
  scopeRules,
);
