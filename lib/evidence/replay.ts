// Plays a run again from its record: the same cases ask, the record answers, in the order in which the run took notice then.
import { isDeepStrictEqual } from 'node:util';
import { at, type Sent } from '../client/reply.ts';
import { type Limits, NoReply, type Transport, type WireReply } from '../client/transports/transport.ts';
import type { Clock } from '../runtime/clock.ts';
import { computedOnce } from '../runtime/once.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Arrival, Asked, Entry, Found } from './format.ts';
import { named } from './named.ts';

/** Where the run that is played again parts from the one that was recorded. */
export interface Divergence {
  /** The case that asks something else; absent where it is the record that has too much or too little. */
  readonly case?: string;
  readonly why: string;
}

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

export function errorOf(arrival: Arrival): Error {
  if ('lost' in arrival) return new NoReply(arrival.why);
  const error = new Error('why' in arrival ? arrival.why : 'the record answers otherwise');
  if ('error' in arrival) error.name = arrival.error;
  return error;
}

/** The same each time it is asked for, so that whatever follows from a reply alone is worked out once. */
export const wireOf = computedOnce(({ status, headers, body }: WireReply): WireReply => ({ status, headers, body }));

const numberOf = (arrival: Arrival): number | undefined => {
  const n = at(arrival, 'reply') ?? at(arrival, 'lost') ?? at(arrival, 'broke');
  return typeof n === 'number' ? n : undefined;
};

/** Milliseconds from the epoch to the last moment that a date can be. */
const timeMax = 8.64e15;
/** A run that ends does so within one turn of the event loop or a few. */
const turnsMax = 1000;

/** In words, how a request differs from the one in the record. */
function difference(asked: Asked, sent: unknown, owner: string): string | undefined {
  if (asked.case !== owner) return `${owner} asks where ${asked.case} asked`;
  if (isDeepStrictEqual(asked.request, sent)) return undefined;
  const { method, url } = asked.request;
  const now = `${String(at(sent, 'method'))} ${String(at(sent, 'url'))}`;
  const same = now === `${method} ${url}`;
  return `${owner} asked ${method} ${url}, and now asks ${same ? 'it with another body or other headers' : now}`;
}

export class Replay {
  /** Rejects at the first difference; the run is then left where it stands. */
  readonly diverged: Promise<never>;
  readonly signal: AbortSignal;
  private readonly entries: readonly (Entry | Found)[];
  private readonly secrets: Secrets;
  private readonly controller = new AbortController();
  private readonly asking = new Map<number, Waiting<WireReply>>();
  private readonly sleeping = new Map<number, Waiting<void>>();
  private readonly failed: (divergence: Divergence) => void;
  private over = false;
  private at = 0;
  private read = 0;
  private time = 0;
  private asked = 0;
  private sleeps = 0;

  constructor(entries: readonly Entry[], found: Found, secrets: Secrets) {
    this.entries = [...entries, found];
    this.secrets = secrets;
    this.signal = this.controller.signal;
    let fail: (divergence: Divergence) => void = () => {};
    this.diverged = new Promise((_, reject) => {
      fail = reject;
    });
    this.failed = fail;
  }

  readonly transport: Transport = (sent: Sent, limits: Limits) =>
    new Promise((resolve, reject) => {
      this.asked += 1;
      const owner = limits.owner ?? '';
      const entry = this.entries[this.at];
      if (entry === undefined || !('ask' in entry)) {
        this.diverge({ case: owner, why: `${owner} asks ${sent.method} ${sent.url}, which the record does not hold` });
        return;
      }
      const differs = difference(
        entry,
        named(sent, (text) => this.secrets.redact(text)),
        owner,
      );
      if (differs !== undefined) this.diverge({ case: owner, why: differs });
      if (entry.ask !== this.asked) this.diverge({ why: `request ${entry.ask} stands where ${this.asked} belongs` });
      this.asking.set(this.asked, { resolve, reject });
      this.next();
    });

  readonly clock: Clock = {
    now: () => {
      const since = this.entries[this.at]?.now?.[this.read];
      if (since === undefined) this.diverge({ why: 'the clock is read more often than it was' });
      this.read += 1;
      const time = this.time + (since ?? 0);
      if (Math.abs(time) > timeMax) this.diverge({ why: 'the clock shows a time that no calendar has' });
      else this.time = time;
      return this.time;
    },
    sleep: (_, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        this.sleeps += 1;
        this.sleeping.set(this.sleeps, { resolve, reject });
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  };

  /** Begins to answer; to be called once the run has been started. */
  start(): void {
    this.inTurn();
  }

  /** After the run has ended: whether the record had nothing left. */
  end(): Divergence | undefined {
    this.over = true;
    const rest = this.entries.length - 1 - this.at;
    if (rest > 0) return { why: `the record holds ${rest} more lines than the run has use for` };
    const unread = (this.entries[this.at]?.now?.length ?? 0) - this.read;
    return unread === 0 ? undefined : { why: 'the clock was read more often than it is now' };
  }

  /** What the run did of its own is done when the event loop turns; the next line then says what came in. */
  private inTurn(): void {
    setImmediate(() => this.step());
  }

  private step(): void {
    if (this.over) return;
    const entry = this.entries[this.at];
    if (entry === undefined || this.at === this.entries.length - 1) {
      this.awaitEnd(turnsMax);
      return;
    }
    if ('verdicts' in entry) {
      this.diverge({ why: 'what was found stands where something came in' });
      return;
    }
    if ('ask' in entry) {
      const { method, url } = entry.request;
      this.diverge({ case: entry.case, why: `${entry.case} asked ${method} ${url}, and now asks nothing` });
      return;
    }
    const before = this.next();
    if (!before) return;
    this.handOn(entry);
    this.inTurn();
  }

  /** Nothing comes in any more: a run that still waits would wait for ever. */
  private awaitEnd(turns: number): void {
    if (this.over) return;
    if (turns === 0) this.diverge({ why: 'the run still waits where the record ends' });
    else setImmediate(() => this.awaitEnd(turns - 1));
  }

  private handOn(arrival: Arrival): void {
    if ('stopped' in arrival) this.controller.abort(new Error(arrival.stopped));
    else if ('slept' in arrival) this.wake(arrival.slept);
    else this.answer(arrival);
  }

  private wake(pause: number): void {
    const sleeper = this.sleeping.get(pause);
    this.sleeping.delete(pause);
    if (sleeper) sleeper.resolve();
    else this.diverge({ why: `pause ${pause} ends, and nobody pauses` });
  }

  private answer(arrival: Arrival): void {
    const n = numberOf(arrival) ?? 0;
    const waiting = this.asking.get(n);
    this.asking.delete(n);
    if (!waiting) this.diverge({ why: `a reply comes to request ${n}, for which nobody waits` });
    else if ('reply' in arrival) waiting.resolve(wireOf(arrival));
    else waiting.reject('broke' in arrival && this.signal.aborted ? this.signal.reason : errorOf(arrival));
  }

  /** On to the next line, where the clock was read as often as then; says whether it was. */
  private next(): boolean {
    const unread = (this.entries[this.at]?.now?.length ?? 0) - this.read;
    this.at += 1;
    this.read = 0;
    if (unread !== 0) this.diverge({ why: 'the clock was read more often than it is now' });
    return unread === 0;
  }

  private diverge(divergence: Divergence): void {
    this.over = true;
    this.failed(divergence);
  }
}
