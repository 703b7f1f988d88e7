// A connection to the target for what is not a run: a diagnosis, a clean-up.

import type { Target } from '../configuration/settings.ts';
import type { OnEvent } from '../events.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Connection } from './client.ts';
import { EventStream } from './event-stream.ts';
import type { Ledger } from './ledger.ts';
import { Network } from './network.ts';
import { Pacing } from './pacing.ts';
import { Recorder } from './recorder.ts';
import type { Transport } from './transports/transport.ts';

export interface ConnectionOptions {
  readonly target: Target;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly onEvent?: OnEvent;
}

/** Paced like a run; its replies are not kept. */
export function connect(
  { target, transport, clock, onEvent }: ConnectionOptions,
  ledger: Ledger,
  readOnly: boolean,
): Connection {
  const events = new EventStream(clock, onEvent);
  return {
    target,
    transport,
    clock,
    pacing: new Pacing(clock, target.minuteMs, events.wait),
    recorder: new Recorder(),
    network: new Network(clock, events.notice),
    ledger,
    readOnly,
  };
}
