// What is remembered of each Idempotency-Key, for a day.
import type { Choices } from './choices.ts';
import type { Outcome, Refusal, Reply } from './refusal.ts';

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
