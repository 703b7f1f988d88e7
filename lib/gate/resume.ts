// A run that went on where another one was aborted, as one result: what was decided stays decided.
import type { Report, RequirementResult, RunResult } from '../result.ts';
import { join, type Part } from './join.ts';
import { shifted, withTokensNamed } from './renumbered.ts';

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

function partOf(earlier: Report, now: Report): Part {
  const decided = new Set(earlier.run.decided);
  const replied = new Set(now.latency.map(({ operation }) => operation));
  return {
    ...withTokensNamed(earlier, (name) => `${name} of run ${earlier.run.id}`),
    requirements: earlier.requirements.flatMap((row) => kept(row, decided)),
    latency: earlier.latency.filter(({ operation }) => !replied.has(operation)),
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
  return join(base, [now, partOf(earlier, now)], new Set());
}

export const resumedResult = (earlier: Report, now: RunResult): RunResult => ({
  report: resumedReport(earlier, now.report),
  get transcript() {
    return [...now.transcript, ...shifted(earlier.exchanges, 1)];
  },
});
