// Rules over API keys of any caller: a new key is shown once, works, is listed, and has the rights of its maker.
import {
  accountHeaderOf,
  at,
  bodyOf,
  type DefectOf,
  dataOf,
  either,
  grouped,
  identifierOf,
  instant,
  isFirm,
  isNamedByRun,
  isObject,
  isProtected,
  isSession,
  isShown,
  itemsOf,
  type Judge,
  type JudgedId,
  type KeyLifetime,
  lagMsMax,
  leftNothingRule,
  pathOf,
  type Reply,
  type Rule,
  rangeAskedOf,
  recordRule,
  refusalRule,
  refusedAs,
  rules,
  tokenOf,
  tooLong,
  type World,
  wasAccepted,
  wordOf,
} from '../../lib/index.ts';
import { keyPrefix, labelMax } from '../shared/keys.ts';
import { keyPages } from './page-rules.ts';
import { revocations } from './revocation-rules.ts';

const create = 'POST /api-keys';

const lifetimes: Rule = (world, judge) => {
  const { replies, keys } = world;
  const uses = grouped(replies.filter(isProtected), tokenOf);
  for (const reply of replies) {
    if (reply.operation === create && isShown(reply) && !reply.mayReplay) judgeCreation(reply, judge);
    if (reply.operation === 'GET /api-keys' && isShown(reply)) judgeList(reply, uses, world, judge);
  }
  for (const key of keys.all) judgeFirst(key, uses.get(key.token)?.[0], world, judge);
  judgeLengths(world, judge);
};

/** Judges the record of a new key; no later reply shows all of it. */
function judgeCreation(reply: Reply, { expect }: Judge): void {
  const record = dataOf(reply);
  if (!isObject(record)) return;
  const { id, api_key: secret, key_prefix: prefix, created_at: created } = record;
  const judge = (about: JudgedId, name: string, holds: boolean, expected: string): boolean =>
    expect(about, reply, holds, `${name} of a new key should be ${expected}`, { expected, actual: record[name] });
  judge('api-keys-create-id', 'id', Number.isInteger(id), 'an integer');
  const begins = typeof secret === 'string' && secret.startsWith(keyPrefix) && secret !== keyPrefix;
  expect('api-keys-create-secret', reply, begins, `api_key of a new key should begin with ${keyPrefix}`, {
    expected: `a text that begins with ${keyPrefix}`,
    actual: typeof secret === 'string' ? `a text that begins with ${secret.slice(0, keyPrefix.length)}` : secret,
  });
  if (typeof secret === 'string') {
    const isStart = typeof prefix === 'string' && prefix !== '' && secret.startsWith(prefix);
    judge('api-keys-create-key-prefix', 'key_prefix', isStart, 'the first characters of the key');
  }
  const isMoment = typeof created === 'string' && instant(created) !== undefined;
  judge('api-keys-create-created-at', 'created_at', isMoment, 'an ISO 8601 date-time');
  // Labels of 2 to 200 characters are compared by `recordRule`.
  const label = bodyOf(reply)?.label;
  if (!isLawful(label) || (label.length <= 200 && label.length > 1)) return;
  const [sent, shown] = [[...label].length, [...wordOf(record.label ?? '')].length];
  if (judge('api-keys-label-lengths', 'label', sent === shown, `a text of ${sent} characters`))
    judge('api-keys-create-label', 'label', record.label === label, 'as it was given');
}

/** A label in its normal form and within its bounds. */
const isLawful = (label: unknown): label is string =>
  typeof label === 'string' && isFirm('text', label) && [...label].length <= labelMax;

/** A new key has an id that no key of its user had, and is accepted from the first request on. */
function judgeFirst(key: KeyLifetime, use: Reply | undefined, { keys }: World, { expect }: Judge): void {
  const { id, token, owner, created } = key;
  const duplicate = keys.all.find((one) => one.id === id && one.owner === owner && one.created.id < created.id);
  if (duplicate && !isSession(owner)) {
    const found = { expected: 'two identifiers', actual: id, because: [duplicate.created] };
    expect('api-keys-create-id', created, false, 'every key should have an id of its own', found);
  }
  if (use === undefined || use.undocumented || use.status >= 429 || !keys.isLive(token, use)) return;
  const found = { expected: 'any status but 401', actual: use.status, because: [created] };
  expect('api-keys-create-works', use, use.status !== 401, 'a new key should be let in at once', found);
}

