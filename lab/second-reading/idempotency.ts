// Idempotency-Keys: which one counts for a request, and what is remembered of each, for a day.
import type { Choices } from './choices.ts';
import { type Outcome, type Refusal, type Reply, refuse } from './refusal.ts';
import type { Visit } from './visit.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The key sent with a request, or undefined when there is none to heed. */
export function keyOf(visit: Visit): string | undefined {
  const { choices, call } = visit;
  const sent = call.header('idempotency-key');
  if (sent === undefined) return undefined;
  if (sent.trim() === '') {
    return choices.idemBlank === 'as-absent' ? undefined : refuse(400, 'bad_request', 'The Idempotency-Key is blank.');
  }
  if (choices.idemNotUuid !== 'accepted' && !UUID.test(sent)) {
    refuse(choices.idemNotUuid, 'bad_request', 'The Idempotency-Key must be a UUID.');
  }
  return choices.idemCase === 'any-case' ? sent.toLowerCase() : sent;
}

/** The name under which a key is kept: for whom it counts, and where. */
export function entryName(visit: Visit, key: string): string {
  const { idemScope } = visit.choices;
  const user = visit.caller?.user.number ?? 0;
  if (idemScope === 'user') return `u${user}:${key}`;
  const account = visit.account?.number ?? `u${user}`;
  if (idemScope === 'account') return `a${account}:${key}`;
  const path = requestOf(visit);
  if (idemScope === 'account-and-path') return `a${account}:${path}:${key}`;
  if (idemScope === 'user-and-path') return `u${user}:${path}:${key}`;
  const credential = visit.caller?.key?.id ?? `u${user}`;
  return `c${credential}:${path}:${key}`;
}

export function isSameRequest(entry: Entry, visit: Visit): boolean {
  return entry.request === requestOf(visit) && entry.body === printOf(visit);
}

/** Refuses, or lets pass, another request under a key already used. */
export function meetOther(entry: Entry, visit: Visit): void {
  const { idemOtherBody } = visit.choices;
  const elsewhere = entry.request !== requestOf(visit);
  if (idemOtherBody === 'replay' && !elsewhere) return;
  const status = idemOtherBody === 'replay' ? '422' : idemOtherBody;
  refuse(status, 'idempotency_conflict', 'This Idempotency-Key was used for another request.');
}

export function requestOf(visit: Visit): string {
  return `${visit.operation.method} ${visit.operation.path} ${visit.ids.join(' ')}`;
}

export function printOf(visit: Visit): string {
  const { body } = visit.call;
  return visit.choices.idemSameBody === 'bytes' ? body : canonical(body);
}

function canonical(body: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(body)));
  } catch {
    return body;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}

const DAY = 24 * 3_600_000;
const SWEEP_AT = 5000;

export interface Entry {
  request: string;
  body: string;
  expires: number;
  /** Settles when the first request is through; null once it is. */
  pending: Promise<void> | null;
  outcome: Outcome | undefined;
  reply: Reply | undefined;
  refusal: Refusal | undefined;
}

export class IdempotencyStore {
  readonly #entries = new Map<string, Entry>();
  #sweepAt = SWEEP_AT;

  find(name: string, now: number, edge: Choices['idemEdge']): Entry | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const alive = edge === 'alive' ? now <= entry.expires : now < entry.expires;
    return alive ? entry : undefined;
  }

  open(name: string, request: string, body: string, now: number): Entry {
    if (this.#entries.size >= this.#sweepAt) this.#sweep(now);
    this.#entries.delete(name);
    const entry: Entry = {
      request,
      body,
      expires: now + DAY,
      pending: null,
      outcome: undefined,
      reply: undefined,
      refusal: undefined,
    };
    this.#entries.set(name, entry);
    return entry;
  }

  drop(name: string): void {
    this.#entries.delete(name);
  }

  #sweep(now: number): void {
    for (const [name, entry] of this.#entries) {
      if (entry.expires >= now) break;
      this.#entries.delete(name);
    }
    this.#sweepAt = this.#entries.size + SWEEP_AT;
  }
}
