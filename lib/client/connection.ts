// A connection to the target for what is not a run: a diagnosis, a clean-up.

import type { Target } from '../configuration/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Connection } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { RunListener } from './listener.ts';
import { Network } from './network.ts';
import { Pacing } from './pacing.ts';
import { Recorder } from './recorder.ts';
import type { Transport } from './transports/transport.ts';

export interface ConnectionOptions {
  readonly target: Target;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly listener?: RunListener;
}

/** Paced like a run; its replies are not kept. */
export const connect = (
  { target, transport, clock, listener }: ConnectionOptions,
  ledger: Ledger,
  readOnly: boolean,
): Connection => ({
  target,
  transport,
  clock,
  pacing: new Pacing(clock, target.minuteMs, (wait) => listener?.onWait?.(wait)),
  recorder: new Recorder(),
  network: new Network(clock, (notice) => listener?.onNotice?.(notice)),
  ledger,
  readOnly,
});
