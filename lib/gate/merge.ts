// The reports of the shards of one run, of a run that was cut off and gone on with, or of repeated runs, as one report with one verdict.
import { UsageError } from '../configuration/settings.ts';
import type { Plan, Report, RequirementResult, RunResult } from '../result.ts';
import { overall, runVerdict, totalsOf } from '../run/verdict.ts';
import { defined } from '../runtime/defined.ts';
import { grouped } from '../runtime/grouped.ts';
import { terms } from './changes.ts';
import { join, type Part, renumbered, shifted, spendingOf } from './join.ts';

/** A report, and the file that it is from. */
export interface Named {
  readonly file: string;
  readonly report: Report;
}

interface ShardReport extends Named {
  readonly index: number;
  readonly of: number;
}

function shardOf({ file, report }: Named): ShardReport {
  const { shard } = report.run.options;
  if (shard === undefined) {
    throw new UsageError(`${file} is not of a shard; run each part with --shard, for example --shard 1/3 --seed 7.`);
  }
  return { file, report, ...shard };
}

const number = {
  what: 'the number of shards',
  of: ({ run: { options } }: Report): string => String(options.shard?.of),
};

function checkTerms(first: ShardReport, other: ShardReport): void {
  for (const { what, of } of [number, ...terms.filter((term) => term.what !== 'the shard')]) {
    const [there, here] = [of(first.report), of(other.report)];
    if (there === here) continue;
    throw new UsageError(
      `${first.file} and ${other.file} cannot be merged: ${what} is ${there} in one and ${here} in the other; run all shards with the same suite, seed, target and selection.`,
    );
  }
}

function checked(named: readonly Named[]): readonly [ShardReport, ...ShardReport[]] {
  const [first, ...others] = named.map(shardOf);
  if (first === undefined || others.length === 0) {
    throw new UsageError('covenant merge joins the reports of shards; name two or more of them.');
  }
  const byIndex = new Map([[first.index, first]]);
  for (const one of others) {
    checkTerms(first, one);
    const same = byIndex.get(one.index);
    if (same) {
      throw new UsageError(
        `${same.file} and ${one.file} are both of shard ${one.index} of ${one.of}; name one report of each shard.`,
      );
    }
    byIndex.set(one.index, one);
  }
  return [first, ...others].sort((one, other) => one.index - other.index) as [ShardReport, ...ShardReport[]];
}

/** Accounts and replies of each shard under names of their own: its credentials may be others. */
function labelled({ report, index }: ShardReport): Part {
  const at = (name: string): string => `${name} (shard ${index})`;
  return {
    ...report,
    budget: report.budget.map((one) => ({ ...one, account: at(one.account) })),
    traffic: report.traffic.map((one) => ({ ...one, account: at(one.account) })),
  };
}

const least = (texts: readonly string[]): string => [...texts].sort()[0] ?? '';
const most = (texts: readonly string[]): string => [...texts].sort().at(-1) ?? '';

/**
 * What a shard that is not among them would have run stays not tested.
 * @throws UsageError where they are not shards of one run: of the same suite, seed, target and selection.
 */
export function merged(named: readonly Named[], allowIncomplete = false): Report {
  const shards = checked(named);
  const [{ report: first }] = shards;
  const { shard: _, ...options } = first.run.options;
  const aborted = shards.find(({ report }) => report.verdict === 'aborted');
  const runs = shards.map(({ report }) => report.run);
  const { reason: __, waivers: ___, ...rest } = first;
  const base: Report = {
    ...rest,
    verdict: aborted ? 'aborted' : first.verdict,
    ...(aborted && { reason: `shard ${aborted.index}: ${aborted.report.reason ?? 'it was aborted'}` }),
    run: {
      ...first.run,
      started_at: least(runs.map((run) => run.started_at)),
      finished_at: most(runs.map((run) => run.finished_at)),
      duration_ms: Math.max(...runs.map((run) => run.duration_ms)),
      options: { ...options, allow_incomplete: allowIncomplete },
      shards: runs.map(({ id }) => id),
    },
  };
  return join(base, shards.map(labelled), new Set(shards.map(({ index }) => index)));
}

/** What is known of a requirement from cases that were decided, and from replies that were seen. */
function kept(row: RequirementResult, decided: ReadonlySet<string>): readonly RequirementResult[] {
  const cases = row.cases.filter((one) =>
    one.case === undefined ? ['passed', 'failed', 'observed'].includes(one.verdict) : decided.has(one.case),
  );
  if (cases.length === 0) return [];
  if (cases.some(({ verdict }) => verdict === 'not-tested')) return [{ ...row, cases }];
  const { reason: _, waits_for: __, ...known } = row;
  return [{ ...known, cases }];
}

function partOf(earlier: Report): Part {
  const decided = new Set(earlier.run.decided);
  return {
    ...earlier,
    requirements: earlier.requirements.flatMap((row) => kept(row, decided)),
    traffic: [],
  };
}

/** The report of both runs; where the second one was aborted too, a third one can go on with it. */
export function resumedReport(earlier: Report, now: Report): Report {
  const { decided, ...run } = now.run;
  const base: Report = {
    ...now,
    run: {
      ...run,
      started_at: earlier.run.started_at,
      duration_ms: earlier.run.duration_ms + run.duration_ms,
      resumes: earlier.run.id,
      ...(decided && { decided: [...(earlier.run.decided ?? []), ...decided] }),
    },
  };
  return join(base, [now, partOf(earlier)], new Set());
}

export const resumedResult = (earlier: Report, now: RunResult): RunResult => ({
  report: resumedReport(earlier, now.report),
  get transcript() {
    return [...now.transcript, ...shifted(earlier.exchanges, 1)];
  },
});

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

/** Observations and traffic are those of the first run. */
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
