// The allowance of one account in one class: what was sent in the last minute, and when the next request fits.
import type { RateClass } from '../catalogue/operations.ts';

export interface Permit {
  /** The reply came, or it is known that none will. */
  done(): void;
  /** The reply was a 429 that no case asked for. */
  throttled(): void;
}

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

  /** Waits for those that asked before; everything that asks later waits until what is returned is called. */
  async hold(): Promise<() => void> {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
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

  finish(now: number): void {
    this.underWay -= 1;
    this.lastReplyAt = now;
    this.replies.push(now);
  }

  /** Milliseconds until so many more fit at once. Counted from the reply, not the sending: no window of the target, of whatever kind, then holds more than the limit. */
  untilRoom(now: number, minuteMs: number, count = 1): number {
    this.forget(now, minuteMs);
    const fresh = this.replies.findIndex((time) => time > now - minuteMs);
    if (fresh !== 0) this.replies.splice(0, fresh < 0 ? this.replies.length : fresh);
    const excess = this.replies.length + this.underWay + count - 1 - this.limit;
    if (excess < 0) return 0;
    const freeing = this.replies[excess];
    return freeing === undefined ? lookAgainMs : freeing + minuteMs - now + 1;
  }
}
