// How long a run may take.
import { Ended } from '../client/errors.ts';
import type { Transport } from '../client/transports/transport.ts';
import type { Plan } from '../result.ts';

/** How long a run may take, in milliseconds: as the settings say, or three times what is planned and a second for each reply. */
export function allowedTime(maxMinutes: number | undefined, plan: Plan | undefined): number {
  if (maxMinutes !== undefined) return maxMinutes * 60_000;
  if (plan === undefined) return Number.POSITIVE_INFINITY;
  const requests = plan.requests.reduce((sum, one) => sum + one.requests, 0);
  return 3 * (plan.duration_ms + requests * 1000);
}

interface TimeLimit {
  readonly isLate: () => boolean;
  readonly allowedMs: number;
  /** Aborted when the run ends, by a person or by its limit. */
  readonly signal: AbortSignal;
  end(reason: Ended): void;
}

/** At the end of the time allowed nothing more is begun. */
export function inTime(transport: Transport, { isLate, allowedMs, signal, end }: TimeLimit): Transport {
  return (sent, limits) => {
    if (!isLate()) return transport(sent, limits);
    end(new Ended(`the ${Math.ceil(allowedMs / 60_000)} minutes that the run may take are over`));
    return limits.signal ? Promise.reject(signal.reason) : transport(sent, limits);
  };
}
