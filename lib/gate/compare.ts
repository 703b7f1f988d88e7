// The gate between two runs: what is worse than before, and the exit code that says so.
import { UsageError } from '../configuration/settings.ts';
import type { Report, RequirementResult } from '../result.ts';
import { counted } from '../runtime/text.ts';
import { type Change, type Changes, changes, isUndecided } from './changes.ts';
import { coverOf, exitCodes, isWaived, unsound } from './exit-code.ts';

export interface Comparison {
  readonly changes: Changes;
  /** MUST requirements that fail now and did not, and that no waiver covers. */
  readonly failing: readonly Change[];
  /** MUST requirements that were judged before and are not now, untested or left out. */
  readonly untested: readonly RequirementResult[];
  readonly exitCode: number;
}

/** Where only some operations are new, a waiver for these is enough. */
function covered(after: Report, change: Change): boolean {
  if (change.operations === undefined) return isWaived(after, change);
  const fresh = change.cases.filter(
    ({ verdict, operation }) =>
      verdict === 'failed' && operation !== undefined && change.operations?.includes(operation),
  );
  return fresh.every((one) => coverOf(after, change, one) !== undefined);
}

/** @throws UsageError where the earlier run judged nothing: every comparison with it would look fine. */
export function checkBaseline(before: Report, where: string, better = 'one that came to its end'): void {
  const judged = before.requirements.some(({ verdict }) => verdict === 'passed' || verdict === 'failed');
  if (before.verdict !== 'aborted' && judged) return;
  throw new UsageError(`${where} is the report of a run that judged nothing; compare with ${better}.`);
}

/**
 * 1: a MUST newly fails without a waiver, or a waiver of the later run is expired or stale; 3: a MUST that was judged is
 * not any more, or the runs have no question in common; 0: nothing is worse.
 */
export function compare(before: Report, after: Report): Comparison {
  const found = changes(before, after);
  const must = ({ level }: RequirementResult): boolean => level === 'must';
  const failing = found.failing.filter((change) => must(change) && !covered(after, change));
  const unselected = found.incomparable.unselectedNow.filter(({ verdict }) => !isUndecided(verdict));
  const untested = [...found.undecided, ...unselected].filter(must);
  const worse = failing.length > 0 || unsound(after).length > 0;
  const open = untested.length > 0 || found.compared === 0 || after.verdict === 'aborted';
  return {
    changes: found,
    failing,
    untested,
    exitCode: worse ? exitCodes.nonConformant : open ? exitCodes.incomplete : exitCodes.conformant,
  };
}

/** The comparison in one sentence. */
export function comparisonSentence({ failing, untested, changes: found }: Comparison, after: Report): string {
  const unfit = unsound(after).length;
  const parts = [
    failing.length > 0 ? `${counted(failing.length, 'MUST requirement')} newly failing` : '',
    untested.length > 0 ? `${counted(untested.length, 'MUST requirement')} no longer tested` : '',
    unfit > 0 ? `${counted(unfit, 'waiver')} expired or stale` : '',
    found.compared === 0 ? 'no question in common' : '',
    after.verdict === 'aborted' ? 'the later run was aborted' : '',
  ].filter((part) => part !== '');
  const { profiles } = found;
  const other = profiles
    ? `The runs are of different profiles, ${profiles.before} before and ${profiles.after} now, and only what both ask is compared. `
    : '';
  return `${other}${parts.length === 0 ? 'Nothing is worse than before.' : `Worse than before: ${parts.join(', ')}.`}`;
}
