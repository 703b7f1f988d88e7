// All exchanges of a run in the order of the replies.

import type { Allowances } from '../client/limits.ts';
import type { Reply, Sent } from '../client/reply.ts';

export interface History {
  /** Replies that the target itself sent. */
  readonly replies: readonly Reply[];
  /** Requests that got no such reply at least once: each may have been executed zero or more times. */
  readonly lost: readonly Sent[];
  /** Replies that a gateway or the network may have sent. */
  readonly suspect?: readonly Reply[];
  /** How many replies there were before each request that never got a reply of the target's own. */
  readonly unanswered?: ReadonlyMap<Sent, number>;
  readonly allowances?: Allowances;
}
