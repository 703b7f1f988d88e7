// A line to the target for what is no run: a diagnosis, a clean-up.

import type { Target } from '../configuration/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Line } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { RunListener } from './listener.ts';
import { Pacing } from './pacing.ts';
import { Recorder } from './recorder.ts';
import type { Transport } from './transports/transport.ts';

export interface Connection {
  readonly target: Target;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly listener?: RunListener;
}

/** Paced like a run, and recorded by nobody. */
export const lineTo = (
  { target, transport, clock, listener }: Connection,
  ledger: Ledger,
  readOnly: boolean,
): Line => ({
  target,
  transport,
  clock,
  pacing: new Pacing(clock, target.minuteMs, (wait) => listener?.onWait?.(wait)),
  recorder: new Recorder(),
  ledger,
  readOnly,
});
