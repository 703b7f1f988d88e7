// Lists that were asked for with a limit outside of 1 to 200, whoever asked: refused, or served within these bounds.
import {
  type JudgedId,
  Mismatch,
  type OperationId,
  type Reply,
  type Story,
  type Wrong,
  wasAccepted,
} from '../../lib/index.ts';
import { expectWithin } from '../pagination/limits.ts';
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

/** What refuses it for who asks, or for how often, says nothing of the limit. */
function mismatchIn(reply: Reply): Mismatch | undefined {
  if (!wasAccepted(reply) && !isOutage(reply)) return undefined;
  try {
    expectWithin(reply);
  } catch (error) {
    if (error instanceof Mismatch) return error;
    throw error;
  }
  return undefined;
}

export const judgeBounds = ({ replies }: Story): readonly Wrong[] =>
  replies.flatMap((reply): readonly Wrong[] => {
    const { operation } = reply;
    const duty = operation && lists.includes(operation) ? dutyOf(reply) : undefined;
    const mismatch = duty && mismatchIn(reply);
    return operation && duty && mismatch ? [{ id: duty, operation, mismatch }] : [];
  });
