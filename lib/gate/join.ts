// The results of parts of one run as one: what any part judged counts, and a duty of every reply is judged over all of them.
import type { CaseResult, NetworkHealth, Report, RequirementResult } from '../result.ts';
import { overall, runVerdict, totalsOf } from '../run/verdict.ts';
import { defined } from '../runtime/defined.ts';
import { grouped } from '../runtime/grouped.ts';
import { withoutShownBlame } from './blame.ts';
import { renumbered, shifted, spendingOf } from './renumbered.ts';

/** What a part of a run found. */
export type Part = Pick<
  Report,
  'requirements' | 'observations' | 'exchanges' | 'budget' | 'residue' | 'latency' | 'traffic' | 'tokens' | 'network'
>;

/** A case result that only says where the result is, or that nothing was seen, gives way to one that says more. */
function known(cases: readonly CaseResult[], joined: ReadonlySet<number>): readonly CaseResult[] {
  const here = cases.filter(({ shard }) => shard === undefined || !joined.has(shard));
  const seen = new Set(here.flatMap(({ unseen, operation }) => (unseen ? [] : [operation])));
  const unseen = new Map<string | undefined, CaseResult>();
  for (const one of here) {
    if (!one.unseen || seen.has(one.operation)) continue;
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
  const reasons = cases.flatMap((one) => (one.verdict === verdict && one.reason !== undefined ? [one.reason] : []));
  const without = cases.length === 0 ? rows.flatMap(({ reason }) => reason ?? []) : [];
  return defined({ reason: [...new Set([...reasons, ...without])].join('; ') || undefined });
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
  const requirements = withoutShownBlame(
    rowsOf(parts, joined),
    parts.flatMap(({ exchanges }, run) => shifted(exchanges, run)),
  );
  const totals = totalsOf(requirements);
  const tokens = Object.fromEntries(parts.flatMap((part) => Object.entries(part.tokens ?? {})));
  const { tokens: _, network: __, plan: ___, ...rest } = base;
  return {
    ...rest,
    verdict: base.verdict === 'aborted' ? 'aborted' : runVerdict(totals),
    totals,
    requirements,
    observations: observationsOf(parts),
    exchanges: parts.flatMap(({ exchanges }, run) => shifted(exchanges, run)),
    budget: spendingOf(parts),
    residue: parts.flatMap(({ residue }) => residue),
    latency: parts.flatMap(({ latency }) => latency),
    traffic: parts.flatMap(({ traffic }) => traffic),
    ...defined({ network: networkOf(parts) }),
    ...(Object.keys(tokens).length > 0 ? { tokens } : {}),
  };
}
