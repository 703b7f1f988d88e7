// Shows what failed: the statement, what was sent, expected and received, how to see it again, and what it means.
import type { CaseResult, Failure, Report, ReportedExchange, RequirementResult } from '../../result.ts';
import { visible } from '../../runtime/text.ts';
import { failedAt } from '../wording.ts';
import { indented, labelled, listed, type Style } from './layout.ts';
import { compact, requestId } from './values.ts';

/** A ruling's text by its identifier; absent where the register does not know it. */
export type RulingText = (id: string) => string | undefined;

/** Failures shown in full for one requirement; of the others only the operation is named. */
const inFull = 2;
const exchangesShown = 4;
const operationsShown = 8;

function sent({ request }: ReportedExchange, { target }: Report): string {
  const path = request.url.startsWith(target.base_url) ? request.url.slice(target.base_url.length) : request.url;
  const credential = request.credential === 'none' ? 'without credentials' : `as ${request.credential}`;
  return `${request.method} ${path} ${credential}`;
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

function failureLines({ failure, operation }: CaseResult, report: Report, style: Style): string[] {
  if (failure === undefined) return [];
  const exchanges = failure.exchanges.flatMap((id) => report.exchanges.find((exchange) => exchange.id === id) ?? []);
  const last = exchanges.at(-1);
  const line = (label: string, text: string | undefined): string[] => labelled(label, text ?? '', style);
  return [
    ...line('operation', operation),
    ...line('wrong', failure.message),
    ...exchanges.slice(-exchangesShown).flatMap((exchange) => line('sent', sent(exchange, report))),
    ...line('expected', compact(failure.expected)),
    ...line('received', compact(failure.actual)),
    ...line('', last && received(last)),
    ...line('found with', failure.counterexample === undefined ? '' : compact(failure.counterexample)),
    ...commands(failure),
  ];
}

function otherOperations(cases: readonly CaseResult[], style: Style): string[] {
  const names = cases.slice(inFull).map(({ operation, failure }) => operation ?? failure?.message ?? '');
  if (names.length === 0) return [];
  return labelled('also', `${listed([...new Set(names)], operationsShown)}; in full in report.json`, style);
}

function failureCard(result: RequirementResult, report: Report, ruling: RulingText, style: Style): string[] {
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
    ...labelled(
      'again',
      `covenant run --requirement ${result.id} --seed ${result.repeated?.seeds[0] ?? report.run.seed}`,
      style,
    ),
    '',
  ];
}

/** The failed requirements of one level, each whole; nothing where none failed. */
export function failures(report: Report, level: 'must' | 'should', ruling: RulingText, style: Style): string[] {
  const failed = failedAt(report, level);
  if (failed.length === 0) return [];
  const title = level === 'must' ? 'Failures' : 'Warnings: recommended, but not required';
  return [style.colors.bold(title), '', ...failed.flatMap((result) => failureCard(result, report, ruling, style))];
}
