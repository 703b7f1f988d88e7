// The results of parts of one run as one: what any part judged counts, and a duty of every reply is judged over all of them.
import type {
  CaseResult,
  Failure,
  NetworkHealth,
  Report,
  ReportedExchange,
  RequirementResult,
  Spending,
} from '../result.ts';
import { blamedOn } from '../run/refusals.ts';
import { overall, reasonOf, runVerdict, totalsOf } from '../run/verdict.ts';
import { defined } from '../runtime/defined.ts';
import { grouped } from '../runtime/grouped.ts';

/** What a part of a run found. */
export type Part = Pick<
  Report,
  'requirements' | 'observations' | 'exchanges' | 'budget' | 'residue' | 'traffic' | 'network'
>;

/** A case result that only says where the result is, or that nothing was seen, gives way to one that says more. */
function known(cases: readonly CaseResult[], joined: ReadonlySet<number>): readonly CaseResult[] {
  const here = cases.filter(({ shard }) => shard === undefined || !joined.has(shard));
  const seen = new Set(here.flatMap(({ unseen, operation }) => (unseen ? [] : [operation])));
  const unseen = new Map<string | undefined, CaseResult>();
  for (const one of here) {
    // One that is of no operation says that nothing was seen at all.
    if (!one.unseen || (one.operation === undefined ? seen.size > 0 : seen.has(one.operation))) continue;
    const before = unseen.get(one.operation);
    if (before === undefined || overall([before, one]) !== before.verdict) unseen.set(one.operation, one);
  }
  return here.filter((one) => !one.unseen || unseen.get(one.operation) === one);
}

/** Why it was not judged: the cause where a part knows it, else the reasons of its cases. */
function whyOf(
  verdict: CaseResult['verdict'],
  rows: readonly RequirementResult[],
  cases: readonly CaseResult[],
): Pick<RequirementResult, 'reason' | 'waits_for'> {
  const waiting = verdict === 'not-tested' ? rows.find((row) => row.waits_for !== undefined) : undefined;
  if (waiting) return defined({ reason: waiting.reason, waits_for: waiting.waits_for });
  const without = [...new Set(rows.flatMap(({ reason }) => reason ?? []))].join('; ');
  return defined({ reason: (cases.length === 0 ? without : reasonOf(cases, verdict)) || undefined });
}

/** One requirement as all parts found it; `joined` are the numbers of the shards that are here. */
function joinedRow(
  rows: readonly [RequirementResult, ...RequirementResult[]],
  joined: ReadonlySet<number>,
): RequirementResult {
  const { reason: _, waits_for: __, ...first } = rows[0];
  const cases = known(
    rows.flatMap((row) => row.cases),
    joined,
  );
  const worst = overall(cases);
  // What one case finds not offered may have failed in another.
  if (rows.some(({ verdict }) => verdict === 'observed') && worst !== 'failed') {
    return { ...first, verdict: 'observed', cases: [{ verdict: 'observed', duration_ms: 0 }] };
  }
  const judged = rows.reduce((sum, row) => sum + (row.judged ?? 0), 0);
  return { ...first, verdict: worst, ...whyOf(worst, rows, cases), judged, cases };
}

function rowsOf(parts: readonly Part[], joined: ReadonlySet<number>): readonly RequirementResult[] {
  const rows = parts.flatMap(({ requirements }, run) => requirements.map((row) => renumbered(row, run)));
  return [...grouped(rows, ({ id }) => id).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [joinedRow([first, ...more], joined)],
  );
}

function observationsOf(parts: readonly Part[]): Report['observations'] {
  const byId = new Map<string, Report['observations'][number]>();
  for (const one of parts.flatMap(({ observations }) => observations)) {
    const answers = [byId.get(one.id)?.answer ?? '', one.answer].flatMap((answer) => answer.split('; '));
    byId.set(one.id, { ...one, answer: [...new Set(answers)].filter(Boolean).sort().join('; ') });
  }
  return [...byId.values()];
}

function networkOf(parts: readonly Part[]): NetworkHealth | undefined {
  const known = parts.flatMap(({ network }) => network ?? []);
  if (known.length === 0) return undefined;
  return {
    repeated: known.reduce((sum, { repeated }) => sum + repeated, 0),
    undecided: known.reduce((sum, { undecided }) => sum + undecided, 0),
    troubles: known.flatMap(({ troubles }) => troubles),
    absences: known.flatMap(({ absences }) => absences),
  };
}

/**
 * One report of parts that asked different cases: its terms are those of `base`, its verdict follows from all parts.
 * The order of the requirements is that of the first part.
 */
