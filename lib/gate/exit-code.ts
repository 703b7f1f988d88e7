// Decides the exit code of a run, the only place that does; and which failures its waivers cover.
import type { CaseResult, Report, RequirementResult, Waived } from '../result.ts';

export const exitCodes = {
  conformant: 0,
  nonConformant: 1,
  usage: 2,
  incomplete: 3,
  couldNotJudge: 4,
  interrupted: 130,
} as const;

export interface Ending {
  /** A person or a supervisor stopped the run. */
  readonly interrupted: boolean;
}

/**
 * The exit code that the contract gives a report. It is counted from the requirements themselves, so that no total can hide one:
 * zero only where a MUST was selected, and every selected one passed (with `--allow-incomplete`: none failed).
 * With `--strict` a failed SHOULD fails the gate as a failed MUST does.
 * Where the run was given waivers, a failed MUST of which every failure is waived counts as passed, and a waiver that
 * has expired or is stale as a failure; the verdict in the report knows nothing of either.
 */
export function exitCode(report: Report, { interrupted }: Ending): number {
  if (report.verdict === 'aborted') return interrupted ? exitCodes.interrupted : exitCodes.couldNotJudge;
  // A MUST about something that the document lets a target leave out is observed where it does.
  // Who brings rules of their own wants to know; the verdict does not count them.
  const musts = [...report.requirements, ...(report.own?.requirements ?? [])].filter(
    ({ level, verdict }) => level === 'must' && verdict !== 'observed',
  );
  const open = musts.filter((row) => row.verdict !== 'passed' && !isWaived(report, row));
  const fails = open.some(({ verdict }) => verdict === 'failed') || failingWaivers(report).length > 0;
  if (fails || failedStrictly(report).length > 0) return exitCodes.nonConformant;
  if (musts.length === 0) return exitCodes.incomplete;
  if (open.length === 0) return exitCodes.conformant;
  return report.run.options.allow_incomplete ? exitCodes.conformant : exitCodes.incomplete;
}

/** Whether a waiver is about a case of a requirement. */
export const isAbout = (
  { requirement, operation }: Pick<Waived, 'requirement' | 'operation'>,
  row: RequirementResult,
  one: CaseResult,
): boolean => requirement === row.id && (operation === undefined || operation === one.operation);

/** The waiver that covers a failed case, if there is one that holds. */
export function waiverFor(report: Report, row: RequirementResult, one: CaseResult): Waived | undefined {
  if (one.verdict !== 'failed') return undefined;
  return report.waivers?.find((waived) => waived.state === 'applied' && isAbout(waived, row, one));
}

/** A failed requirement of which each failed case is covered. */
export function isWaived(report: Report, row: RequirementResult): boolean {
  const failed = row.cases.filter(({ verdict }) => verdict === 'failed');
  return row.verdict === 'failed' && failed.length > 0 && failed.every((one) => waiverFor(report, row, one));
}

/** Waivers that fail the gate whatever the run found: expired ones, and those whose reason is gone. */
export const failingWaivers = ({ waivers = [] }: Report): readonly Waived[] =>
  waivers.filter(({ state }) => state === 'expired' || state === 'stale');

/** Recommendations that fail the gate, because the run was strict and no waiver covers them. */
export const failedStrictly = (report: Report): readonly RequirementResult[] =>
  report.run.options.strict === true
    ? report.requirements.filter((row) => row.level === 'should' && row.verdict === 'failed' && !isWaived(report, row))
    : [];
