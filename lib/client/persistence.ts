// A request asked again until the target's own word comes, or until the same has come every time while the target was there.

import type { OperationId } from '../catalogue/operations.ts';
import type { Clock } from '../runtime/clock.ts';
import { mayDifferFromFirst } from './doubt.ts';
import { Unanswered, Undecided } from './errors.ts';
import { type Network, pauseAfter } from './network.ts';
import { type Reply, wasAccepted } from './reply.ts';
import { NoReply } from './transports/transport.ts';

/** What gateways say of a target that they do not reach. */
const isAway = ({ status }: Reply): boolean => [408, 502, 503, 504].includes(status) || status >= 520;

/** However the attempts fall between absences of the target, a request is not sent more often. */
const attemptsMax = 15;

export interface Asked {
  /** For people. */
  readonly name: string;
  readonly operation: OperationId | undefined;
  readonly method: string;
  /** It has an Idempotency-Key. */
  readonly keyed: boolean;
  /** Sent with credentials that the target should accept. */
  readonly authorised: boolean;
  /** Part of a burst: sent once, and what comes is the caller's to judge by its `doubt`. */
  readonly atOnce: boolean;
  /** Of its reply only the form is judged. */
  readonly undocumented: boolean;
}

export interface Ways {
  /** Sends it once. */
  readonly attempt: () => Promise<Reply | NoReply>;
  /** The control between two attempts: whether the target answers something else. */
  readonly look: () => Promise<boolean>;
  /** How often its Idempotency-Key has been sent, by this request and by others. */
  readonly timesSent: () => number;
  /** Reports that it may have been carried out twice; whether its owner bears that. */
  readonly doubled: () => boolean;
}

interface Surroundings {
  readonly clock: Clock;
  readonly network: Network;
  readonly signal?: AbortSignal;
}

/**
 * A reply that needed repetition counts where the first request would have got the same. A conflict under a key that
 * others sent too is left to the caller, in doubt: between several at once it is as good as any. A second success is good
 * for whoever takes into account that there may be two.
 */
function firm(asked: Asked, reply: Reply, attempts: number, { timesSent, doubled }: Ways): Reply {
  if (attempts === 1 || !mayDifferFromFirst(asked, reply.status)) return reply;
  const why = `it may have been carried out before its reply was lost; sent again, it got ${reply.status}`;
  if (wasAccepted(reply) ? doubled() : asked.undocumented) return reply;
  if (reply.status === 409 && timesSent() > attempts) return { ...reply, doubt: why };
  throw new Undecided(`${asked.name}: ${why}`);
}

/** It came every time while everything else worked: then it is the target's word too. */
function everyTime({ name }: Asked, got: Reply | NoReply, attempts: number): Reply {
  if (got instanceof NoReply) throw new Unanswered(`${name} got no reply in ${attempts} attempts: ${got.message}`);
  const { doubt: _, ...reply } = got;
  return reply;
}

/**
 * The target's own word, or what came every time. In a burst, and of a 429, also what is in doubt. Rejects with
 * `Unanswered` where no reply ever came, with `Undecided` where the answer may be another than the first would have
 * been, and with `Ended` where the target stays away.
 */
export async function persistently(asked: Asked, ways: Ways, { clock, network, signal }: Surroundings): Promise<Reply> {
  let inRow = 0;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const got = await ways.attempt();
    const lost = got instanceof NoReply;
    const trouble = lost ? got.message : got.doubt;
    if (!lost && trouble === undefined) {
      network.answeredAfter(attempt);
      return firm(asked, got, attempt, ways);
    }
    network.note(String(trouble));
    if (lost && asked.atOnce) throw new Undecided(`${asked.name} got no reply: ${trouble}`);
    if (!lost && (asked.atOnce || got.status === 429)) return got;
    // What came while the target was away says nothing.
    inRow = !network.known || (await network.present(ways.look, signal)) ? inRow + 1 : 0;
    const pattern = `${asked.operation} ${trouble}`;
    if (inRow >= network.attemptsFor(pattern, lost || isAway(got))) {
      network.confirm(pattern);
      return everyTime(asked, got, inRow);
    }
    await clock.sleep(pauseAfter(inRow), signal);
    network.repeated();
  }
  throw new Undecided(`${asked.name} was not answered by the target itself in ${attemptsMax} attempts`);
}
