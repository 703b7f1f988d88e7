// The allowance of one account in one class: what was sent in the last minutes, and when the next request fits.
import type { RateClass } from '../catalogue/operations.ts';

export interface Permit {
  /** The reply came, or will never come. */
  done(): void;
  /** The reply was a 429 that no case provoked; it names the seconds to wait, or none. */
  throttled(seconds: number | undefined): void;
  /** Something between us and the target may have refused it because of its rate. */
  refusedInDoubt(): void;
  /** It was not refused because of its rate. */
  passed(): void;
}

/** Share of the limit that is used: others may use the account, too. */
const spentShare = 0.8;
/** Pause between two looks while all requests of the minute are still in progress, in milliseconds. */
const lookAgainMs = 20;

export class Budget {
  readonly account: string;
  readonly rate: RateClass;
  limit: number;
  throttled = 0;
  underWay = 0;
  lastReplyAt = -Infinity;
  readonly sentAt: number[] = [];
  private readonly replies: number[] = [];
  private waiting = 0;
  private turn: Promise<void> = Promise.resolve();
  /** Since when nothing was refused beyond what was learned, how often it was forgotten, and the limit before. */
  private learned: { at: number; readonly before: number } | undefined;
  private forgotten = 0;
  /** The target counts more than the last minute. */
  private weighted = false;

  constructor(account: string, rate: RateClass, limit: number) {
    this.account = account;
    this.rate = rate;
    this.limit = limit;
  }

  /** First come, first served: the request that waits holds the turn. */
  enter(room: () => Promise<void>): Promise<void> {
    this.waiting += 1;
    const entered = this.turn
      .then(room)
      .then(() => {
        this.underWay += 1;
      })
      .finally(() => {
        this.waiting -= 1;
      });
    this.turn = entered.catch(() => {});
    return entered;
  }

  /**
   * Waits for earlier requests; later ones wait until the returned function is called, or the signal is aborted: its
   * holder may then never call it, and the clean-up must not wait for that.
   */
  async hold(signal?: AbortSignal): Promise<() => void> {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = () => {
        signal?.removeEventListener('abort', release);
        done();
      };
    });
    signal?.addEventListener('abort', release);
    if (signal?.aborted) release();
    const before = this.turn;
    this.waiting += 1;
    this.turn = before
      .then(() => held)
      .then(() => {
        this.waiting -= 1;
      });
    await before;
    return release;
  }

  /** Enters at once if no request waits and the allowance permits. */
  enterNow(now: number, minuteMs: number): boolean {
    if (this.waiting > 0 || this.untilRoom(now, minuteMs) > 0) return false;
    this.underWay += 1;
    return true;
  }

  /**
   * For requests of no account, which a target may limit without reporting it: the number it answered in this minute is
   * its limit.
   */
  learn(now: number, minuteMs: number): void {
    const answered = this.replies.filter((time) => time > now - minuteMs).length;
    this.learned = { before: this.limit, ...this.learned, at: now };
    this.limit = Math.max(1, Math.min(answered, this.limit - 1));
  }

  /** A learned limit holds for a minute; learned again, twice as long each time. */
  private forget(now: number, minuteMs: number): void {
    if (this.learned === undefined || now - this.learned.at <= minuteMs * 2 ** this.forgotten) return;
    this.limit = this.learned.before;
    this.learned = undefined;
    this.forgotten += 1;
  }

  /**
   * A request that fits into every window of a minute was refused: many gateways count two windows, the former weighted
   * by its share of the last minute.
   */
  weigh(): void {
    this.weighted = true;
  }

  /** Two minutes brought about as many replies as one minute allows: the target's own limiter may have refused it. */
  isSpent(now: number, minuteMs: number): boolean {
    return this.replies.filter((time) => time > now - 2 * minuteMs).length >= spentShare * this.limit;
  }

  /** Time after the last reply until the whole allowance is back, in milliseconds. */
  memoryMs(minuteMs: number): number {
    return this.weighted ? 2 * minuteMs : minuteMs;
  }

  finish(now: number): void {
    this.underWay -= 1;
    this.lastReplyAt = now;
    this.replies.push(now);
  }

  /**
   * Milliseconds until `count` more requests fit. Counted from the reply, not the sending: then no window of the target
   * holds more than the limit.
   */
  untilRoom(now: number, minuteMs: number, count = 1): number {
    this.forget(now, minuteMs);
    const kept = this.replies.findIndex((time) => time > now - 2 * minuteMs);
    if (kept !== 0) this.replies.splice(0, kept < 0 ? this.replies.length : kept);
    if (this.weighted) return this.untilLight(now, minuteMs, count);
    const fresh = this.replies.findIndex((time) => time > now - minuteMs);
    const first = fresh < 0 ? this.replies.length : fresh;
    const excess = this.replies.length - first + this.underWay + count - 1 - this.limit;
    if (excess < 0) return 0;
    const freeing = this.replies[first + excess];
    return freeing === undefined ? lookAgainMs : freeing + minuteMs - now + 1;
  }

  /** Requests that fit at once. */
  free(now: number, minuteMs: number): number {
    let count = 0;
    while (count < this.limit && this.untilRoom(now, minuteMs, count + 1) === 0) count += 1;
    return count;
  }

  /** The same if two minutes count, wherever the target's windows begin. */
  private untilLight(now: number, minuteMs: number, count: number): number {
    const fits = (ms: number): boolean => {
      const weights = this.replies.map((time) => Math.min(1, Math.max(0, 2 - (now + ms - time) / minuteMs)));
      return weights.reduce((sum, one) => sum + one, 0) + this.underWay + count <= this.limit;
    };
    if (fits(0)) return 0;
    let [least, most] = [0, 2 * minuteMs + 1];
    if (!fits(most)) return lookAgainMs;
    while (most - least > 1) {
      const middle = Math.floor((least + most) / 2);
      if (fits(middle)) most = middle;
      else least = middle;
    }
    return most;
  }
}
