// JUnit XML: what nearly every CI service reads, one test case a judged case.
import type { Report, RunResult } from '../result.ts';
import { type Test, testsIn } from './test-list.ts';
import { hostOf, obstacles, verdictSentence } from './wording.ts';
import { document, xml } from './xml.ts';

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function verdictOf({ outcome, message = '', details = '' }: Test) {
  switch (outcome) {
    case 'passed':
      return [];
    case 'failed':
      return [xml`<failure type="failed" message="${message}">${details}</failure>`];
    case 'error':
      return [xml`<error type="error" message="${message}">${details}</error>`];
    default:
      return [xml`<skipped>${[`${outcome}: ${message}`, details].join('\n').trim()}</skipped>`];
  }
}

const testcase = (test: Test) =>
  xml`
    <testcase classname="${`covenant.${test.suite}`}" name="${test.name}" time="${seconds(test.duration_ms)}">${verdictOf(test)}</testcase>`;

function properties(report: Report) {
  const pairs = {
    verdict: report.verdict,
    'verdict.sentence': verdictSentence(report),
    'certificate.ruled-out-by': obstacles(report).join('; '),
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
  return Object.entries(pairs).map(([name, value]) => xml`<property name="${name}" value="${value}"/>`);
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
  return xml`
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
  return document(xml`<testsuites>${all}
</testsuites>`);
}
