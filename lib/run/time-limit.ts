// How long a run may take.
import { Ended } from '../client/errors.ts';
import type { Transport } from '../client/transports/transport.ts';
import type { Plan } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
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
