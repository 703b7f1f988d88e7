// What must hold of API keys, whoever asks: a live one is accepted and listed, a revoked one is gone; Endpoints / API keys.
import {
  at,
  bodyOf,
  type DefectOf,
  dataOf,
  either,
  grouped,
  identifierOf,
  isSession,
  isShown,
  itemsOf,
  type Judge,
  type KeyLifetime,
  lagMsMax,
  operations,
  type Reply,
  type Rule,
  rangeAskedOf,
  recordRule,
  refusalRule,
  refusedRule,
  rules,
  together,
  tokenOf,
  tooLong,
  type World,
  wasAccepted,
} from '../../lib/index.ts';
import { labelMax } from '../shared/labels.ts';
import { keyPages, pageIds } from './page-rules.ts';

const lifeIds = [
  'api-keys-delete-result',
  'api-keys-list-contains',
  'api-keys-revoked-at-once',
  'api-keys-revoked-for-good',
  'api-keys-revoked-unlisted',
] as const;
type Id = (typeof lifeIds)[number];

const list = 'GET /api-keys';

const lives: Rule<Id> = (world, judge) => {
  const first = new Map(world.keys.all.flatMap((key) => key.attempts.slice(0, 1).map((one) => [one, key] as const)));
  for (const reply of world.replies) {
    judgeUse(reply, world, judge);
    if (reply.operation === 'DELETE /api-keys/{key_id}') judgeRevocation(reply, first.get(reply), world, judge);
    if (reply.operation === list && isShown(reply)) judgeList(reply, world, judge);
  }
};

function judgeUse(reply: Reply, { keys }: World, { expect }: Judge<Id>): void {
  const { operation, status } = reply;
  const token = tokenOf(reply);
  const revoked = keys.of(token)?.revoked;
  if (revoked === undefined || operation === undefined || !operations[operation].protected) return;
  if (reply.undocumented || status >= 429 || !keys.isRevoked(token, reply)) return;
  const isLate = reply.sentAt > revoked.receivedAt + lagMsMax;
  const id = isLate ? 'api-keys-revoked-for-good' : 'api-keys-revoked-at-once';
  const found = { expected: 401, actual: status, because: [revoked] };
  expect(id, reply, status === 401, 'a revoked key should be refused', found);
}

/** `key`: where this is the first try to revoke it. By its own user it was there; a session may have been elsewhere. */
function judgeRevocation(
  reply: Reply,
  key: KeyLifetime | undefined,
  { keys, callers }: World,
  { expect }: Judge<Id>,
): void {
  const token = tokenOf(reply);
  if (!wasAccepted(reply) || reply.mayReplay || key === undefined || keys.ownerOf(token) !== key.owner) return;
  const deleted = at(dataOf(reply), 'deleted');
  const isThere = keys.hasLivingMaker(key, reply) && (token === key.token || callers.isSameView(reply, key.created));
  const holds = isThere ? deleted === true : typeof deleted === 'boolean';
  const found = { expected: true, actual: deleted };
  expect('api-keys-delete-result', reply, holds, 'a revocation should answer with deleted true', found);
}

/** The list begins and ends on this page, and shows no more than it was asked for. */
function isWhole(reply: Reply): boolean {
  const { offset, limit } = rangeAskedOf(reply);
  const isShort = itemsOf(reply).length < limit;
  return offset === 0 && at(reply.json, 'pagination', 'has_more') === false && isShort;
}

function judgeList(reply: Reply, { keys }: World, { expect, count }: Judge<Id>): void {
  const token = tokenOf(reply);
  const owner = keys.ownerOf(token);
  if (owner === undefined || isSession(owner)) return;
  const own = keys.all.filter((key) => key.owner === owner);
  const items = itemsOf(reply);
  const shows = ({ id, created }: KeyLifetime): boolean =>
    items.some((one) => identifierOf('key', one) === id && one.label === at(dataOf(created), 'label'));
  const gone = own.filter(({ revoked }) => revoked !== undefined && revoked.receivedAt + lagMsMax < reply.sentAt);
  const left = gone.find(shows);
  if (gone.length > 0 && left === undefined) count('api-keys-revoked-unlisted');
  if (left?.revoked) {
    const found = { expected: `no key ${left.id}`, actual: 'listed', because: [left.revoked] };
    expect('api-keys-revoked-unlisted', reply, false, 'a revoked key should not be listed', found);
    return;
  }
  const isDue = ({ created, attempts }: KeyLifetime): boolean =>
    tokenOf(created) === token &&
    created.receivedAt + lagMsMax < reply.sentAt &&
    !attempts.some(({ after }) => after < reply.id);
  const due = isWhole(reply) ? own.filter(isDue) : [];
  const ids = items.map((one) => String(identifierOf('key', one)));
  const missing = due.find(({ id }) => !ids.includes(String(id)));
  if (due.length > 0)
    expect('api-keys-list-contains', reply, missing === undefined, 'every key should be in the list', {
      expected: `key ${missing?.id}`,
      actual: ids,
      because: missing ? [missing.created] : [],
    });
}

/**
 * A made key may create whatever its maker does on the same account. Creations are held against each other by what is
 * created, who is behind it, where, and for which company: one that a user may not see may be refused for that.
 */
const createdRights: Rule<'api-keys-made-rights'> = ({ replies, keys, accounts }, { expect }) => {
  const ownerOf = (reply: Reply): string | undefined => keys.ownerOf(tokenOf(reply));
  const creations = replies.filter(
    (reply) =>
      (reply.operation === 'POST /companies' || reply.operation === 'POST /contacts') &&
      !reply.undocumented &&
      !reply.mayReplay &&
      ownerOf(reply) !== undefined &&
      accounts.of(reply) !== undefined,
  );
  const placeOf = (reply: Reply): string =>
    JSON.stringify([reply.operation, ownerOf(reply), accounts.of(reply), bodyOf(reply)?.company_id]);
  for (const group of grouped(creations, placeOf).values()) {
    const byMaker = group.filter((reply) => keys.of(tokenOf(reply)) === undefined);
    const creation = byMaker.find(wasAccepted);
    // Its maker was let in each time, so it is not for want of the right.
    if (creation === undefined || byMaker.some(({ status }) => status === 403)) continue;
    for (const reply of group) {
      if (byMaker.includes(reply) || !keys.isLive(tokenOf(reply), reply)) continue;
      const found = { expected: '201, as for its maker', actual: reply.status, because: [creation] };
      expect('api-keys-made-rights', reply, reply.status !== 403, 'a key should have the rights of its maker', found);
    }
  }
};

const ofLabel: DefectOf<'api-keys-label-missing' | 'api-keys-label-out-of-bounds'> = ({ label }) => {
  if (typeof label !== 'string') return ['api-keys-label-missing', either];
  return label === '' || [...label].length > labelMax ? ['api-keys-label-out-of-bounds', tooLong] : undefined;
};

export const keyRules = together(
  rules(
    [
      'api-keys-create-label',
      'api-keys-create-refused-effect',
      'api-keys-label-missing',
      'api-keys-label-out-of-bounds',
      'api-keys-list-record',
    ],
    recordRule({
      kind: 'key',
      created: { label: 'api-keys-create-label' },
      shown: { 'GET /api-keys': 'api-keys-list-record' },
    }),
    refusalRule({ 'POST /api-keys': ofLabel }),
    refusedRule('POST /api-keys', () => 'api-keys-create-refused-effect'),
  ),
  rules(lifeIds, lives),
  rules(pageIds, keyPages),
  rules(['api-keys-made-rights'], createdRights),
);
