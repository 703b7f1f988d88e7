// The job summary for CI services: Markdown that says the verdict first, and stays below the size that they accept.
import { changes } from '../gate/changes.ts';
import { attribution, changeSections } from '../gate/compare.ts';
import { gateSentence, stateOf, subjectOf, termsOf } from '../gate/waivers.ts';
import { quoting } from '../reproduce/shell.ts';
import type { Failure, JudgedTotals, Report, RequirementResult, RunResult } from '../result.ts';
import { counted, moment, oneLine, short, visible } from '../runtime/text.ts';
import {
  byArea,
  type Context,
  certificateObstacles,
  failedAt,
  filters,
  foundBy,
  outOfScope,
  profileOf,
  rootCauses,
  strictSentence,
  took,
  unjudgedByReason,
  verdictSentence,
  verdictWord,
  waitingSentence,
} from './wording.ts';

/** GitHub refuses a summary above 1 MiB; others are no stricter. Bytes of UTF-8. */
export const mostBytes = 1_000_000;
const valueSize = 1_500;
const answerSize = 200;
const casesShown = 5;

/** Text of the target's, inside a line or a table: entities in a `<code>` cannot end it, as back-ticks could. */
const code = (value: string): string => `<code>${text(value)}</code>`;

/** Text of the target's, on lines of its own, in a fence that is longer than any in it. */
function block(value: string): string {
  const longest = Math.max(2, ...(value.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${visible(value)}\n${fence}`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const folded = (title: string, body: string): string =>
  `<details><summary>${text(title)}</summary>\n\n${body}\n\n</details>`;

const marks = { conformant: '✅', 'non-conformant': '❌', incomplete: '⚠️', aborted: '⛔' } as const;

function facts(report: Report): string {
  const { suite, target, run } = report;
  const ruledOut = certificateObstacles(report);
  const profile = profileOf(report);
  return table(
    ['Run', ''],
    [
      ['Target', code(target.base_url)],
      [
        'Interface',
        `${target.interface}, suite ${text(suite.version)}, catalogue ${code(suite.catalogue.slice(0, 12))}`,
      ],
      ['When', `${moment(run.started_at)}, ${took(run)}, seed ${run.seed}`],
      ...(profile === undefined
        ? []
        : [['Profile', text(`${profile}; out of scope by declaration: ${outOfScope(report) ?? 'nothing'}`)]]),
      ['Selected', filters(report).map(text).join('; ') || 'everything'],
      ['Certificate', ruledOut.length === 0 ? 'nothing rules one out' : `no: ${ruledOut.map(text).join('; ')}`],
    ],
  );
}

function totals(report: Report): string {
  const row = (name: string, { passed, failed, not_tested, inconclusive }: JudgedTotals) =>
    [name, passed, failed, not_tested, inconclusive].map(String);
  const levels = table(
    ['Level', 'Passed', 'Failed', 'Not tested', 'Inconclusive'],
    [row('MUST', report.totals.must), row('SHOULD', report.totals.should)],
  );
  const areas = [...byArea(report)].map(([area, rows]) => {
    const count = (verdict: string) =>
      String(rows.filter((one) => one.level !== 'observe' && one.verdict === verdict).length);
    return [area, count('passed'), count('failed'), count('not-tested'), count('inconclusive')];
  });
  const perArea = table(['Area', 'Passed', 'Failed', 'Not tested', 'Inconclusive'], areas);
  return `${levels}\n\n${folded('Area by area', perArea)}`;
}

function failureText(failure: Failure, operation: string | undefined, report: Report): string {
  const quote = quoting(failure, report);
  const value = (of: unknown): string => block(short(quote(of, 2), valueSize));
  const counterexample = failure.counterexample === undefined ? [] : ['Counterexample', value(failure.counterexample)];
  return [
    operation === undefined ? text(failure.message) : `${code(operation)}: ${text(short(failure.message, valueSize))}`,
    'Expected',
    value(failure.expected),
    'Received',
    value(failure.actual),
    ...counterexample,
    ...(failure.curl.length === 0 ? [] : [block(short(failure.curl.join('\n'), valueSize))]),
  ].join('\n\n');
}

function card(row: RequirementResult, report: Report): string {
  const texts = row.cases.flatMap(({ failure, operation }) =>
    failure === undefined ? [] : [failureText(failure, operation, report)],
  );
  const rest = texts.length > casesShown ? [`And ${texts.length - casesShown} more, in report.html.`] : [];
  return [
    `#### ${code(row.id)}`,
    `${text(row.statement)} (${row.level.toUpperCase()}, ${text(row.section)})`,
    ...(row.impact === undefined ? [] : [`Impact: ${text(row.impact)}`]),
    folded(counted(texts.length, 'case'), [...texts.slice(0, casesShown), ...rest].join('\n\n')),
  ].join('\n\n');
}

const section = (title: string, parts: readonly string[]): readonly string[] =>
  parts.length === 0 ? [] : [`### ${title}`, ...parts];

const idList = (rows: readonly Pick<RequirementResult, 'id' | 'statement'>[]): string =>
  rows.map((row) => `- ${code(row.id)} ${text(row.statement)}`).join('\n');

function unjudged(report: Report): readonly string[] {
  const waiting = rootCauses(report).map(([cause, rows]) => folded(waitingSentence(cause, rows), idList(rows)));
  const others = unjudgedByReason(report).map(([reason, rows]) =>
    folded(`${counted(rows.length, 'requirement')}: ${short(reason, answerSize)}`, idList(rows)),
  );
  const { out_of_scope: left } = report;
  const scope = left
    ? [folded(`Out of scope of the ${profileOf(report)}, by declaration: ${outOfScope(report)}`, idList(left))]
    : [];
  return [...scope, ...waiting, ...others];
}

function changed(before: Report, after: Report): readonly string[] {
  const found = changes(before, after);
  const sections = changeSections(found, after).map(({ title, lines }) =>
    folded(
      `${title}: ${lines.length}`,
      lines.map((line) => `- ${line.id === undefined ? '' : `${code(line.id)} `}${text(line.text)}`).join('\n'),
    ),
  );
  return [text(attribution(found)), ...sections];
}

function waivers(report: Report): readonly string[] {
  const { waivers: all = [] } = report;
  if (all.length === 0) return [];
  const rows = all.map((one) => [code(subjectOf(one)), stateOf(one), text(termsOf(one))]);
  return [text(gateSentence(report) ?? ''), table(['Waived', 'State', 'Why, who, until when'], rows)];
}

function observations(report: Report): readonly string[] {
  if (report.observations.length === 0) return [];
  const rows = report.observations.map(({ question, answer }) => [text(question), code(short(answer, answerSize))]);
  return [
    folded(
      `Observed where the document is silent: ${counted(rows.length, 'answer')}`,
      table(['Question', 'Answer'], rows),
    ),
  ];
}

const notice = '_Cut here: CI services show no more. The whole stands in report.json and report.html._';

/** All parts, or as many of them as fit, the first ones first, and a sentence that says so. */
function withinLimit(parts: readonly string[]): string {
  const whole = `${parts.join('\n\n')}\n`;
  if (Buffer.byteLength(whole) <= mostBytes) return whole;
  const kept: string[] = [];
  let left = mostBytes - Buffer.byteLength(notice) - 3;
  for (const part of parts) {
    left -= Buffer.byteLength(part) + 2;
    if (left < 0) break;
    kept.push(part);
  }
  return `${[...kept, notice].join('\n\n')}\n`;
}

function ownRules({ own }: Report): string[] {
  if (own === undefined) return [];
  const rows = own.requirements.map((row) => [
    code(row.id),
    text(row.statement),
    row.verdict,
    text(short(foundBy(row, own), answerSize)),
  ]);
  return ['No verdict and no certificate counts them.', table(['Rule', '', 'Verdict', 'What was found'], rows)];
}

export function markdown({ report }: RunResult, { baseline }: Context = {}): string {
  return withinLimit([
    `## ${marks[report.verdict]} Covenant: ${verdictWord(report)}`,
    text([verdictSentence(report), strictSentence(report)].filter((one) => one !== undefined).join(' ')),
    facts(report),
    totals(report),
    ...(baseline === undefined ? [] : section('Changed since the baseline', changed(baseline, report))),
    ...section(
      'Failures',
      failedAt(report, 'must').map((row) => card(row, report)),
    ),
    ...section(
      'Warnings',
      failedAt(report, 'should').map((row) => card(row, report)),
    ),
    ...section('Waivers', waivers(report)),
    ...section('Not tested', unjudged(report)),
    ...observations(report),
    ...section('Rules of your own', ownRules(report)),
  ]);
}

/** What CI services look for in the finished page, where an entity is a plain character again; what nobody sees parts it. */
const called = /(?<=&#64;|&#35;|\bGH-)(?=\w)/g;

/** On one line. */
const text = (value: string): string =>
  visible(oneLine(value))
    .replace(/[\\`*_[\]<>&|~@#]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(called, '&#8203;')
    .replaceAll('://', '&#58;//')
    .replaceAll('www.', 'www&#46;');
