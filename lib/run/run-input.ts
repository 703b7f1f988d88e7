// The input of a run.
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
  /** Called with every event, in order; must not throw. */
  readonly onEvent?: OnEvent;
  /** Aborted: no further case starts, the clean-up runs, and the report is partial. */
  readonly signal?: AbortSignal;
  /** Reports that nothing is in progress any more. */
  readonly onStandstill?: OnStandstill;
  /** Cases in a seeded random order, to show that the order does not matter. */
  readonly shuffled?: boolean;
  /** Stores what the run is about to create, before it is sent; returns when it is stored. */
  readonly record?: (entry: Entry) => void;
  /** Titles of cases that an aborted run has decided: they do not run again. */
  readonly decided?: ReadonlySet<string>;
  /** Gets every few seconds the report as it would be if the run were aborted now. */
  readonly onCheckpoint?: (report: Report) => void;
  /** Runs only these cases of the plan, by title, each as if all ran. */
  readonly only?: ReadonlySet<string>;
  /** Milliseconds between the cases and the reads at the end of the run. */
  readonly holdMs?: number;
  /** Gets all exchanges once they have been judged, and a function that writes texts as they were sent. */
  readonly onHistory?: (history: RecordedHistory, written: (text: string) => string) => void;
  /** Holds the secrets of the run, for a recorder; default: the run's own. */
  readonly secrets?: Secrets;
}
