// What a step of a GitHub workflow hands over beside files: annotations in the log, and outputs for later steps.
import { isWaived } from '../gate/exit-code.ts';
import { quoting } from '../reproduce/shell.ts';
import type { Report, RequirementResult } from '../result.ts';
import { oneLine, short, visible } from '../runtime/text.ts';
import { failedAt, targetOf, verdictSentence, verdictWord } from './wording.ts';

/** GitHub shows no more of a kind for one step. */
const most = 10;
const valueSize = 200;

/** Ends neither the line nor, in a property, the property: so nothing that a target sent can begin a command. */
const data = (text: string): string => oneLine(visible(text)).replaceAll('%', '%25');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Commands whose titles name the target: one workflow may examine several, or another than it was meant to. */
const commandsOf =
  (target: string) =>
  (name: 'error' | 'warning' | 'notice', title: string, message: string): string =>
    `::${name} title=${property(`${title} at ${target}`)}::${data(message)}\n`;

function messageOf({ section, statement, cases }: RequirementResult, report: Report): string {
  const failed = cases.find(({ failure }) => failure !== undefined);
  if (failed?.failure === undefined) return `${statement}. (${section})`;
  const { message, expected, actual } = failed.failure;
  const quote = quoting(failed.failure, report);
  const value = (of: unknown): string => short(quote(of), valueSize);
  const where = failed.operation === undefined ? '' : ` at ${failed.operation}`;
  return `${message}${where}. Expected: ${value(expected)}. Received: ${value(actual)}. (${section})`;
}

/** The failures of a run as workflow commands, one a line: errors that decide, warnings that do not. */
export function annotations(report: Report): string {
  const own = (report.own?.requirements ?? []).filter(({ verdict }) => verdict === 'failed');
  const must = [...failedAt(report, 'must'), ...own.filter(({ level }) => level === 'must')];
  const should = [...failedAt(report, 'should'), ...own.filter(({ level }) => level === 'should')];
  const command = commandsOf(targetOf(report));
  const waived = must.filter((row) => isWaived(report, row));
  const errors = must.filter((row) => !waived.includes(row));
  const warnings = [
    ...waived.map((row) => command('warning', `${row.id} (waived)`, messageOf(row, report))),
    ...should.map((row) => command('warning', `${row.id} (recommended)`, messageOf(row, report))),
  ];
  return [
    ...errors.slice(0, most).map((row) => command('error', row.id, messageOf(row, report))),
    ...warnings.slice(0, most),
    command('notice', `Covenant: ${verdictWord(report)}`, verdictSentence(report)),
  ].join('');
}

/** `name=value` lines for GITHUB_OUTPUT; `path` is where report.json is. */
export function outputs(report: Report, path: string): string {
  const values = { verdict: report.verdict, counts: JSON.stringify(report.totals), report: path };
  return Object.entries(values)
    .map(([name, text]) => `${name}=${oneLine(text)}\n`)
    .join('');
}
