// Shows what failed: the statement, what was sent, expected and received, how to see it again, and what it means.
import { quoting } from '../../reproduce/shell.ts';
import type { CaseResult, Failure, Report, ReportedExchange, RequirementResult } from '../../result.ts';
import { counted, visible } from '../../runtime/text.ts';
import { type Again, compact, failedAt, requestId, sentLines } from '../wording.ts';
import { indented, inert, labelled, listed, type Style, unwrapped } from './layout.ts';

/** A ruling's text by its identifier; absent where the register does not know it. */
type RulingText = (id: string) => string | undefined;

/** Where a person looks up or does what the report does not hold. */
export interface Reader {
  readonly ruling: RulingText;
  readonly again: Again;
  /** How many failures of a level are shown in full, of the others a line each; all where absent. */
  readonly whole?: number;
}

/** Failures shown in full for one requirement; of the others only the operation is named. */
const inFull = 2;
const operationsShown = 8;

function sent(exchanges: readonly ReportedExchange[], report: Report): readonly string[] {
  const { lines, more } = sentLines(exchanges, report);
  return [
    ...(more === 0 ? [] : [`(${more} more before these, in report.json)`]),
    ...lines.map(({ request, by, count }) => `${count === 1 ? '' : `${count} times `}${request} ${by}`),
  ];
}

function received({ response }: ReportedExchange): string {
  const id = requestId(response.body);
  return `status ${response.status}, ${id === undefined ? 'no request_id' : `request_id ${id}`}`;
}

function commands(failure: Failure): string[] {
  if (failure.curl.length === 0) return [];
  const lines = failure.curl.flatMap((command) => visible(command).replaceAll('\r', '\\r').split('\n'));
  return ['', ...lines.map((line) => `    ${line}`), ''];
}

/** Whoever looks for the request among those of the requirement's own cases would not find it. */
function senderOf(sent: ReportedExchange | undefined, judge: CaseResult['case']): string {
  if (sent?.case === undefined || sent.case === judge) return '';
  return `the case ${sent.case}${sent.undocumented ? ', which asks what the document leaves open' : ''}`;
}

/** One failed case: what was sent, expected and received, and the lines to send it again. */
export function failureLines({ failure, operation, case: judge }: CaseResult, report: Report, style: Style): string[] {
  if (failure === undefined) return [];
  const exchanges = failure.exchanges.flatMap((id) => report.exchanges.find((exchange) => exchange.id === id) ?? []);
  const last = exchanges.at(-1);
  const quote = quoting(failure, report);
  const line = (label: string, text: string | undefined): string[] => labelled(label, text ?? '', style);
  return [
    ...line('operation', operation),
    ...line('wrong', failure.message),
    ...sent(exchanges, report).flatMap((text, index) => line(index === 0 ? 'sent' : '', text)),
    ...line('sent by', senderOf(last, judge)),
    ...line('expected', compact(quote(failure.expected))),
    ...line('received', compact(quote(failure.actual))),
    ...line('', last && received(last)),
    ...line('found with', failure.counterexample === undefined ? '' : compact(quote(failure.counterexample))),
    ...commands(failure),
  ];
}

function otherOperations(cases: readonly CaseResult[], style: Style): string[] {
  const more = cases.slice(inFull);
  const names = [...new Set(more.flatMap(({ operation }) => operation ?? []))];
  if (more.length === 0) return [];
  const where = names.length === 0 ? '' : ` at ${listed(names, operationsShown)}`;
  return labelled('and', `${counted(more.length, 'more case')}${where}, in full in report.json`, style);
}

function failureCard(result: RequirementResult, report: Report, { ruling, again }: Reader, style: Style): string[] {
  const { colors } = style;
  const mark = result.level === 'must' ? colors.red('✗') : colors.yellow('!');
  const cases = result.cases.filter(({ failure }) => failure !== undefined);
  const rulings = (result.rulings ?? []).map((id) => `${id}: ${ruling(id) ?? 'see covenant requirements --rulings'}`);
  return [
    `${mark} ${colors.bold(result.id)}`,
    ...indented(`${result.level.toUpperCase()}, ${result.section}`, style, 2).map(colors.dim),
    ...indented(result.statement, style, 2),
    '',
    ...cases.slice(0, inFull).flatMap((one) => failureLines(one, report, style)),
    ...otherOperations(cases, style),
    ...labelled('impact', result.impact ?? '', style),
    ...rulings.flatMap((text) => labelled('ruling', text, style)),
    ...labelled('repeated', result.repeated === undefined ? '' : (result.reason ?? ''), style),
    unwrapped('again', again(result.id, result.repeated?.seeds[0] ?? report.run.seed), style),
    '',
  ];
}

/** The failed requirements of one level, each whole; nothing where none failed. */
export function failures(report: Report, level: 'must' | 'should', reader: Reader, style: Style): string[] {
  const failed = failedAt(report, level);
  if (failed.length === 0) return [];
  const title = level === 'must' ? 'Failures' : 'Warnings: recommended, but not required';
  const whole = failed.slice(0, reader.whole);
  const rest = failed.slice(whole.length);
  const more = rest.length === 0 ? [] : [`  and ${rest.length} more, in full in report.json:`];
  return [
    style.colors.bold(title),
    '',
    ...whole.flatMap((result) => failureCard(result, report, reader, style)),
    ...more,
    ...rest.map(({ id, cases }) => `  ${id}: ${inert(cases.find(({ failure }) => failure)?.failure?.message ?? '')}`),
    ...(rest.length === 0 ? [] : ['']),
  ];
}
