// The three ways in which a case can fall short; anything else that is thrown is an error of the suite itself.
import type { Reply } from './reply.ts';

export interface Difference {
  /** One sentence: what did not hold. It is shown with a capital. */
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
  /** The replies that show it, in the order in which they came. */
  readonly replies?: readonly Reply[];
  readonly counterexample?: unknown;
  /** A request that should have been carried out was refused. */
  readonly refused?: true;
}

/** The target did not do what an expectation says: a failure inside a check, a preparation that did not succeed outside of one. */
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

/** The target does not offer what a case needs, or a credential is not what it should be; the message is the reason. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
  /** The replies that show it, where replies do: one of them may have broken a requirement, which is then why. */
  readonly replies: readonly Reply[];

  constructor(message: string, ...replies: readonly (Reply | undefined)[]) {
    super(message);
    this.replies = replies.filter((reply) => reply !== undefined);
  }
}

/** The network broke off, or the target kept throttling: nothing can be said; the message is the reason. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
}

/** A request got no answer, however often it was repeated, while the target answered what was asked in between. */
export class Unanswered extends Inconclusive {}

/** A reply came that is too large to keep, so that nobody can judge it. */
export class Unkept extends Inconclusive {}

/** What was asked lost its answer on the way and may have been carried out; asked anew from the start it may be decided. */
export class Undecided extends Inconclusive {}

/** The run cannot go on: the target stays away, refuses everything, or the time allowed is over; the message is the reason. */
export class Ended extends Inconclusive {}
