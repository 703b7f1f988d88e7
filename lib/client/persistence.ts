// Repeats a request until the target itself answers, or the same suspect reply comes every time while the target is
// there.

import type { OperationId } from '../catalogue/operations.ts';
import type { Clock } from '../runtime/clock.ts';
import { mayDifferFromFirst } from './doubt.ts';
import { Unanswered, Undecided } from './errors.ts';
import { type Network, pauseAfter } from './network.ts';
import { type Reply, wasAccepted } from './reply.ts';
import { NoReply } from './transports/transport.ts';

/** The statuses of gateways that do not reach the target. */
const isAway = ({ status }: Reply): boolean => [408, 502, 503, 504].includes(status) || status >= 520;

/** The most attempts, however often the target is away in between. */
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
  /** Part of a burst: sent once; the caller judges the reply by its `doubt`. */
  readonly atOnce: boolean;
  /** Only the form of its reply is judged. */
  readonly undocumented: boolean;
}

export interface Ways {
  /** Sends it once. */
  readonly attempt: () => Promise<Reply | NoReply>;
  /** The control between two attempts: whether the target answers something else. */
  readonly look: () => Promise<boolean>;
  /** How often its Idempotency-Key was sent, by this request and by others. */
  readonly timesSent: () => number;
  /** Reports that it may have been carried out twice; returns whether its owner accepts that. */
  readonly duplicated: () => boolean;
}

interface PersistenceTools {
  readonly clock: Clock;
  readonly network: Network;
  readonly signal?: AbortSignal;
}

/**
 * A reply after repetitions counts if the first request would have got the same. A conflict under a key that others
 * sent, too, stays suspect. A second success is fine for an owner that accepts duplicates.
 */
function firm(asked: Asked, reply: Reply, attempts: number, { timesSent, duplicated }: Ways): Reply {
  if (attempts === 1 || !mayDifferFromFirst(asked, reply.status)) return reply;
  const why = `it may have been carried out before its reply was lost; sent again, it got ${reply.status}`;
  if (wasAccepted(reply) ? duplicated() : asked.undocumented) return reply;
  if (reply.status === 409 && timesSent() > attempts) return { ...reply, doubt: why };
  throw new Undecided(`${asked.name}: ${why}`);
}

/** It came every time while everything else worked, so it comes from the target. */
function everyTime({ name }: Asked, got: Reply | NoReply, attempts: number): Reply {
  if (got instanceof NoReply) throw new Unanswered(`${name} got no reply in ${attempts} attempts: ${got.message}`);
  const { doubt: _, ...reply } = got;
  return reply;
}

/**
 * The target's reply, or the one that came every time; in a burst, and of a 429, also a suspect one. Rejects with
 * `Unanswered` if no reply ever came, with `Undecided` if the first reply may have been another, and with `Ended` if
 * the target stays away.
 */
export async function persistently(
  asked: Asked,
  ways: Ways,
  { clock, network, signal }: PersistenceTools,
): Promise<Reply> {
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
    // A reply during an absence of the target proves nothing.
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
