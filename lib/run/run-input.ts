// What a run is given.
import type { Suite } from '../case.ts';
import type { Entry } from '../client/ledger.ts';
import type { RecordedHistory } from '../client/recorder.ts';
import type { Transport } from '../client/transports/transport.ts';
import type { Settings, Target } from '../configuration/settings.ts';
import type { OnEvent } from '../events.ts';
import type { Report } from '../result.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { OnStandstill } from './schedule.ts';

export interface RunInput {
  readonly suites: readonly Suite[];
  readonly target: Target;
  readonly settings: Settings;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Called with everything that happens, in its order; it must not throw. */
  readonly onEvent?: OnEvent;
  /** Aborted: no further case is begun, what was made is taken back, and the report is partial. */
  readonly signal?: AbortSignal;
  /** Says that nothing is under way any more; absent: nobody would know. */
  readonly onStandstill?: OnStandstill;
  /** Cases in a seeded random order, to show that the order does not matter. */
  readonly shuffled?: boolean;
  /** Stores what the run is about to make, before it is sent; returns when it is stored. */
  readonly record?: (entry: Entry) => void;
  /** Cases, by their titles, that an aborted run has decided: they are not run again. */
  readonly decided?: ReadonlySet<string>;
  /** Hears every few seconds what the report would be if the run were aborted now. */
  readonly onCheckpoint?: (report: Report) => void;
  /** Of what is planned only these cases are run, by their titles, each as if all were. */
  readonly only?: ReadonlySet<string>;
  /** So long after the cases, in milliseconds, begins what looks again at the end. */
  readonly holdMs?: number;
  /** Gets all that was exchanged, when it has been judged, with a function that writes texts as they went over the wire. */
  readonly onHistory?: (history: RecordedHistory, written: (text: string) => string) => void;
  /** Where the run keeps its secrets, for whoever records it; one of its own if absent. */
  readonly secrets?: Secrets;
}
