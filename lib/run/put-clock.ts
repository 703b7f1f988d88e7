// What a clock that was put excuses: a correct target does by its clock what then comes too early, too late or twice.
import type { Reply } from '../client/reply.ts';
import type { ClockPut } from '../client/target-clock.ts';

export type ClockPuts = () => readonly ClockPut[];

/** A list may lag by the target's clock behind what was written so long before, in milliseconds. */
const lagMs = 10_000;
/** The longest that the interface does by the clock within a run: its limits, in milliseconds. */
const minuteMs = 60_000;

export const clockWasPut = "the target's clock or ours was put meanwhile";

/** What was begun then, in milliseconds, and has just failed. A clock that was put back a little passes the same time twice; put back by more, it must not excuse every attempt. */
export const wasPutSince = (puts: readonly ClockPut[], begunAt: number): boolean =>
  puts.some(({ at, backMs }) => at + Math.min(backMs, lagMs) >= begunAt - lagMs);

/** Between the first of these replies and the last, or shortly before. */
export function wasPutAmid(puts: readonly ClockPut[], replies: readonly Reply[]): boolean {
  const first = Math.min(...replies.map(({ sentAt }) => sentAt));
  const last = Math.max(...replies.map(({ receivedAt }) => receivedAt));
  return puts.some(({ at }) => at >= first - lagMs && at <= last);
}

/** The same, and one of them came so soon afterwards that it may be wrong for it. */
export const mayExcuse = (puts: readonly ClockPut[], replies: readonly Reply[]): boolean =>
  puts.some(
    (put) =>
      wasPutAmid([put], replies) &&
      replies.some(({ sentAt, receivedAt }) => receivedAt >= put.at && sentAt <= put.at + put.backMs + minuteMs),
  );
