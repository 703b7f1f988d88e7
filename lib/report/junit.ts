// JUnit XML: what nearly every CI service reads, one test case a judged case, with names that stay the same from run to run.
import { exitCode, exitCodes, failingWaivers, waiverFor } from '../gate/exit-code.ts';
import { gateSentence, subjectOf, termsOf } from '../gate/waivers.ts';
import { quoting } from '../reproduce/shell.ts';
import type { CaseResult, CaseVerdict, Failure, Report, RequirementResult, RunResult, Waived } from '../result.ts';
import { defined } from '../runtime/defined.ts';
import { oneLine, short, visible } from '../runtime/text.ts';
import { html } from './html/markup.ts';
import { certificateObstacles, hostOf, verdictSentence } from './wording.ts';

/**
 * `warning`: a SHOULD that does not hold. `waived`: a failure that a waiver covers. `error`: only of the run itself,
 * where it could not come to a verdict.
 */
type Outcome = CaseVerdict | 'warning' | 'waived' | 'error';

interface Test {
  readonly suite: string;
  /** The requirement's identifier with the operation; numbered where that is not enough. */
  readonly name: string;
  readonly outcome: Outcome;
  readonly duration_ms: number;
  /** One line that says what is the matter; absent on what passed. */
  readonly message?: string;
  readonly details?: string;
}

const valueSize = 4_000;

function details(row: RequirementResult, failure: Failure, report: Report): string {
  const quote = quoting(failure, report);
  const value = (of: unknown): string => short(quote(of, 2), valueSize);
  const counterexample =
    failure.counterexample === undefined ? [] : [`Counterexample: ${value(failure.counterexample)}`];
  return visible(
    [
      `${row.id} (${row.level.toUpperCase()}, ${row.section})`,
      `Statement: ${row.statement}`,
      `Expected: ${value(failure.expected)}`,
      `Received: ${value(failure.actual)}`,
      ...counterexample,
      ...(row.impact === undefined ? [] : [`Impact: ${row.impact}`]),
      ...failure.curl.map((line) => short(line, valueSize)),
    ].join('\n'),
  );
}

function outcomeOf(row: RequirementResult, result: CaseResult, waived?: Waived): Outcome {
  if (result.verdict !== 'failed') return result.verdict;
  if (row.level === 'should') return 'warning';
  return waived === undefined ? 'failed' : 'waived';
}

function messageOf(row: RequirementResult, result: CaseResult, outcome: Outcome, waived?: Waived): string | undefined {
  if (outcome === 'passed') return undefined;
  const text = result.failure?.message ?? result.reason ?? row.reason ?? row.statement;
  const before = waived === undefined ? '' : `Waived: ${termsOf(waived)}. `;
  const said = outcome === 'warning' ? `Recommended, does not hold: ${text}` : `${before}${text}`;
  return visible(oneLine(short(said, valueSize)));
}

function casesOf(row: RequirementResult): readonly CaseResult[] {
  if (row.cases.length > 0) return row.cases;
  return [{ verdict: row.verdict, duration_ms: 0, ...defined({ reason: row.reason }) }];
}

function testsOf(report: Report, row: RequirementResult): readonly Test[] {
  const seen = new Map<string, number>();
  return casesOf(row).map((result) => {
    const base = result.operation === undefined ? row.id : `${row.id} [${result.operation}]`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    const waived = waiverFor(report, row, result);
    const outcome = outcomeOf(row, result, waived);
    return {
      suite: row.area,
      name: visible(count === 1 ? base : `${base} #${count}`),
      outcome,
      duration_ms: result.duration_ms,
      ...defined({
        message: messageOf(row, result, outcome, waived),
        details: result.failure && details(row, result.failure, report),
      }),
    };
  });
}

/**
 * The run's verdict as a test. With it a service that reads nothing but tests sees red exactly when the exit code is
 * not 0: a run that left something undecided does not look green, a failed SHOULD does not look red.
 */
function verdictTest(report: Report): Test {
  const test = { suite: 'run', name: 'verdict', duration_ms: 0 };
  const gate = gateSentence(report);
  const message = [`${report.verdict}: ${oneLine(verdictSentence(report))}`, gate].filter(Boolean).join(' ');
  if (report.verdict === 'conformant') return { ...test, outcome: 'passed' };
  const waived = exitCode(report, { interrupted: false }) === exitCodes.conformant;
  if (report.verdict === 'non-conformant') return { ...test, outcome: waived ? 'waived' : 'failed', message };
  const allowed = report.verdict === 'incomplete' && report.run.options.allow_incomplete;
  return { ...test, outcome: allowed ? 'not-tested' : 'error', message };
}

