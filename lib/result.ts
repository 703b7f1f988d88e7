// The shape of report.json, format covenant-report/1; its schema is schemas/report.schema.json.

import type { RateClass } from './catalogue/operations.ts';
import type { Area, Level } from './catalogue/requirement.ts';

export type CaseVerdict = 'passed' | 'failed' | 'not-tested' | 'inconclusive' | 'observed';
export type RunVerdict = 'conformant' | 'non-conformant' | 'incomplete' | 'aborted';

/** One expectation that did not hold: expected before received, and what shows it. */
export interface Failure {
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
  /** The smallest input found that shows it, with the seed and path that find it again. */
  readonly counterexample?: unknown;
  /** Identifiers in `exchanges`. */
  readonly exchanges: readonly number[];
  readonly curl: readonly string[];
  /**
   * What has to be sent to see it again, in this order: what makes the records it uses, what led there, and what shows it.
   * Where several were under way together, `after` of their exchanges says so.
   */
  readonly steps?: readonly { readonly exchange: number }[];
}

export interface CaseResult {
  readonly operation?: string;
  readonly verdict: CaseVerdict;
  readonly reason?: string;
  readonly duration_ms: number;
  readonly failure?: Failure;
  /** The case that judged it, by its title; absent on what all replies show. */
  readonly case?: string;
  /** Left to the shard of this number. */
  readonly shard?: number;
  /** No reply of the operation was seen. */
  readonly unseen?: true;
}

export interface RequirementResult {
  readonly id: string;
  readonly level: Exclude<Level, 'untestable'>;
  readonly area: Area | 'own';
  readonly section: string;
  readonly statement: string;
  readonly verdict: CaseVerdict;
  readonly reason?: string;
  /** Not tested because a reply broke this requirement, which failed; the reason says so too. */
  readonly waits_for?: string;
  readonly impact?: string;
  readonly rulings?: readonly string[];
  /** Where it was run several times: in how many runs it failed, and with which seeds; its verdict is the worst of all. */
  readonly repeated?: {
    readonly runs: number;
    readonly failed: number;
    readonly undecided: number;
    readonly seeds: readonly number[];
  };
  /** How many exchanges could have failed it; absent in reports of earlier versions. A passed one has at least one. */
  readonly judged?: number;
  readonly cases: readonly CaseResult[];
}

