// One request in, one reply out: paced, repeated where that is safe, and recorded.

import { methodOf, type OperationId, operations, pathOf, type RateClass } from '../catalogue/operations.ts';
import type { Target } from '../configuration/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import type { Credential } from './credential.ts';
import { Inconclusive, Unanswered } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { type Pacing, unauthenticated } from './pacing.ts';
import type { Recorder } from './recorder.ts';
import { at, type Reply, type Sent } from './reply.ts';
import { type Call, toWire } from './request.ts';
import { secondsToWait } from './seconds-to-wait.ts';
import { NoReply, type Transport } from './transports/transport.ts';

export interface Api {
  readonly credential: Credential;
  /** Rejects with `Inconclusive` where no reply came or the target kept throttling. */
  send(operation: OperationId, call?: Call): Promise<Reply>;
  /** A route that the document does not know; counted as a read for GET and HEAD, else as a write. */
  route(method: string, path: string, call?: Call): Promise<Reply>;
  as(credential: Credential): Api;
}

/** What every request of a run goes through. */
export interface Connection {
  readonly target: Target;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly pacing: Pacing;
  readonly recorder: Recorder;
  readonly ledger: Ledger;
  readonly readOnly: boolean;
  readonly signal?: AbortSignal;
}

/** The pool of validate requests: whose budget they are charged to is open, so this client has one for all. */
export const clientPool = 'this client';

/** Added to the seconds that a 429 names, in milliseconds. */
export const graceMs = 1000;
const attemptsMax = 3;
const throttledMax = 5;
const pauseMs = 250;
const waitMsMax = 120_000;

interface Request {
  readonly sent: Sent;
  readonly operation: OperationId | undefined;
  readonly rate: RateClass;
  /** Where it is counted. */
  readonly pool: { readonly accounts: readonly string[]; readonly rate: RateClass };
  /** Its repetition cannot carry it out twice. */
  readonly repeatable: boolean;
  readonly throttle: 'wait' | 'accept';
  readonly undocumented: true | undefined;
}

/** A gateway's word, not the target's. */
const fromGateway = (reply: Reply): boolean =>
  [502, 503, 504].includes(reply.status) && at(reply.json, 'error', 'code') === undefined;

function poolOf(accounts: readonly string[], rate: RateClass): Request['pool'] {
  if (rate === 'validate') return { accounts: [clientPool], rate };
  return accounts.length === 0 ? { accounts: [unauthenticated], rate: 'read' } : { accounts, rate };
}

const nameOf = ({ method, url }: Sent): string => `${method} ${new URL(url).pathname}`;

export class Client implements Api {
  readonly credential: Credential;
  private readonly connection: Connection;
  private readonly owner: string;

  constructor(connection: Connection, credential: Credential, owner: string) {
    this.connection = connection;
    this.credential = credential;
    this.owner = owner;
  }

  async send(operation: OperationId, call: Call = {}): Promise<Reply> {
    const { rate } = operations[operation];
    return this.deliver(this.request(methodOf(operation), pathOf(operation), rate, call, operation));
  }

  async route(method: string, path: string, call: Call = {}): Promise<Reply> {
    return this.deliver(this.request(method, path, method === 'GET' || method === 'HEAD' ? 'read' : 'write', call));
  }

  as(credential: Credential): Api {
    return new Client(this.connection, credential, this.owner);
  }

  private request(method: string, path: string, rate: RateClass, call: Call, operation?: OperationId): Request {
    if (this.connection.readOnly && rate === 'write')
      throw new Error(`a read-only run must not send ${method} ${path}`);
    const { accounts } = this.credential;
    return {
      sent: toWire(this.connection.target, this.credential, method, path, call),
      operation,
      rate,
      pool: poolOf(accounts, rate),
      repeatable: rate !== 'write' || call.key !== undefined || accounts.length === 0,
      throttle: call.throttle ?? 'wait',
      undocumented: call.undocumented,
    };
  }

  /** Waits out a 429 that no case asked for: it is counted and never judged. */
  private async deliver(request: Request): Promise<Reply> {
    const { pacing, signal } = this.connection;
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.persistently(request);
      if (reply.status !== 429 || request.throttle === 'accept') return reply;
      const name = nameOf(request.sent);
      if (attempt === throttledMax) throw new Inconclusive(`the target kept refusing ${name} with 429`);
      const seconds = secondsToWait(String(at(reply.json, 'error', 'message') ?? ''));
      const ms = Math.min(waitMsMax, (seconds === undefined ? pacing.minuteMs : seconds * 1000) + graceMs);
      await pacing.wait(ms, `the target throttled ${name} although its limit was kept`, signal);
    }
  }

  /** Repeats where no reply or only a gateway's came; a reply that comes again counts. */
  private async persistently(request: Request): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const last = !request.repeatable || attempt === attemptsMax;
      try {
        const reply = await this.once(request);
        if (!fromGateway(reply) || last) return reply;
      } catch (error) {
        if (!(error instanceof NoReply)) throw error;
        if (last) throw new Unanswered(`${nameOf(request.sent)} got no reply: ${error.message}`);
      }
      await this.connection.clock.sleep(pauseMs * 2 ** attempt, this.connection.signal);
    }
  }

  private async once({ sent, operation, pool, rate, throttle, undocumented }: Request): Promise<Reply> {
    const { pacing, clock, target, ledger, recorder, signal } = this.connection;
    const permit =
      throttle === 'wait'
        ? await pacing.admit(pool.accounts, pool.rate, signal)
        : pacing.count(pool.accounts, pool.rate);
    if (signal?.aborted) {
      permit.done();
      throw signal.reason;
    }
    const sentAt = clock.now();
    const after = recorder.sending(sent);
    const intent = ledger.intend(sent, operation, this.credential, sentAt);
    try {
      // A write under way is waited for: the clean-up must know what was made.
      const { credential, owner } = this;
      const waited = rate === 'write' ? undefined : signal;
      const limits = { timeoutMs: target.timeoutMs, owner, ...defined({ signal: waited }) };
      const wire = await this.connection.transport(sent, limits);
      const reply = recorder.record({
        sent,
        operation,
        wire,
        credential,
        owner,
        sentAt,
        receivedAt: clock.now(),
        after,
        undocumented,
      });
      ledger.settle(intent, reply);
      if (throttle === 'wait' && reply.status === 429) permit.throttled();
      return reply;
    } finally {
      permit.done();
    }
  }
}
