// How fast a run sends, all accounts together: as it likes, until something in front of the target refuses that.

const secondMs = 1000;
/** Of what was let through in a second before a refusal. */
const share = 0.75;
/** So many refusals in a second, and so large a part of its replies, are no accidents of a way that now and then fails. */
const refusedMin = 3;
const refusedShare = 0.25;

/** Forgets what is older than a second; the times stand in the order in which they were noted. */
function forgetOld(times: number[], now: number): void {
  const first = times.findIndex((time) => time > now - secondMs);
  times.splice(0, first < 0 ? times.length : first);
}

/**
 * Many gateways let only so many requests a second through, whoever sends them. What is let through beside a refusal shows
 * how many; it is kept to for a minute, and the second time for four, as it may have been a trouble of seconds.
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

  /** Milliseconds until the next request may be sent, which takes its place. */
  take(now: number): number {
    this.forget(now);
    const at = Math.max(now, this.nextAt);
    this.nextAt = at + this.intervalMs;
    return at - now;
  }

  /** A request was let through. */
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
    // Where nothing is let through it is not a matter of pace.
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
