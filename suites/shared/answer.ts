// Answers to what is only observed, in words that are the same on every run.
import type { Reply } from '../../lib/index.ts';

export const wasAccepted = (reply: Reply): boolean => reply.status >= 200 && reply.status < 300;

/** `accepted`, or `refused with 422`. */
export const answerOf = (reply: Reply): string => (wasAccepted(reply) ? 'accepted' : `refused with ${reply.status}`);

/** Each value once, in alphabetical order. */
export const distinct = (values: readonly string[]): string => [...new Set(values)].sort().join(', ');
