// Decides the exit code of a run; the only place that does.
import type { Report } from './model.ts';

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
 */
export function exitCode(report: Report, { interrupted }: Ending): number {
  if (report.verdict === 'aborted') return interrupted ? exitCodes.interrupted : exitCodes.couldNotJudge;
  const musts = report.requirements.filter(({ level }) => level === 'must').map(({ verdict }) => verdict);
  // A MUST about something that the document lets a target leave out is observed where it does.
  const verdicts = musts.filter((verdict) => verdict !== 'observed');
  if (verdicts.includes('failed')) return exitCodes.nonConformant;
  if (verdicts.length === 0) return exitCodes.incomplete;
  if (verdicts.every((verdict) => verdict === 'passed')) return exitCodes.conformant;
  return report.run.options.allow_incomplete ? exitCodes.conformant : exitCodes.incomplete;
}
