// Everything that was asked and answered in a run, in the order of the replies.
import type { Reply, Sent } from '../client/reply.ts';

export interface History {
  /** The target's own word. */
  readonly replies: readonly Reply[];
  /** Requests that at least once got no such reply: they may have been carried out any number of times. */
  readonly lost: readonly Sent[];
  /** Replies that a gateway or a network may have made. */
  readonly suspect?: readonly Reply[];
}