/** Attempts with a label that is refused: the account may have had its maximum for a moment. */
export const triesMax = 3;

/** Violation: a valid label is refused each time, although its sender could create other keys. */
function judgeLengths({ replies, keys }: World, { expect }: Judge): void {
  const creations = replies.filter((one) => one.operation === create && !one.undocumented && !one.mayReplay);
  const ownerOf = (reply: Reply): string | undefined => keys.ownerOf(tokenOf(reply));
  const isLasting = hasRoomIn(replies, (one, other) => ownerOf(one) === ownerOf(other));
  // Labels may be unique, revoked keys included: other texts may be in use since an earlier run.
  const isNew = (label: string): boolean => isNamedByRun(label) || [...label].length === 1;
  const lawful = creations.filter((one) => {
    const label = bodyOf(one)?.label;
    return isLawful(label) && isNew(label) && ownerOf(one) !== undefined;
  });
  for (const tries of grouped(lawful, (one) => wordOf([ownerOf(one), bodyOf(one)?.label])).values()) {
    const [last] = tries.slice(-1);
    const isRefused = tries.length >= triesMax && tries.every(({ status }) => tooLong.includes(status));
    if (last === undefined || !isRefused || !tries.some(isLasting)) continue;
    const found = { expected: 201, actual: last.status, because: tries };
    expect('api-keys-label-lengths', last, false, 'a label of 1 to 255 characters should be accepted', found);
  }
}

/** Requests by token, in the order of the replies. */
type Uses = ReadonlyMap<string | undefined, readonly Reply[]>;
const minuteMs = 60_000;

/** The list begins and ends on this page, which has fewer keys than its limit. */
function isWhole(reply: Reply): boolean {
  const { offset, limit } = rangeAskedOf(reply);
  const isShort = itemsOf(reply).length < limit;
  return offset === 0 && at(reply.json, 'pagination', 'has_more') === false && isShort;
}

function judgeList(reply: Reply, uses: Uses, { keys }: World, { expect, count }: Judge): void {
  const token = tokenOf(reply);
  const owner = keys.ownerOf(token);
  if (owner === undefined || isSession(owner)) return;
  const own = keys.all.filter((key) => key.owner === owner);
  const items = itemsOf(reply);
  const shows = ({ id, created }: KeyLifetime): boolean =>
    items.some((one) => identifierOf('key', one) === id && one.label === at(dataOf(created), 'label'));
  const gone = own.filter(({ revoked }) => revoked !== undefined && revoked.receivedAt + lagMsMax < reply.sentAt);
  const left = gone.find(shows);
  const unlisted = { expected: `no key ${left?.id}`, actual: 'listed', because: left?.revoked ? [left.revoked] : [] };
  if (gone.length > 0)
    expect('api-keys-revoked-unlisted', reply, left === undefined, 'a revoked key should not be listed', unlisted);
  if (left) return;
  for (const key of own) {
    const item = items.find((one) => shows(key) && identifierOf('key', one) === key.id);
    const use = uses.get(key.token)?.find(wasAccepted);
    if (item === undefined || use === undefined || use.id > reply.after) continue;
    const isNoted = (item.last_used_at ?? null) !== null;
    // A target may record uses only once a minute.
    if (!isNoted && reply.sentAt - use.receivedAt < minuteMs) continue;
    const found = { expected: 'a date-time', actual: item.last_used_at, because: [use] };
    expect('api-keys-list-last-used-moves', reply, isNoted, 'a key that was used should have last_used_at', found);
  }
  const isThere = ({ token }: KeyLifetime): boolean => keys.isLive(token, reply);
  // Whether a list shows keys that another key of the user made is open.
  const isDue = (key: KeyLifetime): boolean =>
    isThere(key) && tokenOf(key.created) === token && key.created.receivedAt + lagMsMax < reply.sentAt;
  const ids = items.map((one) => String(identifierOf('key', one)));
  const [there, due] = isWhole(reply) ? [own.filter(isThere), own.filter(isDue)] : [[], []];
  // No key must be listed yet, but the list shows them all.
  if (due.length === 0 && there.length > 0 && there.every(({ id }) => ids.includes(String(id))))
    count('api-keys-list-contains', reply);
  const missing = due.find(({ id }) => !ids.includes(String(id)));
  if (due.length > 0)
    expect('api-keys-list-contains', reply, missing === undefined, 'every key should be in the list', {
      expected: `key ${missing?.id}`,
      actual: ids,
      because: missing ? [missing.created] : [],
    });
}

