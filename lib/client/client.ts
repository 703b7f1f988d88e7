// Sends one request and returns its reply: paced, repeated if that is safe, and recorded.
import { methodOf, type OperationId, operations, pathOf, type RateClass } from '../catalogue/operations.ts';
import type { Target } from '../configuration/settings.ts';
import type { OnEvent } from '../events.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { wordOf } from '../runtime/text.ts';
import type { Acting } from './active-accounts.ts';
import { anonymous, type Credential } from './credential.ts';
import { Inconclusive } from './errors.ts';
import { EventStream } from './event-stream.ts';
import type { Ledger } from './ledger.ts';
import { Network } from './network.ts';
import { Pacing, unauthenticated } from './pacing.ts';
import { persistently } from './persistence.ts';
import { Recorder } from './recorder.ts';
import { at, type Reply, type Sent } from './reply.ts';
import { type Call, isUndocumented, toWire } from './request.ts';
import { secondsToWait } from './seconds-to-wait.ts';
import { NoReply, type Transport } from './transports/transport.ts';
import type { Variation } from './variation/variation.ts';

export interface Api {
  readonly credential: Credential;
  /** Rejects with `Inconclusive` where no reply came or the target kept throttling. */
  send(operation: OperationId, call?: Call): Promise<Reply>;
  /** A route outside the document; GET and HEAD count as reads, others as writes. */
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
  readonly network: Network;
  /** Absent: key creations do not wait for each other. */
  readonly keyCapacity?: { enter(owner: string): Promise<void>; takeTurns(): void };
  /** Absent: every call is sent unchanged. */
  readonly variation?: Variation;
  readonly readOnly: boolean;
  readonly signal?: AbortSignal;
}

/** The pool of validations: whose budget they are charged to is open, so the client has one for all. */
export const clientPool = 'this client';

/** Added to the seconds that a 429 names, in milliseconds. */
export const graceMs = 1000;
const throttledMax = 5;
/** If a 429 names no wait, the client gives up after more attempts, because the first waits are short. */
const throttledInDoubtMax = 8;
/** The client does not wait longer than this, in milliseconds. */
const waitMsMax = 120_000;

const askedSeconds = ({ json }: Pick<Reply, 'json'>): number | undefined =>
  secondsToWait(wordOf(at(json, 'error', 'message') ?? ''));

interface Request {
  readonly sent: Sent;
  readonly operation: OperationId | undefined;
  readonly rate: RateClass;
  readonly acting: Acting;
  /** Where it is counted. */
  readonly pool: { readonly accounts: readonly string[]; readonly rate: RateClass };
  readonly throttle: 'wait' | 'accept';
  readonly undocumented: true | undefined;
}

/** Where a request of these accounts is counted; validations count for the whole client. */
export function poolOf(accounts: readonly string[], rate: RateClass): Request['pool'] {
  if (rate === 'validate') return { accounts: [clientPool], rate };
  return accounts.length === 0 ? { accounts: [unauthenticated], rate: 'read' } : { accounts, rate };
}

