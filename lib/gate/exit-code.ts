// Decides the exit code of a run; the only place that does.

import type { Report } from '../result.ts';
import { failedStrictly, isWaived, unsound } from './coverage.ts';

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
  const fails = open.some(({ verdict }) => verdict === 'failed') || unsound(report).length > 0;
  if (fails || failedStrictly(report).length > 0) return exitCodes.nonConformant;
  if (musts.length === 0) return exitCodes.incomplete;
  if (open.length === 0) return exitCodes.conformant;
  return report.run.options.allow_incomplete ? exitCodes.conformant : exitCodes.incomplete;
}
