// A finished run as text for people: summary first, then what was not tested, warnings, and failures last.
import { meaningOf, variablesIn } from '../configuration/variables.ts';
import type { CaseVerdict, Report, RequirementResult } from '../result.ts';
import { counted } from '../runtime/text.ts';
import { failureLines, failures, type Reader } from './terminal/failures.ts';
import { indented, labelled, listed, type Style } from './terminal/layout.ts';
import { summary, waivers } from './terminal/summary.ts';
import { outOfScope, profileOf, rootCauses, unjudgedByReason, waitingSentence } from './wording.ts';

/** What an aborted run did not come to is not listed: its one reason is in the summary. */
export function terminal(report: Report, reader: Reader, style: Style): string {
  const parts = [
    summary(report, style),
    causes(report, style),
    report.verdict === 'aborted' ? [] : untested(report, style),
    waivers(report, style),
    failures(report, 'should', reader, style),
    failures(report, 'must', reader, style),
    ownRules(report, style),
  ].filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join('\n').trimEnd()).join('\n\n')}\n`;
}

const marks = {
  passed: 'ok',
  failed: 'FAILED',
  'not-tested': 'not tested',
  inconclusive: 'open',
  observed: 'seen',
} as const;

function ownRules(report: Report, style: Style): string[] {
  if (report.own === undefined) return [];
  const { requirements, observations, totals } = report.own;
  const failed = totals.must.failed + totals.should.failed;
  return [
    style.colors.bold('Rules of your own'),
    ...indented(
      `${counted(requirements.length, 'rule')}, ${failed} failed; no verdict and no certificate counts them.`,
      style,
      2,
    ),
    ...requirements.flatMap(({ id, statement, verdict, reason, cases }) => {
      const answer = observations.find((one) => one.id === id)?.answer;
      const more = [answer, verdict === 'failed' ? undefined : reason].filter(Boolean).join('; ');
      const words = `${id}: ${statement}${more === '' ? '' : ` (${more})`}`;
      const shown = cases.filter(({ failure }) => failure).flatMap((one) => failureLines(one, report, style));
      return [...labelled(marks[verdict], words, style), ...shown];
    }),
  ];
}

const namesShown = 5;

/** What to do about the variables that a reason says are not set; where it says of none, about the first, which is. */
function remediesOf(reason: string): readonly string[] {
  const named = variablesIn(reason);
  const missing = named.filter((name) => reason.includes(`${name} is not set`));
  if (missing.length > 0) return missing.map((name) => `set ${name}: ${meaningOf(name)}`);
  return named.slice(0, 1).map((name) => `replace ${name}, which should be: ${meaningOf(name)}`);
}

function group(reason: string, results: readonly RequirementResult[], style: Style): string[] {
  const musts = results.filter(({ level }) => level === 'must').length;
  return [
    ...indented(`${reason} (${counted(results.length, 'requirement')}, ${musts} MUST)`, style, 2),
    ...remediesOf(reason).flatMap((remedy) => labelled('to unlock', remedy, style, 4)),
    ...labelled(
      'concerns',
      listed(
        results.map(({ id }) => id),
        namesShown,
      ),
      style,
      4,
    ),
    '',
  ];
}

function section(title: string, report: Report, verdict: CaseVerdict, style: Style): string[] {
  const groups = unjudgedByReason({
    ...report,
    requirements: report.requirements.filter((row) => row.verdict === verdict),
  });
  if (groups.length === 0) return [];
  return [style.colors.bold(title), '', ...groups.flatMap(([reason, results]) => group(reason, results, style))];
}

/** Before everything that follows from it: what has to hold before the rest can be tested. */
function causes(report: Report, style: Style): string[] {
  const groups = rootCauses(report);
  if (groups.length === 0) return [];
  const lines = groups.flatMap(([cause, rows]) => [
    ...indented(`${waitingSentence(cause, rows)}.`, style, 2),
    ...labelled(
      'waiting',
      listed(
        rows.map(({ id }) => id),
        namesShown,
      ),
      style,
      4,
    ),
    '',
  ]);
  return [style.colors.bold('What to mend first'), '', ...lines];
}

/** What the profile leaves out by declaration, by name. */
function leftOut(report: Report, style: Style): string[] {
  const left = outOfScope(report);
  if (left === undefined) return [];
  const ids = (report.out_of_scope ?? []).map(({ id }) => id);
  return [
    style.colors.bold(`Out of scope of the ${profileOf(report)}, by declaration`),
    '',
    ...indented(left, style, 2),
    ...labelled('concerns', listed(ids, namesShown), style, 4),
    '',
  ];
}

const untested = (report: Report, style: Style): string[] => [
  ...leftOut(report, style),
  ...section('Not tested', report, 'not-tested', style),
  ...section('Inconclusive: this says nothing about the target', report, 'inconclusive', style),
];
