// Lists that were asked for with a limit outside of 1 to 200, whoever asked: refused, or served within these bounds.
import {
  at,
  itemsOf,
  type JudgedId,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { wrong } from './judgement.ts';
import { isOutage, queryOf } from './sent.ts';

const [above, below] = ['pagination-limit-above', 'pagination-limit-below'] as const;
export const boundIds: readonly JudgedId[] = [above, below];

const lists: readonly OperationId[] = [
  'GET /companies',
  'GET /contacts',
  'GET /api-keys',
  'GET /companies/{company_id}/notes',
];
const limitMax = 200;

/** What was broken if this is served as it was asked for; undefined: nothing. */
function dutyOf(reply: Reply): JudgedId | undefined {
  const asked = queryOf(reply).get('limit') ?? '';
  if (!/^-?\d+$/.test(asked)) return undefined;
  if (Number(asked) > limitMax) return above;
  return Number(asked) < 1 ? below : undefined;
}

function isWithin(reply: Reply): boolean {
  if (!wasAccepted(reply)) return !isOutage(reply);
  const limit = at(reply.json, 'pagination', 'limit');
  const isLawful = Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= limitMax;
  return isLawful && itemsOf(reply).length <= limitMax;
}

export const judgeBounds = ({ replies }: Story): readonly Wrong[] =>
  replies.flatMap((reply): readonly Wrong[] => {
    const { operation } = reply;
    const duty = operation && lists.includes(operation) ? dutyOf(reply) : undefined;
    if (operation === undefined || duty === undefined || isWithin(reply)) return [];
    const actual = wasAccepted(reply) ? at(reply.json, 'pagination', 'limit') : reply.status;
    const found = { expected: '400, 422 or a pagination.limit from 1 to 200', actual, replies: [reply] };
    return [wrong(duty, operation, 'a limit outside of 1 to 200 should be refused or replaced by one within', found)];
  });
