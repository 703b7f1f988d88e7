// Which failures of a run its waivers cover: a requirement is waived only where each of its failures is.
import type { CaseResult, Report, RequirementResult, Waived } from '../result.ts';

/** Whether a waiver speaks of a case of a requirement. */
export const speaksOf = (
  { requirement, operation }: Pick<Waived, 'requirement' | 'operation'>,
  row: RequirementResult,
  one: CaseResult,
): boolean => requirement === row.id && (operation === undefined || operation === one.operation);

/** The waiver that covers a failed case, if there is one that holds. */
export function coverOf(report: Report, row: RequirementResult, one: CaseResult): Waived | undefined {
  if (one.verdict !== 'failed') return undefined;
  return report.waivers?.find((waived) => waived.state === 'applied' && speaksOf(waived, row, one));
}

/** A failed requirement of which each failed case is covered. */
export function isWaived(report: Report, row: RequirementResult): boolean {
  const failed = row.cases.filter(({ verdict }) => verdict === 'failed');
  return row.verdict === 'failed' && failed.length > 0 && failed.every((one) => coverOf(report, row, one));
}

/** Waivers that fail the gate whatever the run found: expired ones, and those whose reason is gone. */
export const unsound = ({ waivers = [] }: Report): readonly Waived[] =>
  waivers.filter(({ state }) => state === 'expired' || state === 'stale');

/** Recommendations that fail the gate, because the run was strict and no waiver covers them. */
export const failedStrictly = (report: Report): readonly RequirementResult[] =>
  report.run.options.strict === true
    ? report.requirements.filter((row) => row.level === 'should' && row.verdict === 'failed' && !isWaived(report, row))
    : [];
