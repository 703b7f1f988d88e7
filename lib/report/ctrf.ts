// CTRF 0.0: the Common Test Report Format, JSON; what it has no field for stands in `extra.covenant`.
import type { Report, RunResult } from '../result.ts';
import { type Outcome, type Test, testsIn } from './test-list.ts';
import { obstacles, verdictSentence } from './wording.ts';

const statuses = {
  passed: 'passed',
  failed: 'failed',
  warning: 'other',
  waived: 'other',
  observed: 'other',
  'not-tested': 'skipped',
  inconclusive: 'other',
  error: 'failed',
} as const satisfies Record<Outcome, string>;

const start = (report: Report): number => Date.parse(report.run.started_at);

function entry({ suite, name, outcome, duration_ms, message, details, requirement, result }: Test) {
  return {
    testId: `${suite}/${name}`,
    name,
    status: statuses[outcome],
    rawStatus: outcome,
    duration: Math.round(duration_ms),
    suite: ['covenant', suite],
    type: 'conformance',
    message,
    trace: details,
    tags: requirement === undefined ? undefined : [requirement.level, requirement.area],
    extra: {
      covenant: {
        requirement: requirement?.id,
        level: requirement?.level,
        section: requirement?.section,
        statement: requirement?.statement,
        operation: result?.operation,
        failure: result?.failure,
      },
    },
  };
}

function summary(report: Report, tests: readonly Test[]) {
  const count = (status: string) => tests.filter((test) => statuses[test.outcome] === status).length;
  return {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: 0,
    other: count('other'),
    suites: new Set(tests.map((test) => test.suite)).size,
    start: start(report),
    stop: Date.parse(report.run.finished_at),
    duration: Math.round(report.run.duration_ms),
    extra: { covenant: { verdict: report.verdict, sentence: verdictSentence(report), totals: report.totals } },
  };
}

/** What neither held nor makes a run red (a warning, what is waived, observed or inconclusive) has the status `other`. */
export function ctrf({ report }: RunResult): string {
  const tests = testsIn(report);
  const result = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    runId: report.run.id,
    timestamp: report.run.finished_at,
    generatedBy: `covenant ${report.suite.version}`,
    results: {
      tool: { name: 'covenant', version: report.suite.version },
      summary: summary(report, tests),
      tests: tests.map(entry),
      extra: {
        covenant: {
          suite: report.suite,
          target: report.target,
          run: report.run,
          certificate_ruled_out_by: obstacles(report),
          observations: report.observations,
          untestable: report.untestable,
          out_of_scope: report.out_of_scope,
          waivers: report.waivers,
        },
      },
    },
  };
  return `${JSON.stringify(result, null, 2)}\n`;
}