interface Observation {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

/** Bodies are text as it went over the wire, secrets replaced by their names. */
export interface ReportedExchange {
  readonly id: number;
  readonly at: string;
  readonly duration_ms: number;
  /** How many replies the run had when this was sent: earlier ones with a greater `id` were under way beside it. */
  readonly after?: number;
  readonly operation?: string;
  /** The case on whose behalf it was sent, by its title; absent on what the run itself asks at its start and end. */
  readonly case?: string;
  /** The requirements that this case judges. */
  readonly requirements?: readonly string[];
  /** It was sent to see what the document leaves open. */
  readonly undocumented?: true;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly credential: string;
    readonly body?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

export interface Spending {
  /** The account's pool by the name of the credential that stands for it, never its identifier or key. */
  readonly account: string;
  readonly class: RateClass;
  /** Requests a minute that the run allowed itself; null where it kept to none. */
  readonly limit: number | null;
  /** By the credentials of this account, or by none that is valid; each request of a run is counted once. */
  readonly sent: number;
  /** 429s that no case asked for. */
  readonly throttled: number;
}

/** Requests sent in each slice of the run, for the chart against the limits. */
export interface Traffic {
  readonly account: string;
  readonly class: RateClass;
  readonly slice_ms: number;
  readonly sent: readonly number[];
}

/** How the way to the target was: what was lost or came from somewhere else, and when. */
export interface NetworkHealth {
  /** Requests that were sent again for it. */
  readonly repeated: number;
  /** Judgements that it left open. */
  readonly undecided: number;
  readonly troubles: readonly {
    readonly what: string;
    readonly count: number;
    readonly first_at: string;
    readonly last_at: string;
  }[];
  /** Times in which the target answered nothing; `until` is null where it stayed away. */
  readonly absences: readonly { readonly from: string; readonly until: string | null }[];
}

/** What a run was expected to cost before it began, found by a dry run against the bundled reference. */
export interface Plan {
  readonly requests: readonly { readonly account: string; readonly class: RateClass; readonly requests: number }[];
  /** Records that stay because the interface offers no way to delete them. */
  readonly residue: readonly { readonly kind: string; readonly count: number }[];
  /** Lower bound of the time under the limits, in milliseconds: waiting only, replies take no time. */
  readonly duration_ms: number;
}

/** What the run created or changed and the interface offers no way to take back. */
export interface Residue {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

export interface JudgedTotals {
  readonly passed: number;
  readonly failed: number;
  readonly not_tested: number;
  readonly inconclusive: number;
}

interface Untestable {
  readonly id: string;
  readonly area: Area;
  readonly section: string;
  readonly statement: string;
  readonly reason: string;
}

/** What is not judged because the profile leaves it out by declaration. */
type OutOfScope = Pick<RequirementResult, 'id' | 'level' | 'area' | 'section' | 'statement'>;

/** A failure that a team has accepted for a time. It lets the gate pass, and makes no verdict conformant. */
export interface Waived {
  readonly requirement: string;
  /** Absent: all operations. */
  readonly operation?: string;
  readonly reason: string;
  readonly owner: string;
  readonly link?: string;
  /** The last day on which it holds, in UTC: YYYY-MM-DD. */
  readonly expires: string;
  /**
   * `applied`: it covers a failure of this run; `idle`: what it is about was not judged; `expired`; `stale`: what it is
   * about was tested and holds. The last two fail the gate.
   */
  readonly state: 'applied' | 'idle' | 'expired' | 'stale';
  /** The state in a sentence, with what to do where something is to be done. */
  readonly note?: string;
}

/** What was selected: the flags as given; `null` where nothing was filtered. */
export interface RunOptions {
  readonly area: readonly string[] | null;
  readonly requirement: readonly string[] | null;
  readonly read_only: boolean;
  readonly exhaustion: boolean;
  readonly allow_incomplete: boolean;
  /** A failed SHOULD fails the gate; absent where it is a warning. */
  readonly strict?: true;
  readonly concurrency: number;
  readonly effort: string;
  /** Which part of the interface the target declares to offer. */
  readonly profile: string;
  /** Runs with consecutive seeds that this result joins; absent where there was one. */
  readonly repeat?: number;
  /** Only this part of the cases was run; absent where all were. */
  readonly shard?: { readonly index: number; readonly of: number };
}

export interface Report {
  readonly format: 'covenant-report/1';
  readonly suite: { readonly version: string; readonly catalogue: string };
  readonly target: { readonly base_url: string; readonly api_path: '/api/external/v2'; readonly interface: '2026-03' };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly started_at: string;
    readonly finished_at: string;
    readonly duration_ms: number;
    readonly minute_ms: number;
    /** So many times as fast as the machine's ran the clock of these times, of exchanges and of traffic, while no request was under way; absent where it was the machine's. */
    readonly clock_rate?: number;
    readonly options: RunOptions;
    /** The runs that this result joins, one a shard; absent where there was one run. */
    readonly shards?: readonly string[];
    /** Of a run that was aborted: the cases that were decided before, by their titles. */
    readonly decided?: readonly string[];
    /** The aborted run that this one went on with. */
    readonly resumes?: string;
  };
  readonly verdict: RunVerdict;
  /** Why a run was aborted. */
  readonly reason?: string;
  readonly totals: {
    readonly must: JudgedTotals;
    readonly should: JudgedTotals;
    readonly observe: { readonly observed: number; readonly not_tested: number };
  };
  readonly requirements: readonly RequirementResult[];
  readonly observations: readonly Observation[];
  /** Rules of one's own, which no total and no verdict counts; absent where there are none. */
  readonly own?: {
    readonly totals: Report['totals'];
    readonly requirements: readonly RequirementResult[];
    readonly observations: readonly Observation[];
  };
  readonly exchanges: readonly ReportedExchange[];
  readonly budget: readonly Spending[];
  readonly residue: readonly Residue[];
  readonly untestable: readonly Untestable[];
  /** Absent in the full profile. */
  readonly out_of_scope?: readonly OutOfScope[];
  readonly traffic: readonly Traffic[];
  readonly plan?: Plan;
  /** Present where something was lost, suspect or away. */
  readonly network?: NetworkHealth;
  /** Present where the run was given waivers. */
  readonly waivers?: readonly Waived[];
}

/** What a run yields: the report, and every exchange, of which the report keeps those that it points at. */
export interface RunResult {
  readonly report: Report;
  readonly transcript: readonly ReportedExchange[];
}
