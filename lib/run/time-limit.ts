// What ends a run before its time: its minutes are over, nothing happens any more, or the disk is full.
import { Ended } from '../client/errors.ts';
import type { Entry } from '../client/ledger.ts';
import type { Transport } from '../client/transports/transport.ts';
import type { Plan } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
import { NotWritten } from '../runtime/disk.ts';
import { counted } from '../runtime/text.ts';

interface Allowance {
  /** Milliseconds. */
  readonly ms: number;
  /** What a run that has used it up says. */
  readonly over: string;
}

/**
 * How long a run may take by its clock, which is `rate` times as fast as the machine's: as the settings say, or three
 * times what is planned and a second for each reply.
 */
export function allowedTime(maxMinutes: number | undefined, plan: Plan | undefined, rate = 1): Allowance {
  const minutes = (ms: number): string => counted(Math.ceil(ms / 60_000), 'minute');
  if (maxMinutes !== undefined) {
    const ms = maxMinutes * 60_000;
    return { ms: ms * rate, over: `the run has reached its limit of ${minutes(ms)} (--max-minutes)` };
  }
  const requests = plan?.requests.reduce((sum, one) => sum + one.requests, 0) ?? 0;
  const ms = plan === undefined ? Number.POSITIVE_INFINITY : 3 * (plan.duration_ms + requests * 1000);
  const over = `the run has reached its limit of ${minutes(ms)}, three times what was planned; --max-minutes sets another`;
  return { ms: ms * rate, over };
}

interface TimeLimit {
  readonly isLate: () => boolean;
  /** What is said then. */
  readonly over: () => string;
  /** Aborted when the run ends, by a person or by its limit. */
  readonly signal: AbortSignal;
  end(reason: Ended): void;
}

/** At the end of the time allowed nothing more is begun. */
export function inTime(transport: Transport, { isLate, over, signal, end }: TimeLimit): Transport {
  return (sent, limits) => {
    if (!isLate()) return transport(sent, limits);
    end(new Ended(over()));
    return limits.signal ? Promise.reject(signal.reason) : transport(sent, limits);
  };
}

type Work = readonly (() => Promise<void>)[];

/** What is done at the end begins so many milliseconds from now; at once where no time is given. */
export function held(holdMs: number | undefined, all: readonly Work[], clock: Clock): readonly Work[] {
  if (holdMs === undefined) return all;
  const until = clock.now() + holdMs;
  const pause = () => clock.sleep(Math.max(0, until - clock.now())).catch(() => {});
  return all.map((some) => [pause, ...some]);
}

/** Calls back whenever nothing is under way any more, until what is returned is called. */
export type OnStandstill = (call: () => void) => () => void;

/**
 * As the work, or `Ended` where it stands still: what listens to the run's end is ended first, and what does not is left
 * behind at the second time.
 */
export async function unlessStill(
  work: Promise<void>,
  onStandstill: OnStandstill = () => () => {},
  end: (why: Ended) => void = () => {},
): Promise<void> {
  const why = new Ended('an error of Covenant itself: it waits for something that never comes');
  let isStill = false;
  let release = () => {};
  const left = new Promise<void>((done) => {
    release = onStandstill(() => {
      if (isStill) done();
      isStill = true;
      end(why);
    });
  });
  await Promise.race([work, left]).finally(release);
  if (isStill) throw why;
}

/** What is announced must be stored before it is sent; what is already done only makes a later clean-up shorter. */
const isAnnounced = ({ entry }: Entry): boolean => entry === 'intend' || entry === 'switch';

/** @throws Ended where a request was announced that must not be sent now. */
export function stored(entry: Entry, record: ((entry: Entry) => void) | undefined, end: (why: Ended) => void): void {
  try {
    record?.(entry);
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    const ended = new Ended(`${error.message}; without it a run makes nothing that it could not find again`);
    end(ended);
    if (isAnnounced(entry)) throw ended;
  }
}

/** How often a run that can be resumed is written down, in milliseconds; later each tenth of its time. */
const checkpointMs = 5_000;
export const checkpointDueMs = (elapsedMs: number): number => Math.max(checkpointMs, elapsedMs / 10);
