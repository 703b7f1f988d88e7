// A report in sentences: its verdict, what was selected, what rules out a certificate, and why something was not tested.
import { documentedMinuteMs } from '../catalogue/operations.ts';
import type { Area } from '../catalogue/requirement.ts';
import type { JudgedTotals, Report, RequirementResult } from '../result.ts';
import { counted, visible } from '../runtime/text.ts';

export const sumOf = (totals: JudgedTotals): number =>
  totals.passed + totals.failed + totals.not_tested + totals.inconclusive;

/** MUST requirements that say neither yes nor no. */
const undecided = (totals: JudgedTotals): number => totals.not_tested + totals.inconclusive;

/** The verdict in one sentence, with the numbers that carry it. */
export function verdictSentence(report: Report): string {
  const { must } = report.totals;
  const all = sumOf(must);
  switch (report.verdict) {
    case 'conformant':
      return undecided(must) === 0
        ? `All ${counted(all, 'selected MUST requirement')} were tested and hold.`
        : `No MUST requirement failed; ${undecided(must)} of ${all} could not be judged.`;
    case 'non-conformant':
      return `${must.failed} of ${counted(all, 'selected MUST requirement')} ${must.failed === 1 ? 'does' : 'do'} not hold.`;
    case 'incomplete':
      return all === 0
        ? 'Nothing was selected, so nothing can be said.'
        : `No MUST requirement failed, but ${undecided(must)} of ${all} could not be judged.`;
    case 'aborted':
      return `The run could not judge the target${report.reason === undefined ? '.' : `: ${visible(report.reason)}`}`;
  }
}

/** What the flags left out, one phrase each; empty where everything was selected. */
export function filters(report: Report): readonly string[] {
  const { options } = report.run;
  return [
    options.area === null ? [] : [`only the areas ${options.area.join(', ')} were selected`],
    options.requirement === null
      ? []
      : [`only ${counted(options.requirement.length, 'requirement')} by name were selected`],
    options.read_only ? ['nothing that writes was selected (--read-only)'] : [],
    options.exhaustion ? [] : ['nothing that exceeds a limit was selected (--no-exhaustion)'],
    options.effort === 'quick' ? ['the search was shortened (--effort quick)'] : [],
  ].flat();
}

/** What rules out a certificate; empty where the report is one. */
export function obstacles(report: Report): readonly string[] {
  const { must } = report.totals;
  return [
    report.verdict === 'conformant' ? [] : [`the verdict is ${report.verdict}`],
    report.verdict === 'conformant' && undecided(must) > 0
      ? [`${counted(undecided(must), 'MUST requirement')} could not be judged`]
      : [],
    filters(report),
    report.run.minute_ms === documentedMinuteMs
      ? []
      : [`the target's rate-limit minute was set to ${report.run.minute_ms} ms, not ${documentedMinuteMs} ms`],
  ].flat();
}

/** Requirements that were not judged, together by their reason, the commonest first. */
export function unjudgedByReason(report: Report): readonly (readonly [string, readonly RequirementResult[]])[] {
  const groups = new Map<string, RequirementResult[]>();
  for (const row of report.requirements) {
    if (row.verdict !== 'not-tested' && row.verdict !== 'inconclusive') continue;
    const reason = row.reason ?? row.cases.find((one) => one.reason !== undefined)?.reason ?? 'no reason was given';
    groups.set(reason, [...(groups.get(reason) ?? []), row]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

/** Requirements by their heading, in the order of the report. */
export function byArea(report: Report): ReadonlyMap<Area, readonly RequirementResult[]> {
  const areas = new Map<Area, RequirementResult[]>();
  for (const row of report.requirements) areas.set(row.area, [...(areas.get(row.area) ?? []), row]);
  return areas;
}

export const failedAt = (report: Report, level: RequirementResult['level']): readonly RequirementResult[] =>
  report.requirements.filter((row) => row.level === level && row.verdict === 'failed');

/** The target's host, or its whole address where that cannot be read as one. */
export const hostOf = ({ target }: Report): string =>
  URL.canParse(target.base_url) ? new URL(target.base_url).host : target.base_url;
