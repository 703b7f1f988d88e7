// Refusals for the limit that lack the envelope: those in the very words of the target's other ones are its own.
import type { JudgedId, Reply, Story, Wrong } from '../../lib/index.ts';
import { isRefused } from '../rate-limits/burst.ts';
import { alikeTo, isOfAccount } from '../rate-limits/refusals.ts';
import { wrong } from './judgement.ts';

export const throttledIds = ['rate-limits-refused-envelope'] as const satisfies readonly JudgedId[];

const isThrottled = (reply: Reply): boolean => isRefused(reply) && isOfAccount(reply);

/** Whatever comes in other words may be of something on the way. */
export function judgeThrottled({ replies, doubted = [] }: Story): readonly Wrong[] {
  return alikeTo(replies.filter(isThrottled), doubted.filter(isThrottled)).flatMap((reply): readonly Wrong[] => {
    const { operation } = reply;
    if (operation === undefined) return [];
    const message = 'a refusal for the limit should have the error envelope';
    const found = { expected: 'error and request_id', actual: reply.json, replies: [reply] };
    return [wrong('rate-limits-refused-envelope', operation, message, found)];
  });
}
