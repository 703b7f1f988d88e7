// Whether the target's clock was set during a run, by the Date and the timestamp of its replies.
import { instant } from '../schema/instant.ts';
import { at, type Reply, wasAccepted } from './reply.ts';

/** A clock that was set: when, and how far back; 0 if it was set forward. Both in milliseconds. */
export interface ClockChange {
  readonly at: number;
  readonly backMs: number;
}

/** How far a clock is ahead of ours in milliseconds, at least and at most. */
interface Ahead {
  readonly from: number;
  readonly to: number;
}

type Seen = Pick<Reply, 'status' | 'headers' | 'json' | 'mayReplay' | 'sentAt' | 'receivedAt'>;

/** The Date of a reply has whole seconds, in milliseconds; a timestamp may. */
const tickMs = 1000;
/** Clocks drift, and machines agree only roughly: a smaller difference counts as none, in milliseconds. */
const changeMsMin = 1000;
/** More changes than this come from several clocks that do not agree. */
const changesMax = 3;

/**
 * The time in a reply, in milliseconds, from and to: a busy server may write a Date that it has kept for seconds. A stored
 * reply may have the time of the first, also in its headers.
 */
function writtenOn({ status, headers, json, mayReplay }: Seen): Ahead | undefined {
  if (mayReplay) return undefined;
  const date = Date.parse(headers.date ?? '');
  const text = wasAccepted({ status }) ? at(json, 'timestamp') : undefined;
  const time = typeof text === 'string' ? instant(text)?.ms : undefined;
  const all = [
    ...(Number.isNaN(date) ? [] : [{ from: date, to: date + tickMs }]),
    ...(time === undefined ? [] : [{ from: time, to: time % tickMs === 0 ? time + tickMs : time + 1 }]),
  ];
  if (all.length === 0) return undefined;
  return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
}

const agree = (one: Ahead, other: Ahead): boolean =>
  one.to >= other.from - changeMsMin && one.from <= other.to + changeMsMin;

const both = (one: Ahead, other: Ahead): Ahead => ({
  from: Math.max(one.from, other.from),
  to: Math.min(one.to, other.to),
});

export class TargetClock {
  private ahead: Ahead = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  /** What only the last reply says: a clock that was set stays so, and one wrong time is an error of one reply. */
  private perhaps: { readonly ahead: Ahead; readonly put: ClockChange } | undefined;
  private readonly certain: ClockChange[] = [];

  /** Only for replies of the target: gateways have other clocks. */
  saw(reply: Seen): void {
    const written = writtenOn(reply);
    if (written === undefined) return;
    const ahead = { from: written.from - reply.receivedAt, to: written.to - reply.sentAt };
    const { perhaps } = this;
    if (agree(ahead, this.ahead)) {
      // A reply that took very long agrees with everything.
      if (perhaps !== undefined && agree(ahead, perhaps.ahead)) return;
      this.ahead = both(ahead, this.ahead);
      this.perhaps = undefined;
    } else if (perhaps !== undefined && agree(ahead, perhaps.ahead)) {
      this.certain.push(perhaps.put);
      this.ahead = both(ahead, perhaps.ahead);
      this.perhaps = undefined;
    } else {
      const backMs = Math.max(0, this.ahead.from - ahead.from);
      this.perhaps = { ahead, put: { at: reply.receivedAt, backMs } };
    }
  }

  /** The changes; none if there were too many for one clock. */
  get changes(): readonly ClockChange[] {
    if (this.certain.length > changesMax) return [];
    return this.perhaps ? [...this.certain, this.perhaps.put] : this.certain;
  }
}
