// Builds the report from the findings; every decision is made in verdict.ts.
import { catalogue, catalogueDigest, type RequirementId } from '../catalogue/index.ts';
import { apiPath } from '../catalogue/operations.ts';
import { defaultProfile } from '../catalogue/profiles.ts';
import type { Difference } from '../client/errors.ts';
import type { Pacing } from '../client/pacing.ts';
import { type Reply, wasAccepted } from '../client/reply.ts';
import type { Settings, Target } from '../configuration/settings.ts';
import { restsOn, withSteps } from '../reproduce/slice.ts';
import type {
  CaseResult,
  Failure,
  NetworkHealth,
  Plan,
  Report,
  ReportedExchange,
  RequirementResult,
  Residue,
  RunOptions,
  RunResult,
} from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { computedOnce } from '../runtime/grouped.ts';
import { version } from '../runtime/version.ts';
import type { Derivation } from '../secrets/derivation.ts';
import { answerOf, judgedOf } from './decisions.ts';
import { type Finding, type Findings, levelOf } from './findings.ts';
import { apart, isOwn } from './own-rules.ts';
import { type Clean, cleaned, reported } from './redact.ts';
import { requirementIds, type Selection } from './selection.ts';
import { overall, runVerdict, totalsOf } from './verdict.ts';

export interface RunRecord {
  readonly target: Target;
  readonly settings: Settings;
  readonly runId: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly findings: Findings;
  readonly replies: readonly Reply[];
  /** By duty: every reply that broke it. */
  readonly broken: ReadonlyMap<RequirementId, readonly Reply[]>;
  readonly selection: Pick<Selection, 'titles' | 'outOfScope'>;
  readonly pacing: Pacing;
  readonly residue: readonly Residue[];
  readonly network: Omit<NetworkHealth, 'undecided'> | undefined;
  readonly plan?: Plan;
  /** Present where the run was aborted. */
  readonly aborted?: string;
  /** The cases that were decided before the abort. */
  readonly decided?: readonly string[];
}

const iso = (ms: number): string => new Date(ms).toISOString();
function failureOf({ message, expected, actual, counterexample, replies = [] }: Difference): Failure {
  return {
    message,
    expected,
    actual: actual ?? null,
    ...defined({ counterexample }),
    exchanges: replies.map(({ id }) => id),
    curl: [],
  };
}

const caseResult = ({ verdict, reason, operation, durationMs, difference, ...more }: Finding): CaseResult =>
  defined({
    operation: operation ?? difference?.replies?.at(-1)?.operation,
    verdict,
    reason,
    duration_ms: durationMs,
    failure: difference && failureOf(difference),
    case: more.case,
    shard: more.shard,
    unseen: more.unseen,
  });

/** The failed requirement that it waits for, if it was not tested because of a reply that broke one. */
function waiting(
  id: RequirementId,
  findings: Findings,
  causes: Causes,
): Pick<RequirementResult, 'reason' | 'waits_for'> {
  const { verdict, reason } = judgedOf(id, findings);
  if (verdict !== 'not-tested') return defined({ reason });
  const replies = findings.of(id).flatMap((one) => (one.verdict === verdict ? (one.replies ?? []) : []));
  const cause = causes.behind(replies, id);
  return cause === undefined
    ? defined({ reason })
    : { reason: `waits for ${cause}, which does not hold: ${reason}`, waits_for: cause };
}

function resultOf(id: RequirementId, findings: Findings, causes: Causes): RequirementResult {
  const { area, section, statement, impact, rulings } = findings.rows[id];
  const judged = { ...judgedOf(id, findings), ...waiting(id, findings, causes) };
  const observed = judged.verdict === 'observed';
  return {
    id,
    level: levelOf(id, findings),
    area,
    section,
    statement,
    ...judged,
    judged: findings.judgedOn(id),
    ...defined({ impact, rulings }),
    cases: observed ? [{ verdict: 'observed', duration_ms: 0 }] : findings.of(id).map(caseResult),
  };
}

const optionsOf = (settings: Settings): RunOptions => ({
  area: settings.areas ?? null,
  requirement: settings.requirements ?? null,
  read_only: settings.readOnly,
  exhaustion: settings.exhaustion,
  allow_incomplete: settings.allowIncomplete,
  concurrency: settings.concurrency,
  effort: settings.effort,
  profile: settings.profile ?? defaultProfile,
  ...defined({ strict: settings.strict, shard: settings.shard }),
});

function untestableRows(): Report['untestable'] {
  return requirementIds.flatMap((id) => {
    const { level, area, section, statement, reason = '' } = catalogue[id];
    return level === 'untestable' ? [{ id, area, section, statement, reason }] : [];
  });
}

function outOfScopeRows(findings: Findings, ids: readonly RequirementId[]): Report['out_of_scope'] {
  if (ids.length === 0) return undefined;
  return ids.map((id) => {
    const { area, section, statement } = findings.rows[id];
    return { id, level: levelOf(id, findings), area, section, statement };
  });
}

function observationsOf(findings: Findings, ids: readonly RequirementId[]): Report['observations'] {
  return ids.flatMap((id) => {
    const answer = answerOf(id, findings);
    return answer === undefined ? [] : [{ id, question: findings.rows[id].statement, answer }];
  });
}

/** How many requirements are open because of the network. */
const undecidedBy = (findings: Findings, ids: readonly RequirementId[]): number =>
  ids.filter((id) => {
    const found = findings.of(id);
    return overall(found) === 'inconclusive' && found.some(({ undecided }) => undecided);
  }).length;