/** A waiver that has expired or is stale fails the run, and so a test of its own. */
const waiverTests = (report: Report): readonly Test[] =>
  (report.waivers ?? []).map((waived) => ({
    suite: 'run',
    name: visible(`waiver ${subjectOf(waived)}`),
    duration_ms: 0,
    outcome: failingWaivers(report).includes(waived) ? 'failed' : 'passed',
    ...defined({ message: waived.note && visible(oneLine(waived.note)) }),
  }));

/** Every judged case, and the run's verdict as a test of its own; observations are not judged and no tests. */
function testsIn(report: Report): readonly Test[] {
  const judged = report.requirements.filter((row) => row.level !== 'observe');
  return [verdictTest(report), ...waiverTests(report), ...judged.flatMap((row) => testsOf(report, row))];
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function verdictOf({ outcome, message = '', details = '' }: Test) {
  switch (outcome) {
    case 'passed':
      return [];
    case 'failed':
      return [html`<failure type="failed" message="${message}">${details}</failure>`];
    case 'error':
      return [html`<error type="error" message="${message}">${details}</error>`];
    default:
      return [html`<skipped>${[`${outcome}: ${message}`, details].join('\n').trim()}</skipped>`];
  }
}

const testcase = (test: Test) =>
  html`
    <testcase classname="${`covenant.${test.suite}`}" name="${test.name}" time="${seconds(test.duration_ms)}">${verdictOf(test)}</testcase>`;

function properties(report: Report) {
  const pairs = {
    verdict: report.verdict,
    'verdict.sentence': verdictSentence(report),
    'certificate.ruled-out-by': certificateObstacles(report).join('; '),
    ...(report.waivers === undefined ? {} : { waivers: JSON.stringify(report.waivers) }),
    'suite.version': report.suite.version,
    'suite.catalogue': report.suite.catalogue,
    'target.base_url': report.target.base_url,
    'target.interface': report.target.interface,
    'run.id': report.run.id,
    'run.seed': String(report.run.seed),
    'run.minute_ms': String(report.run.minute_ms),
    'run.options': JSON.stringify(report.run.options),
  };
  return Object.entries(pairs).map(([name, value]) => html`<property name="${name}" value="${value}"/>`);
}

/** What was seen where the document is silent: reported, never judged, so it is no test. */
function observed(report: Report, suite: string): string {
  const ids = new Set(report.requirements.filter((row) => row.area === suite).map((row) => row.id));
  return report.observations
    .filter((one) => ids.has(one.id))
    .map((one) => `${one.id}: ${one.question} ${one.answer}`)
    .join('\n');
}

function testsuite(report: Report, name: string, tests: readonly Test[], id: number) {
  const count = (...outcomes: readonly Test['outcome'][]) =>
    tests.filter((one) => outcomes.includes(one.outcome)).length;
  const time = tests.reduce((sum, one) => sum + one.duration_ms, 0);
  return html`
  <testsuite id="${id}" package="covenant" name="${name}" hostname="${hostOf(report)}" timestamp="${report.run.started_at.slice(0, 19)}" tests="${tests.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('warning', 'waived', 'observed', 'not-tested', 'inconclusive')}" time="${seconds(time)}">
    <properties>${properties(report)}</properties>${tests.map(testcase)}
    <system-out>${observed(report, name)}</system-out>
    <system-err></system-err>
  </testsuite>`;
}

/**
 * What changes no exit code (a failed SHOULD, a waived failure, a case that decided nothing) is `skipped`. Its reason
 * is the element's text, not an attribute: the oldest schema that services go by knows no other place.
 */
export function junit({ report }: RunResult): string {
  const tests = testsIn(report);
  const suites = [...new Set(tests.map((test) => test.suite))];
  const all = suites.map((name, at) =>
    testsuite(
      report,
      name,
      tests.filter((test) => test.suite === name),
      at,
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${html`<testsuites>${all}\n</testsuites>`}\n`;
}
