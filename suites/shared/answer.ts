// Answers to what is only observed, in words that are the same on every run.
import { type Reply, wasAccepted } from '../../lib/index.ts';

export { wasAccepted };

/** `accepted`, or `refused with 422`. */
export const answerOf = (reply: Reply): string => (wasAccepted(reply) ? 'accepted' : `refused with ${reply.status}`);

/** Each value once, in alphabetical order. */
export const distinct = (values: readonly string[]): string => [...new Set(values)].sort().join(', ');
