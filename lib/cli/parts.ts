// The parts of the command line; tests replace them.
import type { Suite } from '../case.ts';
import type { RateClass } from '../catalogue/operations.ts';
import type { Requirement, Ruling } from '../catalogue/requirement.ts';
import type { Entry } from '../client/ledger.ts';
import type { LiveTransport } from '../client/transports/live.ts';
import type { NetworkSettings } from '../configuration/network.ts';
import type { Settings, Target } from '../configuration/settings.ts';
import type { Probed } from '../doctor/diagnose.ts';
import type { OnEvent } from '../events.ts';
import type { Controls } from '../evidence/controls.ts';
import type { Evidence, SuiteIdentity } from '../evidence/read.ts';
import type { Recording } from '../evidence/record.ts';
import type { Plan, Report, RequirementResult, RunResult } from '../result.ts';
import type { AcceleratedClock, Clock } from '../runtime/clock.ts';

export interface Examination {
  /** Own rules, judged in addition to the suite. */
  readonly own?: readonly Suite[];
  readonly target: Target;
  readonly network: NetworkSettings;
  readonly settings: Settings;
  /** The machine's where absent; it stands still while a request is under way. */
  readonly clock?: AcceleratedClock;
  readonly onEvent: OnEvent;
  /** Aborted where a person stops the run; the report is then partial. */
  readonly signal: AbortSignal;
  /** Stores what the run is about to make before it is sent; absent where nothing outlives the run. */
  readonly record?: (entry: Entry) => void;
  /** Cases, by their titles, that an aborted run has decided. */
  readonly decided?: ReadonlySet<string>;
  /** Of what is planned only these cases are run, by their titles, each as if all were. */
  readonly only?: ReadonlySet<string>;
  /** So long after the cases, in milliseconds, begins what looks again at the end. */
  readonly holdMs?: number;
  /** Hears every few seconds what the report would be if the run were aborted now. */
  readonly onCheckpoint?: (report: Report) => void;
  /** Writes down all that comes in. */
  readonly recording?: Recording;
}

export interface ServeChoices {
  readonly port: number;
  readonly host: string;
  readonly minuteMs: number;
  /** The machine's where absent. */
  readonly clock?: Clock;
  readonly seed?: number;
  /** Requests a minute of every account; each has its tier's where absent. */
  readonly limits?: Readonly<Record<RateClass, number>>;
}

/** A reference that listens: its variables, ready for a `.env`. */
export interface Listening {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface Tested {
  /** Judged on every reply, whichever case asked for it. */
  readonly everyReply: boolean;
  readonly cases: number;
  readonly writes: boolean;
  readonly exhausts: boolean;
}

/** What a failure looks like: one mutant, and its report. */
export interface Example {
  readonly mutant: string;
  readonly report: Report;
  readonly result: RequirementResult;
}

export interface Parts {
  /** Of the package. */
  readonly version: string;
  /** The digest of the catalogue, as in the report. */
  readonly digest: string;
  /** The suite that is installed, with the digest of its code. */
  judge(): { readonly suites: readonly Suite[]; readonly own: SuiteIdentity };
  readonly catalogue: Readonly<Record<string, Requirement>>;
  readonly rulings: Readonly<Record<string, Ruling>>;
  readonly clock: Clock;
  freshSeed(): number;
  /** What the cases of a requirement ask for, by the names of fixtures. */
  needsOf(requirement: string): readonly string[];
  /** How the suite tests a requirement. */
  testOf(requirement: string): Tested;
  /** A failure of the requirement as the laboratory shows it; undefined where it shows none. */
  example(requirement: string): Promise<Example | undefined>;
  /** The operations that the cases of a requirement are about. */
  operationsOf(requirement: string): readonly string[];
  examine(examination: Examination): Promise<RunResult>;
  /** What a run costs at least and at most, before anything is sent. */
  bounds(settings: Settings, target: Target | undefined, minuteMs: number): readonly [least: Plan, most: Plan];
  /** What a run will cost, as a probe has shown the accounts. */
  forecast(settings: Settings, probed: Probed): Promise<Plan>;
  /** The report of a run that sends nothing to the target. */
  dryRun(settings: Settings, target: Target): Promise<Report>;
  /** A way to the target for what is not a run. */
  connect(network: NetworkSettings): LiveTransport;
  /** Which requirements are seen to fail once recorded replies are changed. */
  controls(evidence: Evidence, onShown?: (shown: number) => void): Controls;
  /** OpenAPI 3.1 of the interface, for a server. */
  openapi(baseUrl: string): Readonly<Record<string, unknown>>;
  serve(choices: ServeChoices): Promise<Listening>;
}