function reportOf(record: RunRecord, ids: readonly RequirementId[]): Report {
  const { findings, settings, target, startedAt, finishedAt } = record;
  const causes = new Causes(findings, record.broken);
  const requirements = ids.map((id) => resultOf(id, findings, causes));

  const totals = totalsOf(requirements.filter(({ id }) => !isOwn(id)));
  return {
    format: 'covenant-report/1',
    suite: { version, catalogue: catalogueDigest() },
    target: { base_url: target.baseUrl, api_path: apiPath, interface: '2026-03' },
    run: {
      id: record.runId,
      seed: settings.seed,
      started_at: iso(startedAt),
      finished_at: iso(finishedAt),
      duration_ms: finishedAt - startedAt,
      minute_ms: target.minuteMs,
      options: optionsOf(settings),
      ...defined({ clock_rate: target.clockRate, decided: record.decided }),
    },
    verdict: record.aborted === undefined ? runVerdict(totals) : 'aborted',
    ...defined({ reason: record.aborted }),
    totals,
    requirements,
    observations: observationsOf(findings, ids),
    exchanges: [],
    budget: record.pacing.spending(),
    residue: record.residue,
    untestable: untestableRows(),
    traffic: record.pacing.traffic(startedAt, finishedAt),
    ...defined({
      out_of_scope: outOfScopeRows(findings, record.selection.outOfScope),
      plan: record.plan,
      network: record.network && { ...record.network, undecided: undecidedBy(findings, ids) },
    }),
  };
}

/**
 * The verdict of each requirement without evidence: all that the laboratory needs of most runs. Its reasons may contain
 * secrets, because cleaning costs more than everything else here: it is for servers whose secrets are invented.
 */
export interface Brief {
  readonly verdict: Report['verdict'];
  /** Why the run was aborted. */
  readonly reason?: string;
  readonly requirements: readonly Pick<RequirementResult, 'id' | 'level' | 'verdict' | 'reason'>[];
  readonly requests: number;
}

export function briefOf({ findings, aborted, replies }: Pick<RunRecord, 'findings' | 'aborted' | 'replies'>): Brief {
  const ids = [...findings.ids];
  const requirements = ids.map((id) => ({ id, level: levelOf(id, findings), ...judgedOf(id, findings) }));
  return {
    verdict: aborted === undefined ? runVerdict(totalsOf(requirements)) : 'aborted',
    ...defined({ reason: aborted }),
    requirements,
    requests: replies.length,
  };
}

/** The results of a run, each computed on demand. */
export interface BuiltReport extends RunResult {
  readonly brief: Brief;
}

/** Adds to failures the commands that show them again, and keeps only the exchanges that something refers to. */
function withEvidence(
  report: Report,
  shownOf: (reply: Reply) => ReportedExchange,
  { findings, replies }: RunRecord,
  derivations: ReadonlyMap<string, Derivation>,
): Report {
  // The steps to a failure are searched in all exchanges, which costs a tenth of a run.
  const failed = report.requirements.some(({ cases }) => cases.some(({ failure }) => failure !== undefined));
  const shown = failed ? withSteps(report, replies.map(shownOf), Object.fromEntries(derivations)) : report;
  const failures = shown.requirements.flatMap(({ cases }) => cases.flatMap(({ failure }) => failure ?? []));
  const pointedAt = new Set([
    ...failures.flatMap(restsOn),
    ...shown.observations.flatMap(
      ({ id }) => findings.answer(id as RequirementId)?.replies.map((reply) => reply.id) ?? [],
    ),
  ]);
  return { ...shown, exchanges: replies.filter(({ id }) => pointedAt.has(id)).map(shownOf) };
}

/** Removes every known secret, except from `brief`. */
export function buildReport(
  record: RunRecord,
  clean: Clean,
  derivations: ReadonlyMap<string, Derivation>,
): BuiltReport {
  const ids = [...record.findings.ids];
  const titles = new Map([...record.selection.titles].map(([one, title]) => [title, one]));
  const shownOf = computedOnce((reply: Reply) => reported(reply, titles, clean));
  let report: Report | undefined;
  return {
    get report() {
      report ??= apart(withEvidence(cleaned(clean, reportOf(record, ids)), shownOf, record, derivations));
      return report;
    },
    get brief() {
      return briefOf(record);
    },
    get transcript() {
      return record.replies.map(shownOf);
    },
  };
}

class Causes {
  /** The replies that broke each failed requirement; MUSTs first, then in the order of the document. */
  private readonly broken: readonly (readonly [RequirementId, readonly Reply[]])[];

  /** `seen` has the replies found by the monitors, of which the findings keep a few. */
  constructor(findings: Findings, seen: ReadonlyMap<RequirementId, readonly Reply[]>) {
    const failed = [...findings.ids].flatMap((id): [RequirementId, readonly Reply[]][] => {
      const replies = findings.of(id).flatMap(({ difference }) => difference?.replies ?? []);
      const all = [...replies, ...(seen.get(id) ?? [])];
      return all.length === 0 || !findings.ids.has(id) ? [] : [[id, all]];
    });
    const isMust = ([id]: (typeof failed)[number]): boolean => findings.rows[id].level === 'must';
    this.broken = [...failed.filter(isMust), ...failed.filter((one) => !isMust(one))];
  }

  /** The requirement that those replies broke; of refusals, what an equal refusal of the operation broke. */
  behind(replies: readonly Reply[], self: RequirementId): RequirementId | undefined {
    const ids = new Set(replies.map(({ id }) => id));
    const isLike = (other: Reply): boolean =>
      replies.some((one) => !wasAccepted(one) && one.operation === other.operation && one.status === other.status);
    const others = this.broken.filter(([id]) => id !== self);
    const exact = others.find(([, shown]) => shown.some(({ id }) => ids.has(id)));
    return (exact ?? others.find(([, shown]) => shown.some(isLike)))?.[0];
  }
}
