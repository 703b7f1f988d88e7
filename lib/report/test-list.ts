// A report as the list of tests that CI services understand: one a case, with names that stay the same from run to run.
import type { CaseResult, Failure, Report, RequirementResult } from './model.ts';
import { oneLine, short, shown, visible } from './printable.ts';
import { verdictSentence } from './wording.ts';

/** `warning`: a SHOULD that does not hold. `error`: only of the run itself, where it could not come to a verdict. */
export type Outcome = 'passed' | 'failed' | 'warning' | 'not-tested' | 'inconclusive' | 'error';

export interface Test {
  readonly suite: string;
  /** The requirement's identifier with the operation; numbered where that is not enough. */
  readonly name: string;
  readonly outcome: Outcome;
  readonly duration_ms: number;
  /** One line that says what is the matter; absent on what passed. */
  readonly message?: string;
  readonly details?: string;
  readonly requirement?: RequirementResult;
  readonly result?: CaseResult;
}

const valueSize = 4_000;

function details(row: RequirementResult, failure: Failure): string {
  const counterexample =
    failure.counterexample === undefined ? [] : [`Counterexample: ${short(shown(failure.counterexample), valueSize)}`];
  return visible(
    [
      `${row.id} (${row.level.toUpperCase()}, ${row.section})`,
      `Statement: ${row.statement}`,
      `Expected: ${short(shown(failure.expected), valueSize)}`,
      `Received: ${short(shown(failure.actual), valueSize)}`,
      ...counterexample,
      ...(row.impact === undefined ? [] : [`Impact: ${row.impact}`]),
      ...failure.curl.map((line) => short(line, valueSize)),
    ].join('\n'),
  );
}

function outcomeOf(row: RequirementResult, result: CaseResult): Outcome {
  if (result.verdict === 'failed' && row.level === 'should') return 'warning';
  return result.verdict === 'observed' ? 'passed' : result.verdict;
}

function messageOf(row: RequirementResult, result: CaseResult, outcome: Outcome): string | undefined {
  if (outcome === 'passed') return undefined;
  const text = result.failure?.message ?? result.reason ?? row.reason ?? row.statement;
  return visible(oneLine(short(outcome === 'warning' ? `Recommended, does not hold: ${text}` : text, valueSize)));
}

function casesOf(row: RequirementResult): readonly CaseResult[] {
  if (row.cases.length > 0) return row.cases;
  return [{ verdict: row.verdict, duration_ms: 0, ...(row.reason === undefined ? {} : { reason: row.reason }) }];
}

function testsOf(row: RequirementResult): readonly Test[] {
  const seen = new Map<string, number>();
  return casesOf(row).map((result) => {
    const base = result.operation === undefined ? row.id : `${row.id} [${result.operation}]`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    const outcome = outcomeOf(row, result);
    const message = messageOf(row, result, outcome);
    return {
      suite: row.area,
      name: visible(count === 1 ? base : `${base} #${count}`),
      outcome,
      duration_ms: result.duration_ms,
      requirement: row,
      result,
      ...(message === undefined ? {} : { message }),
      ...(result.failure === undefined ? {} : { details: details(row, result.failure) }),
    };
  });
}

/**
 * The run's verdict as a test. With it a service that reads nothing but tests sees red exactly when the exit code is
 * not 0: a run that left something undecided does not look green, a failed SHOULD does not look red.
 */
function verdictTest(report: Report): Test {
  const test = { suite: 'run', name: 'verdict', duration_ms: 0 };
  const message = `${report.verdict}: ${oneLine(verdictSentence(report))}`;
  if (report.verdict === 'conformant') return { ...test, outcome: 'passed' };
  if (report.verdict === 'non-conformant') return { ...test, outcome: 'failed', message };
  const allowed = report.verdict === 'incomplete' && report.run.options.allow_incomplete;
  return { ...test, outcome: allowed ? 'not-tested' : 'error', message };
}

/** Every judged case, and the run's verdict as a test of its own; observations are not judged and no tests. */
export function testsIn(report: Report): readonly Test[] {
  return [verdictTest(report), ...report.requirements.filter((row) => row.level !== 'observe').flatMap(testsOf)];
}
