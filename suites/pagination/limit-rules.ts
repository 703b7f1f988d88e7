// Lists that were asked for with a limit outside of 1 to 200, whoever asked: refused, or served within these bounds.
import { isOutage, Mismatch, type OperationId, queryOf, type Reply, type Rule, wasAccepted } from '../../lib/index.ts';
import { expectWithin } from './limits.ts';
import { limited } from './lists.ts';

export const limitIds = ['pagination-limit-above', 'pagination-limit-below'] as const;
type Id = (typeof limitIds)[number];

export const limits: Rule<Id> = ({ replies }, { expect, count }) => {
  for (const reply of replies) {
    const id = reply.operation && lists.includes(reply.operation) ? idOf(reply) : undefined;
    // What refuses it for who asks, or for how often, says nothing of the limit.
    if (id === undefined || (!wasAccepted(reply) && !isOutage(reply))) continue;
    const mismatch = mismatchIn(reply);
    if (mismatch === undefined) count(id);
    else expect(id, reply, false, mismatch.message, mismatch.difference);
  }
};

const lists: readonly OperationId[] = limited;
const limitMax = 200;

/** What was broken if this is served as it was asked for; undefined: nothing. */
function idOf(reply: Reply): Id | undefined {
  const asked = queryOf(reply).get('limit') ?? '';
  if (!/^-?\d+$/.test(asked)) return undefined;
  if (Number(asked) > limitMax) return 'pagination-limit-above';
  return Number(asked) < 1 ? 'pagination-limit-below' : undefined;
}

function mismatchIn(reply: Reply): Mismatch | undefined {
  try {
    expectWithin(reply);
  } catch (error) {
    if (error instanceof Mismatch) return error;
    throw error;
  }
  return undefined;
}
