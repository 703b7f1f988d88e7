// The events of a run: for `onEvent`, and as lines of `covenant run --json`; the schema is schemas/event.schema.json.
import type { RateClass } from './catalogue/operations.ts';
import type { Level } from './catalogue/requirement.ts';
import type { CaseVerdict, Plan, Report, RunVerdict } from './result.ts';

/** `exhaustion` may begin while cases still run; every other phase ends the one before. */
type Phase = 'probe' | 'cases' | 'exhaustion' | 'clean-up';

type ReportedLevel = Exclude<Level, 'untestable'>;

interface Started {
  readonly event: 'started';
  readonly format: 'covenant-events/1';
  /** The identifier of the run, as in the report and in the names of what it creates. */
  readonly run: string;
  readonly seed: number;
  readonly base_url: string;
  readonly requirements: number;
  readonly cases: number;
}

interface PhaseBegun {
  readonly event: 'phase';
  readonly phase: Phase;
  /** Only on `cases`: the expected cost of the run, after the probe. */
  readonly plan?: Plan;
  /** Only on `clean-up`: how many records and settings are to be undone. */
  readonly things?: number;
  /** Only on `clean-up` of a run: its verdict, unless a reply to the clean-up breaks something. */
  readonly verdict?: RunVerdict;
}

/** A message for people: a wrong credential, a target that does not answer. */
interface Notice {
  readonly event: 'notice';
  readonly message: string;
}

interface CaseStarted {
  readonly event: 'case-started';
  readonly case: string;
  /** The requirements that it judges. */
  readonly requirements: readonly string[];
}

interface CaseFinished {
  readonly event: 'case-finished';
  readonly case: string;
  readonly done: number;
  readonly total: number;
  /** The share of the planned time that the finished cases take, from 0 to 1. */
  readonly share: number;
}

/** A requirement failed; reported at once, and once for each operation. */
export interface Failed {
  readonly event: 'failure';
  readonly requirement: string;
  readonly level: ReportedLevel;
  readonly operation?: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** The last request that shows it. */
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly credential: string;
    readonly status: number;
    readonly request_id?: string;
  };
}

/** The final verdict on a requirement. */
export interface Decided {
  readonly event: 'decided';
  readonly requirement: string;
  readonly level: ReportedLevel;
  readonly verdict: CaseVerdict;
  /** Why it is not tested or inconclusive; the report may know more at the end of the run. */
  readonly reason?: string;
  /** Only if it is observed: the answer. */
  readonly answer?: string;
}

/** Requests wait for an allowance; `until` is the end of the wait. */
export interface Waiting {
  readonly event: 'wait';
  /** The accounts, by the names of their credentials. */
  readonly accounts: readonly string[];
  readonly class: RateClass;
  readonly why: string;
  readonly until: string;
}

/** During the clean-up: one more record was deleted, or could not be. */
interface Cleaned {
  readonly event: 'cleaned';
  readonly done: number;
  readonly total: number;
}

interface Finished {
  readonly event: 'finished';
  readonly verdict: RunVerdict;
  /** Why a run was aborted. */
  readonly reason?: string;
  readonly totals: Report['totals'];
  readonly duration_ms: number;
}

export type Happening =
  | Started
  | PhaseBegun
  | Notice
  | CaseStarted
  | CaseFinished
  | Failed
  | Decided
  | Waiting
  | Cleaned
  | Finished;

/** In the order in which it happens; `at` is the time of the run, ISO 8601 in UTC. */
export type RunEvent = Happening & { readonly at: string };
export type OnEvent = (event: RunEvent) => void;
