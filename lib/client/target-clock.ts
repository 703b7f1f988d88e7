// Whether the target's clock was put while a run was under way, by the Date of its replies.
import type { Reply } from './reply.ts';

/** The Date of a reply has whole seconds, in milliseconds. */
const tickMs = 1000;
/** Clocks drift, and several machines agree only roughly: less than this is no jump, in milliseconds. */
const jumpMsMin = 1000;
/** What jumps more often is not one clock that was put, but several that do not agree. */
const jumpsMax = 3;

export class TargetClock {
  /** How far it is ahead of ours in milliseconds, at least and at most. */
  private ahead = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  private readonly jumps: number[] = [];

  /** Of the target's own replies; what stands between has other clocks. */
  saw({ headers, sentAt, receivedAt }: Pick<Reply, 'headers' | 'sentAt' | 'receivedAt'>): void {
    const date = Date.parse(headers.date ?? '');
    if (Number.isNaN(date)) return;
    const from = date - receivedAt;
    const to = date + tickMs - sentAt;
    const jumped = to < this.ahead.from - jumpMsMin || from > this.ahead.to + jumpMsMin;
    if (jumped) this.jumps.push(receivedAt);
    this.ahead = jumped ? { from, to } : { from: Math.max(from, this.ahead.from), to: Math.min(to, this.ahead.to) };
  }

  jumpedSince(ms: number): boolean {
    return this.jumps.length <= jumpsMax && this.jumps.some((at) => at >= ms);
  }
}
