// Whether the target's clock was put while a run was under way, by the Date of its replies or, without one, their timestamps.
import { instant } from '../schema/instant.ts';
import { at, type Reply, wasAccepted } from './reply.ts';

/** A clock that was put: when, and by how much it was put back; 0 where it was put ahead. Both in milliseconds. */
export interface ClockPut {
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
/** Clocks drift, and several machines agree only roughly: less than this is no put, in milliseconds. */
const putMsMin = 1000;
/** What is put more often is not one clock, but several that do not agree. */
const putsMax = 3;

/** The time that the target wrote on a reply, in milliseconds, from and to; a stored reply may have that of the first, in its headers too. */
function writtenOn({ status, headers, json, mayReplay }: Seen): Ahead | undefined {
  if (mayReplay) return undefined;
  const date = Date.parse(headers.date ?? '');
  if (!Number.isNaN(date)) return { from: date, to: date + tickMs };
  const text = wasAccepted({ status }) ? at(json, 'timestamp') : undefined;
  const time = typeof text === 'string' ? instant(text)?.ms : undefined;
  if (time === undefined) return undefined;
  return { from: time, to: time % tickMs === 0 ? time + tickMs : time + 1 };
}

const agree = (one: Ahead, other: Ahead): boolean => one.to >= other.from - putMsMin && one.from <= other.to + putMsMin;

const both = (one: Ahead, other: Ahead): Ahead => ({
  from: Math.max(one.from, other.from),
  to: Math.min(one.to, other.to),
});

export class TargetClock {
  private ahead: Ahead = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  /** What the last reply alone says: a clock that was put stays put, and one wrong time is an error of one reply. */
  private perhaps: { readonly ahead: Ahead; readonly put: ClockPut } | undefined;
  private readonly certain: ClockPut[] = [];

  /** Of the target's own replies; what stands between has other clocks. */
  saw(reply: Seen): void {
    const written = writtenOn(reply);
    if (written === undefined) return;
    const ahead = { from: written.from - reply.receivedAt, to: written.to - reply.sentAt };
    const { perhaps } = this;
    if (agree(ahead, this.ahead)) {
      // One that took very long agrees with everything.
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

  /** When it was put; nothing where it was put too often to be one clock. */
  get puts(): readonly ClockPut[] {
    if (this.certain.length > putsMax) return [];
    return this.perhaps ? [...this.certain, this.perhaps.put] : this.certain;
  }
}
