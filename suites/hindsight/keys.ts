// Every key wherever it is used, listed or validated: a live one is accepted, a revoked one is gone.
import {
  at,
  dataOf,
  identifierOf,
  itemsOf,
  type JudgedId,
  lagMsMax,
  operations,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { isSession, queryOf, tokenOf } from './sent.ts';
import type { Life, Tokens } from './tokens.ts';
import { type Viewers, viewersOf } from './viewers.ts';

export const keyIds = [
  'api-keys-revoked-at-once',
  'api-keys-revoked-for-good',
  'api-keys-revoked-unlisted',
  'api-keys-list-contains',
  'api-keys-delete-result',
] as const satisfies readonly JudgedId[];

function ofUse(reply: Reply, tokens: Tokens): readonly Wrong[] {
  const { operation } = reply;
  const token = tokenOf(reply);
  const end = tokens.lifeOf(token)?.end;
  if (token === undefined || end === undefined || operation === undefined || !operations[operation].protected)
    return [];
  if (reply.undocumented || reply.status === 401 || reply.status >= 429 || !tokens.isDead(token, reply)) return [];
  const id = reply.sentAt > end.receivedAt + lagMsMax ? 'api-keys-revoked-for-good' : 'api-keys-revoked-at-once';
  const found = { expected: 401, actual: reply.status, replies: [end, reply] };
  return [wrong(id, operation, 'a revoked key should be refused', found)];
}

/** The first deletion of a live key by its own user; a session may have been elsewhere when it made the key. */
function ofRevocation(reply: Reply, tokens: Tokens, viewers: Viewers): readonly Wrong[] {
  const { operation } = reply;
  if (operation !== 'DELETE /api-keys/{key_id}' || !wasAccepted(reply) || reply.mayReplay) return [];
  const deleted = at(dataOf(reply), 'deleted');
  if (deleted === true) return [];
  const token = tokenOf(reply);
  const life = tokens.lives.find(({ attempts }) => attempts[0] === reply);
  if (life === undefined || tokens.rootOf(token) !== life.root) return [];
  const isThere =
    tokens.isOfLivingMaker(life, reply) &&
    (token === life.token || (viewers.of(reply) !== undefined && viewers.of(reply) === viewers.of(life.born)));
  if (typeof deleted === 'boolean' && !isThere) return [];
  return [
    wrong('api-keys-delete-result', operation, 'a revocation should answer with deleted true', {
      expected: true,
      actual: deleted,
      replies: [reply],
    }),
  ];
}

const pageMax = 50;

/** The list begins and ends on this page, and shows no more than it was asked for. */
function isWhole(reply: Reply): boolean {
  const query = queryOf(reply);
  const limit = Number(query.get('limit') ?? pageMax);
  const isFirst = Number(query.get('offset') ?? 0) === 0;
  return isFirst && at(reply.json, 'pagination', 'has_more') === false && itemsOf(reply).length < limit;
}

function ofList(reply: Reply, tokens: Tokens): readonly Wrong[] {
  const operation = 'GET /api-keys';
  const token = tokenOf(reply);
  const root = tokens.rootOf(token);
  if (reply.operation !== operation || !wasAccepted(reply) || root === undefined || isSession(root)) return [];
  const shows = ({ id, born }: Life) =>
    itemsOf(reply).some((one) => identifierOf('key', one) === id && one.label === at(dataOf(born), 'label'));
  const own = tokens.lives.filter((life) => life.root === root);
  const left = own.find(
    (life) => life.end !== undefined && life.end.receivedAt + lagMsMax < reply.sentAt && shows(life),
  );
  if (left?.end)
    return [
      wrong('api-keys-revoked-unlisted', operation, 'a revoked key should not be listed', {
        expected: `no key ${left.id}`,
        actual: 'listed',
        replies: [left.end, reply],
      }),
    ];
  const lives = ({ born, attempts }: Life) =>
    tokenOf(born) === token &&
    born.receivedAt + lagMsMax < reply.sentAt &&
    !attempts.some(({ after }) => after < reply.id);
  const ids = itemsOf(reply).map((one) => String(identifierOf('key', one)));
  const missing = isWhole(reply) ? own.filter(lives).find(({ id }) => !ids.includes(String(id))) : undefined;
  return missing === undefined
    ? []
    : [
        wrong('api-keys-list-contains', operation, 'every key should be in the list', {
          expected: `key ${missing.id}`,
          actual: ids,
          replies: [missing.born, reply],
        }),
      ];
}

export function judgeKeys({ replies }: Story, tokens: Tokens): readonly Wrong[] {
  const viewers = viewersOf(replies);
  return replies.flatMap((reply) => [
    ...ofUse(reply, tokens),
    ...ofRevocation(reply, tokens, viewers),
    ...ofList(reply, tokens),
  ]);
}
