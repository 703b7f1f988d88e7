// The state of the way to the target: whether it is there, what was lost, and which odd replies are really its own.
import type { NetworkHealth } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
import { Ended } from './errors.ts';
import type { Reply } from './reply.ts';
import { type ClockPut, TargetClock } from './target-clock.ts';

/** A target that is away is waited for so long, in milliseconds. */
const patienceMs = 60_000;
/** Refusing everything with 429 for so many minutes of the target ends a run. */
const throttledMinutesMax = 5;
/** One look and the pause before it count as no more of this. */
const lookMsMax = 30_000;
/** The pauses between two looks double up to this. */
const pauseMsMax = 8_000;
const firstPauseMs = 500;
/** Attempts of which the last comes 15 seconds after the first, the pauses doubling. */
const attemptsFull = 6;
/** Where the same was confirmed before, or where hardly anything else ever needed repetition. */
const attemptsFew = 3;
/** How probable it may be that accidents alone make up a row of attempts. */
const accidentMax = 1e-7;
/** Before much was asked the way counts as one that disturbs every thirtieth request. */
const prior = { disturbed: 2, asked: 60 };
/** Before the target has said anything: a wrong address is commoner than a deploy. */
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
  private readonly doubles = new Map<string, number>();
  private readonly targetClock = new TargetClock();
  private looking: Promise<boolean> | undefined;
  private throttledSince: number | undefined;
  private repeats = 0;
  private asked = 0;
  private disturbed = 0;
  /** The target said something before. */
  known = false;

  /** `onNotice` gets what a person should read, `onEnd` why the run cannot go on. */
  constructor(clock: Clock, onNotice: (notice: string) => void = () => {}, onEnd: (end: Ended) => void = () => {}) {
    this.clock = clock;
    this.onNotice = onNotice;
    this.onEnd = onEnd;
  }

  /** The target's own word came. */
  heard(reply?: Reply): void {
    this.known = true;
    if (reply?.status !== 429) this.throttledSince = undefined;
    if (reply) this.targetClock.saw(reply);
  }

  /** When the target's clock was put: what it did by the clock then came too early or too late. */
  get clockPuts(): readonly ClockPut[] {
    return this.targetClock.puts;
  }

  /** A reply that was lost or is suspect, in words that are the same for all of its kind. */
  note(trouble: string): void {
    const now = this.clock.now();
    const noted = this.troubles.get(trouble) ?? { count: 0, firstAt: now, lastAt: now };
    noted.count += 1;
    noted.lastAt = now;
    this.troubles.set(trouble, noted);
  }

  /** From now on this owner of requests bears that something it creates may be there twice: it asks `doublesOf`. */
  bearsDoubles(owner: string): void {
    this.doubles.set(owner, 0);
  }

  /** Something may have been created twice, because a reply was lost; false where its owner does not bear that. */
  doubled(owner: string): boolean {
    const doubles = this.doubles.get(owner);
    if (doubles !== undefined) this.doubles.set(owner, doubles + 1);
    return doubles !== undefined;
  }

  doublesOf(owner: string): number {
    return this.doubles.get(owner) ?? 0;
  }

  repeated(): void {
    this.repeats += 1;
  }

  /** After so many attempts the target's own word came. */
  answeredAfter(attempts: number): void {
    this.asked += 1;
    if (attempts > 1) this.disturbed += 1;
  }

  /**
   * How often in a row the same must come until it counts; `pattern` names what comes. What says that the target is away
   * may last for seconds; anything else is an accident of the way, which is as rare as all of them have been so far.
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

  /** A 429 that nobody asked for. @throws Ended where nothing else has come for minutes. */
  throttled(minuteMs: number): void {
    const now = this.clock.now();
    this.throttledSince ??= now;
    if (now - this.throttledSince > throttledMinutesMax * minuteMs)
      this.end(`the target has refused everything with 429 since ${timeOf(this.throttledSince)}`);
  }

  /**
   * Whether the target answered at the first look; where it did not, resolves when it does. All who ask at a time wait
   * for the same looks. Rejects with `Ended` where it stays away for a minute.
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
      // One look may have been unlucky; two are worth a word.
      if (looks === 2) {
        this.absences.push(absence);
        this.onNotice(`the target has not answered since ${timeOf(from)}; waiting until ${timeOf(from + patienceMs)}`);
      }
      await clock.sleep(pauseAfter(looks), signal);
      if (await look()) {
        absence.until = clock.now();
        return false;
      }
      // A clock that jumps, as when a machine was asleep, shortens nobody's minute.
      waited += Math.max(pauseAfter(looks), Math.min(lookMsMax, clock.now() - before));
    }
    return this.end(`the target has not answered since ${timeOf(from)}`);
  }

  private end(why: string): never {
    const end = new Ended(why);
    this.onEnd(end);
    throw end;
  }

  /** For the report; undefined where all went well. */
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