/** Whether a refusal cannot be due to the maximum: a later creation succeeded with no more room than before. */
function hasRoomIn(
  replies: readonly Reply[],
  isAlike: (one: Reply, other: Reply) => boolean,
): (reply: Reply) => boolean {
  const made = replies.filter((one) => one.operation === create && wasAccepted(one));
  const removals = replies.filter(
    (one) => one.operation === 'DELETE /api-keys/{key_id}' && (wasAccepted(one) || one.status >= 500),
  );
  return (reply) => {
    const next = made.find((one) => one.after >= reply.id && isAlike(one, reply));
    return next !== undefined && !removals.some((one) => one.id > reply.after && one.after < next.id);
  };
}

/** Whether its own user requested the revocation, or another one with success, of the key or of one that made it. */
const mayBeRevoked = (key: KeyLifetime | undefined, reply: Reply, keys: World['keys']): boolean =>
  key !== undefined &&
  (key.attempts.some(
    (one) =>
      one.after < reply.id && (wasAccepted(one) || keys.ownerOf(tokenOf(one)) === key.owner || one.status >= 500),
  ) ||
    mayBeRevoked(keys.of(tokenOf(key.created)), reply, keys));

/**
 * A made key may do what its maker may on the same account, and nothing else. Requests are compared by operation, path,
 * owner, account and company: a user may be refused a company that it may not see.
 */
const rights: Rule<'api-keys-made-rights'> = ({ replies, keys, accounts }, { expect }) => {
  const ownerOf = (reply: Reply): string | undefined => keys.ownerOf(tokenOf(reply));
  const accountOf = (reply: Reply): string | undefined => (isSession(ownerOf(reply)) ? accounts.of(reply) : 'its own');
  const isLasting = hasRoomIn(replies, (one, other) => ownerOf(one) === ownerOf(other));
  const asked = replies.filter((reply) => {
    const { operation, request, undocumented, mayReplay, status } = reply;
    // What X-Active-Account does to a key is judged by other requirements.
    if (accountHeaderOf(reply) !== undefined) return false;
    if (!isProtected(reply) || undocumented || mayReplay || !['GET', 'POST'].includes(request.method)) return false;
    if (ownerOf(reply) === undefined || accountOf(reply) === undefined) return false;
    if (operation === create && (!isLawful(bodyOf(reply)?.label) || (status === 403 && !isLasting(reply))))
      return false;
    return wasAccepted(reply) || status === 403;
  });
  const placeOf = (reply: Reply): string =>
    wordOf([reply.operation, pathOf(reply), ownerOf(reply), accountOf(reply), bodyOf(reply)?.company_id]);
  for (const group of grouped(asked, placeOf).values()) {
    const byMaker = group.filter((reply) => keys.of(tokenOf(reply)) === undefined);
    const [example] = byMaker;
    // The maker was accepted every time, or never.
    if (example === undefined || byMaker.some((one) => wasAccepted(one) !== wasAccepted(example))) continue;
    for (const reply of group) {
      if (byMaker.includes(reply) || mayBeRevoked(keys.of(tokenOf(reply)), reply, keys)) continue;
      const found = { expected: `${example.status}, as for its maker`, actual: reply.status, because: [example] };
      const holds = wasAccepted(reply) === wasAccepted(example);
      expect('api-keys-made-rights', reply, holds, 'a key should have the rights of its maker', found);
    }
  }
};

const ofLabel: DefectOf<'api-keys-label-missing' | 'api-keys-label-out-of-bounds'> = ({ label }) => {
  if (typeof label !== 'string') return ['api-keys-label-missing', either];
  return label === '' || [...label].length > labelMax ? ['api-keys-label-out-of-bounds', tooLong] : undefined;
};

export const keyRules = rules(
  ['api-keys-list-record', 'api-keys-list-pagination'],
  recordRule({
    kind: 'key',
    created: { label: 'api-keys-create-label' },
    shown: { 'GET /api-keys': 'api-keys-list-record' },
  }),
  refusalRule({ [create]: ofLabel }),
  leftNothingRule(refusedAs(create, () => 'api-keys-create-refused-effect')),
  lifetimes,
  revocations,
  keyPages,
  rights,
);