const owner = 'the look whether the target is there';
const throttledWhy = ({ sent }: Request): string => `the target throttled ${nameOf(sent)} although its limit was kept`;

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
    const { variation, keyCapacity } = this.connection;
    if (this.makesKey(operation, call)) await keyCapacity?.enter(this.owner);
    const varied = variation?.of(this.owner, operation, this.credential, call) ?? call;
    const sender = variation?.senderFor(this.owner, operation, this.credential, call) ?? this.credential;
    const client = sender === this.credential ? this : new Client(this.connection, sender, this.owner);
    return client.deliver(client.request(methodOf(operation), pathOf(operation), rate, varied, operation));
  }

  async route(method: string, path: string, call: Call = {}): Promise<Reply> {
    return this.deliver(this.request(method, path, method === 'GET' || method === 'HEAD' ? 'read' : 'write', call));
  }

  as(credential: Credential): Api {
    return new Client(this.connection, credential, this.owner);
  }

  /** Whether the request may create a key: not if its label or sender is invalid. */
  private makesKey(operation: OperationId, { body }: Call): boolean {
    const label = at(body, 'label');
    const mayBeTaken = this.credential.accounts.length > 0 && typeof label === 'string' && label.trim() !== '';
    return operation === 'POST /api-keys' && mayBeTaken;
  }

  private request(method: string, path: string, rate: RateClass, call: Call, operation?: OperationId): Request {
    if (this.connection.readOnly && rate === 'write')
      throw new Error(`a read-only run must not send ${method} ${path}`);
    const { credential } = this;
    const sent = toWire(this.connection.target, credential, method, path, call);
    const switches = operation === 'PATCH /me/active-account';
    const acting: Acting = {
      credential,
      account: sent.headers['x-active-account'],
      ...(switches && { switchTo: { slug: wordOf(at(call.body, 'slug')) } }),
    };
    return {
      sent,
      operation,
      rate,
      acting,
      pool: poolOf(this.connection.pacing.active.of(acting), rate),
      throttle: call.throttle ?? 'wait',
      undocumented: (operation && isUndocumented(operation, call)) || undefined,
    };
  }

  /** Waits after a 429 that no case provoked: it is counted and never judged. */
  private async deliver(request: Request): Promise<Reply> {
    const { pacing, signal, recorder, network } = this.connection;
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.persistently(request);
      if (reply.status !== 429 || request.throttle === 'accept') {
        if (reply.doubt === undefined) recorder.judge(reply);
        return reply;
      }
      network.throttled(pacing.minuteMs);
      const wait = { ...request.pool, why: throttledWhy(request) };
      await pacing.wait(this.throttledMs(request, reply, attempt), wait, signal);
    }
  }

  /** How long to wait after a 429, in milliseconds; throws if that is too long. */
  private throttledMs(request: Request, { json, doubt }: Reply, attempt: number): number {
    const name = nameOf(request.sent);
    const { minuteMs } = this.connection.pacing;
    if (attempt === (doubt === undefined ? throttledMax : throttledInDoubtMax))
      throw new Inconclusive(`the target kept refusing ${name} with 429`);
    if (doubt !== undefined) return Math.min(minuteMs + graceMs, 1000 * 2 ** (attempt - 1));
    const asked = askedSeconds({ json });
    const ms = asked === undefined ? minuteMs : asked * 1000;
    if (ms > waitMsMax)
      throw new Inconclusive(`the target refused ${name} with 429 and asks to wait ${asked} s, too long for a run`);
    return ms + graceMs;
  }

  private persistently(request: Request): Promise<Reply> {
    const { sent, operation, throttle, undocumented } = request;
    return persistently(
      {
        name: nameOf(sent),
        operation,
        method: sent.method,
        keyed: sent.headers['idempotency-key'] !== undefined,
        authorised: this.credential.accounts.length > 0,
        atOnce: throttle === 'accept',
        undocumented: undocumented === true,
      },
      {
        attempt: () => this.attempt(request),
        look: () => this.look(),
        timesSent: () => this.connection.recorder.timesSent(sent),
        duplicated: () => this.connection.network.duplicated(this.owner),
      },
      this.connection,
    );
  }

  /** The control between two attempts: a request without credentials shows whether the target answers. */
  private async look(): Promise<boolean> {
    const asker = new Client(this.connection, anonymous, owner);
    for (const operation of ['GET /health', 'GET /me'] as const) {
      const { rate } = operations[operation];
      const got = await asker.attempt(asker.request('GET', pathOf(operation), rate, {}, operation));
      if (!(got instanceof NoReply) && got.doubt === undefined) return true;
    }
    return false;
  }

  private async attempt(request: Request): Promise<Reply | NoReply> {
    try {
      const reply = await this.once(request);
      if (reply.doubt === undefined) this.connection.network.answered(reply);
      return reply;
    } catch (error) {
      if (error instanceof NoReply) return error;
      throw error;
    }
  }

  private async once({ sent, operation, acting, pool, rate, throttle, undocumented }: Request): Promise<Reply> {
    const { pacing, clock, target, ledger, recorder, signal } = this.connection;
    const permit =
      throttle === 'wait'
        ? await pacing.admit(pool.accounts, pool.rate, signal)
        : await pacing.countInPace(pool.accounts, pool.rate, signal);
    if (signal?.aborted) {
      permit.done();
      throw signal.reason;
    }
    pacing.sends(pool.accounts[0] ?? unauthenticated, rate);
    const sentAt = clock.now();
    const after = recorder.sending(sent);
    const intent = ledger.intend(sent, operation, this.credential, sentAt);
    pacing.active.sends(acting);
    let reply: Reply | undefined;
    try {
      // Waits for a write in progress: the clean-up must know what was created.
      const { credential, owner } = this;
      const waited = rate === 'write' ? undefined : signal;
      const limits = { timeoutMs: target.timeoutMs, ...defined({ signal: waited }) };
      const wire = await this.connection.transport(sent, limits);
      reply = recorder.record({
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
      if (reply.doubt === undefined) ledger.settle(intent, reply, credential);
      if (throttle === 'wait' && reply.status === 429 && reply.doubt === undefined)
        permit.throttled(askedSeconds(reply));
      else if (reply.doubt !== undefined && [429, 503].includes(reply.status)) permit.refusedInDoubt();
      else permit.passed();
      recorder.ensureKept(reply);
      return reply;
    } finally {
      pacing.active.ended(acting, pool.accounts, reply);
      permit.done();
    }
  }
}

export interface ConnectionOptions {
  readonly target: Target;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly onEvent?: OnEvent;
}

/** Paced like a run; its replies are not kept. */
export function connect(
  { target, transport, clock, onEvent }: ConnectionOptions,
  ledger: Ledger,
  readOnly: boolean,
): Connection {
  const events = new EventStream(clock, onEvent);
  return {
    target,
    transport,
    clock,
    pacing: new Pacing(clock, target.minuteMs, events.wait),
    recorder: new Recorder(),
    network: new Network(clock, events.notice),
    ledger,
    readOnly,
  };
}
