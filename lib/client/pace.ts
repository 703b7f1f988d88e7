// How fast a run sends over all accounts: unlimited until something in front of the target refuses requests.

const secondMs = 1000;
/** Share of the requests that passed in the second before a refusal. */
const share = 0.75;
/** This many refusals in a second, and this share of the replies, are no accidents of an unreliable network. */
const refusedMin = 3;
const refusedShare = 0.25;

/** Drops times older than a second; they are in ascending order. */
function forgetOld(times: number[], now: number): void {
  const first = times.findIndex((time) => time > now - secondMs);
  times.splice(0, first < 0 ? times.length : first);
}

/**
 * Many gateways limit the requests a second, whoever sends them. The requests that passed beside a refusal show the
 * limit; it is kept for a minute, and for four the second time, since it may have been a trouble of seconds.
 */
export class Pace {
  private readonly minuteMs: number;
  private intervalMs = 0;
  private nextAt = Number.NEGATIVE_INFINITY;
  private readonly answered: number[] = [];
  private readonly refusals: number[] = [];
  private refusedAt = Number.NEGATIVE_INFINITY;
  private forgotten = 0;

  constructor(minuteMs: number) {
    this.minuteMs = minuteMs;
  }

  /** Milliseconds until the next request may be sent; reserves its place. */
  take(now: number): number {
    this.forget(now);
    const at = Math.max(now, this.nextAt);
    this.nextAt = at + this.intervalMs;
    return at - now;
  }

  /** A request passed. */
  answeredAt(now: number): void {
    forgetOld(this.answered, now);
    this.answered.push(now);
  }

  /** A request was refused that fits into the allowance of its account. */
  refused(now: number): void {
    forgetOld(this.refusals, now);
    forgetOld(this.answered, now);
    const refused = this.refusals.push(now);
    const letThrough = this.answered.length;
    if (refused < refusedMin || refused < refusedShare * (refused + letThrough)) return;
    // If nothing passes, the rate is not the cause.
    if (letThrough < 2 || now - this.refusedAt < secondMs) return;
    this.refusedAt = now;
    this.intervalMs = Math.ceil(secondMs / (letThrough * share));
    this.nextAt = now + secondMs;
  }

  private forget(now: number): void {
    if (this.intervalMs === 0 || now - this.refusedAt <= this.minuteMs * 4 ** this.forgotten) return;
    this.intervalMs = 0;
    this.forgotten += 1;
  }
}
