// Valid tokens are accepted, missing and bad ones refused without effect; no account shows or takes records of another.
import {
  anonymous,
  bodyOf,
  companyPathOf,
  computedOnce,
  grouped,
  idempotencyKeyOf,
  isBare,
  isNamedByRun,
  isOutage,
  isSession,
  itemsOf,
  type Judge,
  type JudgedId,
  kindShown,
  leftNothingRule,
  markedRecordsIn,
  type OperationId,
  operations,
  pathOf,
  queryOf,
  type Reply,
  type Rule,
  rules,
  type StoredRecord,
  stillThereRule,
  textsIn,
  together,
  tokenOf,
  type World,
  wasAccepted,
  writeOf,
} from '../../lib/index.ts';
import { nextCursorOf } from '../shared/cursor.ts';
import { collections } from '../shared/groups.ts';
import { missingName } from '../shared/invalid-tokens.ts';
import { revokedName } from '../shared/keys.ts';
import { scopeRules } from './scope-rules.ts';

const lists: readonly (string | undefined)[] = collections;
const isCreation = (reply: Reply): boolean => writeOf(reply)?.does === 'create' && wasAccepted(reply);
const isRefused = ({ status }: Reply): boolean => status >= 400 && status < 429;

/** The company that a request names, if another account created it. */
function companyOf(reply: Reply, world: World): StoredRecord | undefined {
  const path =
    reply.operation === 'POST /contacts'
      ? pathOf(reply).replace(/contacts$/, `companies/${bodyOf(reply)?.company_id}`)
      : companyPathOf(reply);
  const company = world.at(path);
  return company && world.accounts.areApart(company.created, reply) ? company : undefined;
}

const issuersIn = computedOnce(({ replies }: World) =>
  grouped(replies, (reply) => `${reply.operation} ${nextCursorOf(reply)}`),
);

/** The pages of other accounts that returned the cursor; `isOnly`: no page of the own account did. */
function issuersOf(reply: Reply, world: World): { readonly others: readonly Reply[]; readonly isOnly: boolean } {
  const cursor = queryOf(reply).get('cursor');
  const issuers = cursor ? issuersIn(world).get(`${reply.operation} ${cursor}`) : undefined;
  const before = (issuers ?? []).filter(({ id }) => id <= reply.after);
  const others = before.filter((one) => world.accounts.areApart(one, reply));
  return { others, isOnly: others.length > 0 && others.length === before.length };
}

/** Compares the record's own members: inner records may name records of other accounts. */
const listed: Rule = (world, { expect, count }) => {
  const idOf = (reply: Reply): JudgedId =>
    issuersOf(reply, world).isOnly ? 'authentication-foreign-cursor' : 'authentication-foreign-list';
  const created = world.replies.filter(isCreation);
  for (const reply of world.replies.filter((one) => lists.includes(one.operation) && wasAccepted(one))) {
    const isOther = (one: Reply): boolean =>
      writeOf(one)?.kind === kindShown(reply) && one.id <= reply.after && world.accounts.areApart(one, reply);
    if (created.some(isOther)) count(idOf(reply), reply);
  }
  for (const { reply, record, mark, writes, isOpen } of markedRecordsIn(world)) {
    const first = writes.find((one) => isCreation(one) && writeOf(one)?.kind === kindShown(reply));
    if (isOpen || reply.undocumented || !lists.includes(reply.operation) || first === undefined) continue;
    if (!Object.values(record).includes(mark) || !writes.every((one) => world.accounts.areApart(one, reply))) continue;
    const id = companyOf(first, world) ? 'authentication-foreign-write' : idOf(reply);
    expect(id, reply, false, 'a list should show no record of another account', {
      ...{ expected: 'records of the own account only', actual: record, because: [first] },
    });
  }
};

