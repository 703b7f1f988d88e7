// The memory of finished writes, by which a repeat with the same Idempotency-Key is recognised (Common request headers).

/** A reply, and the body that it answered. */
export interface Finished {
  readonly at: number;
  readonly bodyText: string;
  readonly status: number;
  readonly data: unknown;
  readonly text: string;
}

const lifetimeMs = 24 * 3_600_000;
/** The maximum number of remembered writes; beyond it the oldest is forgotten before its 24 hours are over. */
const capacity = 10_000;

export class IdempotencyMemory {
  /** Oldest first, because a Map keeps the order of insertion. */
  readonly #finished = new Map<string, Finished>();

  find(name: string, now: number): Finished | undefined {
    const finished = this.#finished.get(name);
    return finished !== undefined && now - finished.at < lifetimeMs ? finished : undefined;
  }

  keep(name: string, finished: Finished): void {
    this.#finished.delete(name);
    this.#finished.set(name, finished);
    for (const [oldest, { at }] of this.#finished) {
      if (finished.at - at < lifetimeMs && this.#finished.size <= capacity) return;
      this.#finished.delete(oldest);
    }
  }
}
