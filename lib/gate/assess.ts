// What waivers come to in a run: each is held against what was found, and says so in a sentence.
import type { CaseResult, Report, Waived } from '../result.ts';
import { speaksOf } from './coverage.ts';
import { endOf, type Waiver } from './waivers.ts';

type Judgement = Pick<Waived, 'state' | 'note'>;

/** A run that leaves a part of the checks out cannot show that a failure is gone. */
const searchedAll = ({ run: { options } }: Report): boolean =>
  !options.read_only && options.exhaustion && options.effort !== 'quick';

const decided = ({ verdict }: Pick<CaseResult, 'verdict'>): boolean => verdict === 'passed' || verdict === 'failed';

function judge(waiver: Waiver, report: Report, now: number): Judgement {
  const { requirement, operation, owner, expires } = waiver;
  const what = operation === undefined ? requirement : `${requirement} at ${operation}`;
  const end = endOf(expires);
  if (end === undefined || now >= end) {
    return {
      state: 'expired',
      note: `The waiver for ${what} has expired on ${expires}; ${owner} should repair it, or renew the waiver with a new date.`,
    };
  }
  const row = report.requirements.find(({ id }) => id === requirement);
  if (row === undefined) return { state: 'idle', note: `${what} was not selected in this run.` };
  if (report.verdict === 'aborted') return { state: 'idle', note: `${what} was not judged: the run was aborted.` };
  const cases = row.cases.filter((one) => speaksOf(waiver, row, one));
  if (cases.some(({ verdict }) => verdict === 'failed')) {
    return { state: 'applied', note: `${what} fails, which is waived until ${expires}.` };
  }
  if (!decided(row) && !cases.some(decided)) return { state: 'idle', note: `${what} was not judged in this run.` };
  if (cases.some((one) => !decided(one))) return { state: 'idle', note: `${what} was judged only in part.` };
  if (!searchedAll(report)) return { state: 'idle', note: `${what} did not fail, but this run left checks out.` };
  return {
    state: 'stale',
    note: `The waiver for ${what} is stale: it did not fail in this run. Take it out of the file.`,
  };
}

/** The report with what its waivers came to; the verdict stays what it is. `now` is in milliseconds since the epoch. */
export const withWaivers = (report: Report, waivers: readonly Waiver[], now: number): Report => ({
  ...report,
  waivers: waivers.map((waiver) => ({ ...waiver, ...judge(waiver, report, now) })),
});