/** Also for records that the run did not create: they are compared as a whole. */
const behindCursors: Rule = (world, { expect }) => {
  const asked = world.replies.filter((one) => lists.includes(one.operation) && queryOf(one).has('cursor'));
  for (const reply of asked) {
    const [issuer] = issuersOf(reply, world).others;
    if (issuer === undefined || !(wasAccepted(reply) || isRefused(reply))) continue;
    const cursor = queryOf(reply).get('cursor');
    const own = asked.filter((one) => queryOf(one).get('cursor') === cursor && !world.accounts.areApart(one, issuer));
    const owned = new Set([issuer, ...own].flatMap(itemsOf).map((one) => JSON.stringify(one)));
    const shown = itemsOf(reply).filter((one) => owned.has(JSON.stringify(one)));
    expect('authentication-foreign-cursor', reply, shown.length === 0, 'a cursor should show no other account', {
      ...{ expected: 'a refusal, or records of the caller only', actual: shown, because: [issuer] },
    });
  }
};

/** Accounts may number companies separately: a read that shows another company proves a duplicate identifier. */
const byIdentifier: Rule = (world, judge) => {
  const duplicates = new Set<string>();
  for (const reply of world.replies) {
    const company = companyOf(reply, world);
    if (company === undefined || reply.undocumented || reply.operation === 'POST /contacts') continue;
    if (!wasAccepted(reply) && (!isRefused(reply) || reply.status === 401)) continue;
    const isRead = reply.request.method === 'GET';
    const texts = isRead ? textsIn(reply.json) : [];
    const shown = textsOf(company, world).filter((text) => texts.some((one) => one.includes(text)));
    if (isRead && wasAccepted(reply) && shown.length === 0) duplicates.add(`${reply.credential} ${company.path}`);
    if (!duplicates.has(`${reply.credential} ${company.path}`)) judgeAttempt(reply, company, shown, judge);
  }
};

function judgeAttempt(reply: Reply, company: StoredRecord, shown: readonly string[], { expect }: Judge): void {
  const isRead = reply.request.method === 'GET';
  const id = isRead ? 'authentication-foreign-read' : 'authentication-foreign-write';
  const actual = shown.length > 0 ? shown : reply.status;
  expect(id, reply, isRefused(reply) && shown.length === 0, 'a company of another account should be out of reach', {
    ...{ expected: '4xx, and no text of its records', actual, because: [company.created] },
  });
}

const textsOf = (company: StoredRecord, world: World): readonly string[] =>
  [company, ...world.notesIn(`${company.path}/notes`)].flatMap(({ created }) =>
    textsIn(bodyOf(created)).filter(isNamedByRun),
  );

/** A creation under an Idempotency-Key of another account is no repetition: it shows nothing of that account. */
const underForeignKeys: Rule = (world, { expect }) => {
  const byKey = grouped(world.replies, idempotencyKeyOf);
  for (const reply of world.replies.filter((one) => isCreation(one) && one.mayReplay)) {
    const because = (byKey.get(idempotencyKeyOf(reply)) ?? []).filter(({ id }) => id < reply.id);
    const textsOfAll = (some: readonly Reply[]) => some.flatMap((one) => textsIn(bodyOf(one)));
    const isApart = (one: Reply): boolean => world.accounts.areApart(one, reply);
    const own = textsOfAll([reply, ...because.filter((one) => !isApart(one))]);
    const foreign = textsOfAll(because.filter(isApart)).filter((text) => isNamedByRun(text) && !own.includes(text));
    if (foreign.length === 0) continue;
    const actual = foreign.filter((text) => textsIn(reply.json).includes(text));
    const message = 'a creation should show no record of another account';
    const found = { expected: 'a record of what was sent', actual, because };
    expect('authentication-foreign-read', reply, actual.length === 0, message, found);
  }
};

const foreignEffectOf = (refused: Reply, world: World) =>
  refused.status !== 401 && companyOf(refused, world) !== undefined
    ? ('authentication-foreign-write' as const)
    : undefined;

export const foreignRules = rules(
  [],
  listed,
  behindCursors,
  byIdentifier,
  underForeignKeys,
  leftNothingRule(foreignEffectOf),
  stillThereRule(foreignEffectOf),
);

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
/** By the grammar of HTTP no Bearer token, or of another scheme: any refusal is fine, 400 as well. */
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
  const holds = status === 401 || (isOfAnyScheme.test(credential) && !isOutage(reply) && !wasAccepted(reply));
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
