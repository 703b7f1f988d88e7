// The errors that end a check or a case; any other error is one of the suite itself.
import type { Reply } from './reply.ts';

export interface Difference {
  /** One sentence: what did not hold. Reports begin it with a capital. */
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
  /** The replies that show it, in the order in which they came. */
  readonly replies?: readonly Reply[];
  readonly counterexample?: unknown;
  /** A request that should have been carried out was refused. */
  readonly refused?: true;
}

/** The target did not do what was expected: a failure inside a check, a failed preparation outside of one. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
  readonly difference: Difference;

  constructor(difference: Difference) {
    super(difference.message);
    // A first word such as error.code or has_more is a name, and stays as it is.
    this.difference = {
      ...difference,
      message: difference.message.replace(/^[a-z](?=[a-z-]*,? )/, (letter) => letter.toUpperCase()),
    };
  }
}

/** The target does not offer what a case needs, or a credential is wrong; the message is the reason. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
  /** The replies that show it, if any: one of them may have broken a requirement, which is then the cause. */
  readonly replies: readonly Reply[];

  constructor(message: string, ...replies: readonly (Reply | undefined)[]) {
    super(message);
    this.replies = replies.filter((reply) => reply !== undefined);
  }
}

/** The network failed, or the target kept throttling, so nothing can be said; the message is the reason. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
}

/** A request got no reply, however often it was repeated, although the target answered other requests in between. */
export class Unanswered extends Inconclusive {}

/** The reply is too large to keep, so it cannot be judged. */
export class Unkept extends Inconclusive {}

/** The reply was lost and the request may have been carried out; a new attempt may decide it. */
export class Undecided extends Inconclusive {}

/** The run cannot go on: the target is gone, refuses everything, or the time is over; the message is the reason. */
export class Ended extends Inconclusive {}
