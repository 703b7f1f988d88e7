// Finishes the clean-up of a run that was killed: from its ledger, with the credentials that are configured now.
import { cleanUp } from './cleanup.ts';
import { Client, type Line } from './client.ts';
import type { Clock } from './clock.ts';
import type { Ledger } from './ledger.ts';
import type { RunListener } from './listener.ts';
import { Pacing } from './pacing.ts';
import { Recorder } from './recorder.ts';
import { Secrets } from './secrets.ts';
import type { CredentialName, Target } from './settings.ts';
import { look } from './standing.ts';
import type { Transport } from './transport/transport.ts';

export interface Later {
  readonly target: Target;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly listener?: RunListener;
}

/** Rejects with `Aborted` where the target cannot be reached or refuses the primary key; the ledger shows what is left. */
export async function cleanUpLater({ target, transport, clock, listener = {} }: Later, ledger: Ledger): Promise<void> {
  const line: Line = {
    target,
    transport,
    clock,
    pacing: new Pacing(clock, target.minuteMs, (wait) => listener.onWait?.(wait)),
    recorder: new Recorder(),
    ledger,
    readOnly: false,
  };
  const standings = await look(line, new Secrets());
  await cleanUp(ledger, (name) => {
    const credential = standings.get(name as CredentialName)?.credential;
    return credential && new Client(line, credential, 'clean-up');
  });
}
