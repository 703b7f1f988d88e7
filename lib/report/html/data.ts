// What the page keeps as text and makes elements of when it is needed: the insides of folds, an index to search, texts to copy.
import { type Shown, script } from '../../reproduce/script.ts';
import { library } from '../../reproduce/script-library.ts';
import { quoting } from '../../reproduce/shell.ts';
import type { Failure, Report, RequirementResult } from '../../result.ts';
import { short } from '../../runtime/text.ts';
import type { Rulings } from '../context.ts';
import { requestId } from '../wording.ts';
import { groupsOf } from './failure.ts';
import { html, lookOf, type Markup } from './markup.ts';
import type { Sheet } from './requirement.ts';

const mostOfValue = 1_500;
/** Stands in a script for the functions that all have in common. */
const libraryMark = '\u0001';

const fenced = (text: string): string => `\`\`\`\n${text.replaceAll('```', "'''")}\n\`\`\``;

/** All that a ticket needs. */
function issue(row: RequirementResult, report: Report, whole: ReadonlySet<Failure>): string {
  const { target, run, suite } = report;
  const [first] = groupsOf(row);
  if (first === undefined) return '';
  const { failure, operation } = first.first;
  const quote = quoting(failure, report);
  return [
    `### ${row.statement}`,
    `\`${row.id}\` (${row.level.toUpperCase()}, ${row.section})${operation === undefined ? '' : ` at \`${operation}\``}, ${row.cases.filter((one) => one.failure).length} cases`,
    `${failure.message}`,
    `Expected:\n${fenced(short(quote(failure.expected, 2), mostOfValue))}`,
    `Received:\n${fenced(short(quote(failure.actual, 2), mostOfValue))}`,
    ...(whole.has(failure) && failure.curl.length > 0 ? [`To see it:\n${fenced(failure.curl.join('\n'))}`] : []),
    ...(row.impact === undefined ? [] : [`Impact: ${row.impact}`]),
    `Found at ${target.base_url}, ${run.started_at}, run ${run.id}, seed ${run.seed}, Covenant ${suite.version}`,
  ].join('\n\n');
}

function copies(row: RequirementResult, { report, room }: Sheet, withScript: boolean) {
  const [first] = groupsOf(row);
  const ids = new Set(row.cases.flatMap(({ failure }) => failure?.exchanges ?? []));
  const seen = report.exchanges.filter(({ id }) => ids.has(id));
  const found: Shown | undefined = first && { requirement: row, failure: first.first.failure };
  return {
    issue: issue(row, report, room.whole),
    ids: seen.flatMap(({ response }) => requestId(response.body) ?? []).join('\n'),
    ...(withScript && found ? { script: script(found, report).replace(library, libraryMark) } : {}),
  };
}

/** Each once, however many requirements rest on it. */
function rulingTexts({ requirements }: Report, rulings: Rulings): Readonly<Record<string, string>> {
  const ids = new Set(requirements.flatMap((row) => row.rulings ?? []));
  const text = (id: string): Markup => {
    const found = rulings[id];
    if (found === undefined) return html`<code>${id}</code>`;
    return html`<b>${found.question}</b> ${found.ruling} <span class="note">Why: ${found.why} Readings: ${found.readings.join('; ')}. (<code>${id}</code>)</span>`;
  };
  return Object.fromEntries([...ids].map((id) => [id, String(text(id))]));
}

/** What the script of the page reads. */
export function data(sheet: Sheet, withScripts: boolean): object {
  const { report, bodies, rulings } = sheet;
  const failed = report.requirements.filter(({ verdict }) => verdict === 'failed');
  return {
    bodies: Object.fromEntries([...bodies].map(([id, body]) => [id, Array.isArray(body) ? body : String(body)])),
    rows: report.requirements.map((row) => [row.id, lookOf(row), row.level, row.area, row.statement]),
    copies: Object.fromEntries(failed.map((row) => [row.id, copies(row, sheet, withScripts)])),
    library,
    rulings: rulingTexts(report, rulings),
  };
}
