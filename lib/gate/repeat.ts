// Several runs of the same requirements as one result: k of n is reported, the worst verdict stands, and nothing is retried to green.
import type { Plan, Report, RequirementResult, RunResult } from '../result.ts';
import { overall, runVerdict, totalsOf } from '../run/verdict.ts';
import { defined } from '../runtime/defined.ts';
import { grouped } from '../runtime/grouped.ts';
import { renumbered, shifted, spendingOf } from './join.ts';

interface FoundRow {
  readonly row: RequirementResult;
  readonly run: number;
  readonly seed: number;
}

function sentence({ runs, failed, undecided, seeds }: NonNullable<RequirementResult['repeated']>): string {
  const open = undecided === 0 ? '' : `, not judged in ${undecided}`;
  if (failed === runs) return `failed in each of ${runs} runs`;
  if (failed === 0) return `failed in none of ${runs} runs${open}`;
  return `unstable: failed in ${failed} of ${runs} runs${open} (--seed ${seeds.join(', ')})`;
}

/** The worst of all runs, with how often it failed. */
function together(found: readonly [FoundRow, ...FoundRow[]]): RequirementResult {
  const worst = overall(found.map(({ row }) => row));
  const { row, run } = found.find((one) => one.row.verdict === worst) ?? found[0];
  const failing = found.filter((one) => one.row.verdict === 'failed');
  const undecided = found.filter((one) => ['not-tested', 'inconclusive'].includes(one.row.verdict)).length;
  const repeated = { runs: found.length, failed: failing.length, undecided, seeds: failing.map(({ seed }) => seed) };
  const reason = row.level === 'observe' ? row.reason : [sentence(repeated), row.reason].filter(Boolean).join('; ');
  return { ...renumbered(row, run), repeated, ...defined({ reason }) };
}

function rowsOf(reports: readonly Report[]): RequirementResult[] {
  const found = reports.flatMap(({ requirements, run: { seed } }, run) =>
    requirements.map((row): FoundRow => ({ row, run, seed })),
  );
  return [...grouped(found, ({ row }) => row.id).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [together([first, ...more])],
  );
}

function reportOf(reports: readonly [Report, ...Report[]]): Report {
  const [first] = reports;
  const last = reports.at(-1) ?? first;
  const aborted = reports.find(({ verdict }) => verdict === 'aborted');
  const requirements = rowsOf(reports);
  const totals = totalsOf(requirements);
  return {
    ...first,
    run: {
      ...first.run,
      finished_at: last.run.finished_at,
      duration_ms: reports.reduce((sum, { run }) => sum + run.duration_ms, 0),
      options: { ...first.run.options, repeat: reports.length },
    },
    verdict: aborted ? 'aborted' : runVerdict(totals),
    ...defined({ reason: aborted?.reason }),
    totals,
    requirements,
    exchanges: reports.flatMap(({ exchanges }, run) => shifted(exchanges, run)),
    budget: spendingOf(reports),
    residue: reports.flatMap(({ residue }) => residue),
    ...defined({ plan: first.plan && planTimes(first.plan, reports.length) }),
  };
}

/** Observations, latency and traffic are those of the first run. */
export function repeatedResult(results: readonly [RunResult, ...RunResult[]]): RunResult {
  const [first, ...more] = results;
  if (more.length === 0) return first;
  return {
    report: reportOf([first.report, ...more.map(({ report }) => report)]),
    get transcript() {
      return results.flatMap(({ transcript }, run) => shifted(transcript, run));
    },
  };
}

/** The plan of so many runs. */
export const planTimes = (plan: Plan, times: number): Plan => ({
  requests: plan.requests.map((one) => ({ ...one, requests: one.requests * times })),
  residue: plan.residue.map((one) => ({ ...one, count: one.count * times })),
  duration_ms: plan.duration_ms * times,
});
