// The state of the network: whether the target is there, what was lost, and which odd replies are the target's own.
import type { NetworkHealth } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
import { Ended } from './errors.ts';
import type { Reply } from './reply.ts';
import { type ClockChange, TargetClock } from './target-clock.ts';

/** How long to wait for an absent target, in milliseconds. */
const patienceMs = 60_000;
/** A run ends after so many minutes in which the target answers only with 429. */
const throttledMinutesMax = 5;
/** A look and the pause before it count for at most this many milliseconds. */
const lookMsMax = 30_000;
/** The pauses between two looks double up to this many milliseconds. */
const pauseMsMax = 8_000;
const firstPauseMs = 500;
/** Attempts of which the last comes 15 seconds after the first, the pauses doubling. */
const attemptsFull = 6;
/** If the same was confirmed before, or hardly anything else ever needed a repetition. */
const attemptsFew = 3;
/** The largest accepted probability that all attempts in a row failed by chance. */
const accidentMax = 1e-7;
/** Assumption at the start: the network disturbs every thirtieth request. */
const prior = { disturbed: 2, asked: 60 };
/** Before the first reply: a wrong address is more likely than a restart of the target. */
const attemptsAtFirst = 4;

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(11, 19)} UTC`;
export const pauseAfter = (attempts: number): number =>
  Math.min(pauseMsMax, firstPauseMs * 2 ** Math.max(0, attempts - 1));

interface Trouble {
  count: number;
  readonly firstAt: number;
  lastAt: number;
}

export class Network {
  private readonly clock: Clock;
  private readonly onNotice: (notice: string) => void;
  private readonly onEnd: (end: Ended) => void;
  private readonly troubles = new Map<string, Trouble>();
  private readonly absences: { from: number; until: number | undefined }[] = [];
  private readonly confirmed = new Set<string>();
  private readonly duplicates = new Map<string, number>();
  private readonly targetClock = new TargetClock();
  private looking: Promise<boolean> | undefined;
  private throttledSince: number | undefined;
  private repeats = 0;
  private asked = 0;
  private disturbed = 0;
  /** The target has answered before. */
  known = false;

  /** `onNotice` gets messages for people, `onEnd` the reason why the run cannot go on. */
  constructor(clock: Clock, onNotice: (notice: string) => void = () => {}, onEnd: (end: Ended) => void = () => {}) {
    this.clock = clock;
    this.onNotice = onNotice;
    this.onEnd = onEnd;
  }

  /** The target itself answered. */
  answered(reply?: Reply): void {
    this.known = true;
    if (reply?.status !== 429) this.throttledSince = undefined;
    if (reply) this.targetClock.saw(reply);
  }

  /** When the target's clock was set: actions by that clock then came too early or too late. */
  get clockChanges(): readonly ClockChange[] {
    return this.targetClock.changes;
  }

  /** A lost or suspect reply, in words that are the same for all of its kind. */
  note(trouble: string): void {
    const now = this.clock.now();
    const noted = this.troubles.get(trouble) ?? { count: 0, firstAt: now, lastAt: now };
    noted.count += 1;
    noted.lastAt = now;
    this.troubles.set(trouble, noted);
  }

  /** This owner accepts that a lost reply may leave duplicates: it reads `duplicatesOf`. */
  acceptsDuplicates(owner: string): void {
    this.duplicates.set(owner, 0);
  }

  /** A lost reply may mean that something was created twice; false if the owner does not accept that. */
  duplicated(owner: string): boolean {
    const duplicates = this.duplicates.get(owner);
    if (duplicates !== undefined) this.duplicates.set(owner, duplicates + 1);
    return duplicates !== undefined;
  }

  duplicatesOf(owner: string): number {
    return this.duplicates.get(owner) ?? 0;
  }

  repeated(): void {
    this.repeats += 1;
  }

  /** The target itself answered after this many attempts. */
  answeredAfter(attempts: number): void {
    this.asked += 1;
    if (attempts > 1) this.disturbed += 1;
  }

  /**
   * How often in a row the same must come until it counts; `pattern` names it. An absence of the target may last for
   * seconds; anything else is an accident of the network, as rare as all have been so far.
   */
  attemptsFor(pattern: string, isAway: boolean): number {
    if (!this.known) return attemptsAtFirst;
    if (this.confirmed.has(pattern)) return attemptsFew;
    if (isAway) return attemptsFull;
    const rate = (prior.disturbed + this.disturbed) / (prior.asked + this.asked);
    const enough = Math.ceil(Math.log(accidentMax) / Math.log(rate));
    return Math.min(attemptsFull, Math.max(attemptsFew, enough));
  }

  confirm(pattern: string): void {
    if (this.known) this.confirmed.add(pattern);
  }

  /** A 429 that no case provoked. @throws Ended if nothing else has come for minutes. */
  throttled(minuteMs: number): void {
    const now = this.clock.now();
    this.throttledSince ??= now;
    if (now - this.throttledSince > throttledMinutesMax * minuteMs)
      this.end(`the target has refused everything with 429 since ${timeOf(this.throttledSince)}`);
  }

  /**
   * Whether the target answered at the first look; otherwise resolves when it does. Concurrent callers share the looks.
   * Rejects with `Ended` if it stays away for a minute.
   */
  present(look: () => Promise<boolean>, signal?: AbortSignal): Promise<boolean> {
    this.looking ??= this.await(look, signal).finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async await(look: () => Promise<boolean>, signal?: AbortSignal): Promise<boolean> {
    const { clock } = this;
    if (await look()) return true;
    const from = clock.now();
    const absence: { from: number; until: number | undefined } = { from, until: undefined };
    let waited = 0;
    for (let looks = 1; waited < patienceMs; looks += 1) {
      const before = clock.now();
      // One failed look may be chance; the second is reported.
      if (looks === 2) {
        this.absences.push(absence);
        this.onNotice(`the target has not answered since ${timeOf(from)}; waiting until ${timeOf(from + patienceMs)}`);
      }
      await clock.sleep(pauseAfter(looks), signal);
      if (await look()) {
        absence.until = clock.now();
        return false;
      }
      // A clock that jumps, as after a suspended machine, must not shorten the minute.
      waited += Math.max(pauseAfter(looks), Math.min(lookMsMax, clock.now() - before));
    }
    return this.end(`the target has not answered since ${timeOf(from)}`);
  }

  private end(why: string): never {
    const end = new Ended(why);
    this.onEnd(end);
    throw end;
  }

  /** For the report; undefined if nothing went wrong. */
  get health(): Omit<NetworkHealth, 'undecided'> | undefined {
    if (this.troubles.size === 0) return undefined;
    const iso = (ms: number): string => new Date(ms).toISOString();
    return {
      repeated: this.repeats,
      troubles: [...this.troubles].map(([what, { count, firstAt, lastAt }]) => ({
        what,
        count,
        first_at: iso(firstAt),
        last_at: iso(lastAt),
      })),
      absences: this.absences.map(({ from, until }) => ({
        from: iso(from),
        until: until === undefined ? null : iso(until),
      })),
    };
  }
}