export function join(base: Report, parts: readonly Part[], joined: ReadonlySet<number>): Report {
  const exchanges = parts.flatMap((part, run) => shifted(part.exchanges, run));
  const requirements = withoutShownBlame(rowsOf(parts, joined), exchanges);
  const totals = totalsOf(requirements);
  const { network: _, plan: __, ...rest } = base;
  return {
    ...rest,
    verdict: base.verdict === 'aborted' ? 'aborted' : runVerdict(totals),
    totals,
    requirements,
    observations: observationsOf(parts),
    exchanges,
    budget: spendingOf(parts),
    residue: parts.flatMap(({ residue }) => residue),
    traffic: parts.flatMap(({ traffic }) => traffic),
    ...defined({ network: networkOf(parts) }),
  };
}

/** The operations at which requirements failed, each with the first that did. */
function shownBy(
  rows: readonly RequirementResult[],
  exchanges: readonly ReportedExchange[],
): ReadonlyMap<string, string> {
  const operationOf = new Map(exchanges.map(({ id, operation }) => [id, operation]));
  const shown = new Map<string, string>();
  for (const { id, cases } of rows.filter((row) => row.id !== blamedOn)) {
    const failed = cases.filter(({ verdict }) => verdict === 'failed');
    const operations = failed.flatMap(({ operation, failure }) => [
      operation,
      ...(failure?.exchanges ?? []).map((exchange) => operationOf.get(exchange)),
    ]);
    for (const operation of operations) {
      if (operation !== undefined && !shown.has(operation)) shown.set(operation, id);
    }
  }
  return shown;
}

/** Waits for what shows the refusal, and no longer for what does not fail any more. */
const waitingFor = (row: RequirementResult, cause: string): RequirementResult =>
  row.waits_for === blamedOn ? { ...row, waits_for: cause, reason: (row.reason ?? '').replace(blamedOn, cause) } : row;

/** Each part blames what nothing in it shows; over all parts a refusal is blamed once, and only where no failure is of its operation. */
function withoutShownBlame(
  rows: readonly RequirementResult[],
  exchanges: readonly ReportedExchange[],
): readonly RequirementResult[] {
  const shown = shownBy(rows, exchanges);
  const blamed = new Set<string | undefined>();
  const stays = ({ verdict, operation }: CaseResult): boolean => {
    if (verdict !== 'failed') return true;
    const again = blamed.has(operation) || shown.has(operation ?? '');
    blamed.add(operation);
    return !again;
  };
  const row = rows.find(({ id }) => id === blamedOn);
  if (row?.verdict !== 'failed') return rows;
  const cases = row.cases.filter(stays);
  const verdict = overall(cases);
  const [cause] = row.cases.flatMap(({ operation }) => shown.get(operation ?? '') ?? []);
  const kept = rows.map((one) => (one === row ? { ...row, verdict, cases } : one));
  return verdict === 'failed' || cause === undefined ? kept : kept.map((one) => waitingFor(one, cause));
}

/** Exchanges of the runs after the first get numbers of their own. */
const stride = 1_000_000;

const failureOf = (failure: Failure, by: number): Failure => ({
  ...failure,
  exchanges: failure.exchanges.map((id) => id + by),
  ...(failure.steps && { steps: failure.steps.map((step) => ({ ...step, exchange: step.exchange + by })) }),
});

/** The requirement as run number `run` found it, counted from 0. */
export const renumbered = (row: RequirementResult, run: number): RequirementResult => ({
  ...row,
  cases: row.cases.map((one) =>
    one.failure === undefined ? one : { ...one, failure: failureOf(one.failure, run * stride) },
  ),
});

/** The exchanges of run number `run`; `after` is compared with their numbers, so it moves along. */
export const shifted = (some: readonly ReportedExchange[], run: number): ReportedExchange[] =>
  some.map((one) => ({
    ...one,
    id: one.id + run * stride,
    ...(one.after === undefined ? {} : { after: one.after + run * stride }),
  }));

/** What all runs sent, by account and class. */
export function spendingOf(reports: readonly Pick<Report, 'budget'>[]): Spending[] {
  const budgets = new Map<string, Spending>();
  for (const one of reports.flatMap(({ budget }) => budget)) {
    const key = `${one.class} ${one.account}`;
    const before = budgets.get(key) ?? { ...one, sent: 0, throttled: 0 };
    budgets.set(key, { ...one, sent: before.sent + one.sent, throttled: before.throttled + one.throttled });
  }
  return [...budgets.values()];
}
