// The allowance of one account in one class: what was sent in the last minutes, and when the next request fits.
import type { RateClass } from '../catalogue/operations.ts';

export interface Permit {
  /** The reply came, or it is known that none will. */
  done(): void;
  /** The reply was a 429 that no case asked for, and names so many seconds to wait, or none. */
  throttled(seconds: number | undefined): void;
  /** It may have been refused by something else than the target, for want of room. */
  refusedInDoubt(): void;
  /** Nothing refused it for want of room. */
  passed(): void;
}

/** Of its limit: others may use an account, too. */
const spentShare = 0.8;
/** How often to look again while every request of the minute is still under way, in milliseconds. */
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

  /** First come, first served: the request that waits for room holds the turn. */
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
   * Waits for those that asked before; everything that asks later waits until what is returned is called, or the signal is
   * aborted: who held it may then never say so, and the clean-up must not wait for that.
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

  /** Enters at once where no request waits and there is room. */
  enterNow(now: number, minuteMs: number): boolean {
    if (this.waiting > 0 || this.untilRoom(now, minuteMs) > 0) return false;
    this.underWay += 1;
    return true;
  }

  /** For requests that belong to no account, which a target may limit without saying so: what it answered in this minute is its limit. */
  learn(now: number, minuteMs: number): void {
    const answered = this.replies.filter((time) => time > now - minuteMs).length;
    this.learned = { before: this.limit, ...this.learned, at: now };
    this.limit = Math.max(1, Math.min(answered, this.limit - 1));
  }

  /** What a limiter taught that was there for seconds holds for a minute; what is learned again, twice as long each time. */
  private forget(now: number, minuteMs: number): void {
    if (this.learned === undefined || now - this.learned.at <= minuteMs * 2 ** this.forgotten) return;
    this.limit = this.learned.before;
    this.learned = undefined;
    this.forgotten += 1;
  }

  /**
   * What fits into every window of a minute was refused: many gateways count two windows in a row, the former by how much
   * of it is less than a minute ago.
   */
  weigh(): void {
    this.weighted = true;
  }

  /** In two minutes it has had about as many replies as it may have in one: a limiter of its own may have refused it. */
  isSpent(now: number, minuteMs: number): boolean {
    return this.replies.filter((time) => time > now - 2 * minuteMs).length >= spentShare * this.limit;
  }

  /** So long after the last reply the account has its whole allowance again, in milliseconds. */
  memoryMs(minuteMs: number): number {
    return this.weighted ? 2 * minuteMs : minuteMs;
  }

  finish(now: number): void {
    this.underWay -= 1;
    this.lastReplyAt = now;
    this.replies.push(now);
  }

  /** Milliseconds until so many more fit at once. Counted from the reply, not the sending: no window of the target, of whatever kind, then holds more than the limit. */
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

  /** The same where two minutes count, wherever the target's windows begin. */
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
