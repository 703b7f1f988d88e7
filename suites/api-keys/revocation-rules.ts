// Rules over revocations: the key is refused at once and for good, other keys work, and nobody else can revoke it.
import {
  at,
  dataOf,
  grouped,
  isProtected,
  isSession,
  type Judge,
  type JudgedId,
  type KeyLifetime,
  lagMsMax,
  type Reply,
  type Rule,
  restricted,
  tokenOf,
  validatedIn,
  type World,
  wasAccepted,
} from '../../lib/index.ts';
import { keyFacts } from '../shared/validate.ts';

export const revocations: Rule = (world, judge) => {
  const first = new Map(world.keys.all.flatMap((key) => key.attempts.slice(0, 1).map((one) => [one, key] as const)));
  const uses = world.replies.filter(isUse);
  for (const reply of world.replies)
    if (reply.operation === 'DELETE /api-keys/{key_id}') judgeRevocation(reply, first.get(reply), world, judge);
  for (const reply of world.replies) judgeValidation(reply, world, judge);
  for (const reply of uses) judgeUse(reply, world, judge);
  const usesOf = grouped(uses, tokenOf);
  for (const [token, own] of usesOf) judgeSiblings(token, own, world, judge);
  for (const key of world.keys.all) judgeForeign(key, usesOf.get(key.token) ?? [], world, judge);
};

/** A documented request to a protected operation, with neither 429 nor 5xx. */
const isUse = (reply: Reply): boolean => isProtected(reply) && !reply.undocumented && reply.status < 429;

function judgeUse(reply: Reply, { keys }: World, { expect }: Judge): void {
  const { status } = reply;
  const token = tokenOf(reply);
  const revoked = keys.of(token)?.revoked;
  if (revoked === undefined || !keys.isRevoked(token, reply)) return;
  const isLate = reply.sentAt > revoked.receivedAt + lagMsMax;
  const id = isLate ? 'api-keys-revoked-for-good' : 'api-keys-revoked-at-once';
  const found = { expected: 401, actual: status, because: [revoked] };
  expect(id, reply, status === 401, 'a revoked key should be refused', found);
}

/** The validation of a revoked key tells nothing of its owner. */
function judgeValidation(reply: Reply, { keys }: World, { expect }: Judge): void {
  const revoked = keys.of(validatedIn(reply))?.revoked;
  if (revoked === undefined || !keys.isRevoked(validatedIn(reply), reply)) return;
  const told = keyFacts.filter((name) => (at(dataOf(reply), name) ?? null) !== null);
  const found = { expected: 'valid false alone', actual: told, because: [revoked] };
  expect('api-keys-revoked-validate', reply, told.length === 0, 'nothing should be told of a revoked key', found);
}

/** `key`: undefined after the first attempt to revoke it. A session may be on another account, without that key. */
function judgeRevocation(
  reply: Reply,
  key: KeyLifetime | undefined,
  { keys, callers }: World,
  { expect }: Judge,
): void {
  const token = tokenOf(reply);
  if (!wasAccepted(reply) || reply.mayReplay || key === undefined || keys.ownerOf(token) !== key.owner) return;
  const deleted = at(dataOf(reply), 'deleted');
  const isThere = keys.hasLiveMaker(key, reply) && (token === key.token || callers.isSameView(reply, key.created));
  const holds = isThere ? deleted === true : typeof deleted === 'boolean';
  const found = { expected: true, actual: deleted };
  expect('api-keys-delete-result', reply, holds, 'a revocation should answer with deleted true', found);
}

/** A key that worked before another one of its user was revoked works afterwards, unless it may itself be revoked. */
function judgeSiblings(token: string | undefined, uses: readonly Reply[], { keys }: World, { expect }: Judge): void {
  const owner = keys.ownerOf(token);
  const others = keys.all.filter((key) => key.owner === owner && key.token !== token);
  const live = uses.filter((reply) => keys.isLive(token, reply));
  for (const { revoked } of owner === undefined || isSession(owner) ? [] : others) {
    const next = live.find(({ after }) => revoked && after >= revoked.id);
    const worked = live.some((one) => revoked && one.id <= revoked.after && wasAccepted(one));
    if (next === undefined || revoked === undefined || !worked) continue;
    const isDead = live.every(({ after, status }) => after < revoked.id || status === 401);
    const found = { expected: 'any status but 401', actual: next.status, because: [revoked] };
    expect('api-keys-revoked-siblings', next, !isDead, 'a revocation should leave other keys working', found);
  }
}

const owners = ['COVENANT_API_KEY', 'COVENANT_API_KEY_SECONDARY'];

/** The configured keys are on two accounts; the restricted user is on the first of them. */
function foreignId(owner: string, by: string | undefined): JudgedId | undefined {
  if (by === undefined || by === owner || !owners.includes(owner) || ![...owners, restricted].includes(by))
    return undefined;
  return by === restricted && owner === owners[0] ? 'api-keys-revoke-foreign-user' : 'api-keys-revoke-foreign-account';
}

/** A key works as long as only other users have requested its revocation. */
function judgeForeign(key: KeyLifetime, uses: readonly Reply[], { keys }: World, { expect }: Judge): void {
  const idOf = (one: Reply): JudgedId | undefined => foreignId(key.owner, keys.ownerOf(tokenOf(one)));
  const [attempt] = key.attempts;
  const id = attempt && idOf(attempt);
  const own = key.attempts.find((one) => idOf(one) === undefined);
  if (attempt === undefined || id === undefined) return;
  const next = uses.find((one) => one.after >= attempt.id && (!own || one.id <= own.after));
  if (next === undefined || !keys.hasLiveMaker(key, next)) return;
  const found = { expected: 'any status but 401', actual: next.status, because: [attempt] };
  expect(id, next, next.status !== 401, 'a key should live on although somebody else wanted to revoke it', found);
}
