// The executive view: the verdict in numbers, what was and was not tested and why, area by area, what changed, what it cost.
import type { Area } from '../../catalogue/requirement.ts';
import type { CaseVerdict, JudgedTotals, Report, RequirementResult } from '../../result.ts';
import { counted, duration, short } from '../../runtime/text.ts';
import type { Context } from '../context.ts';
import { byArea, failedAt, filters, unjudgedByReason } from '../wording.ts';
import { changed } from './changed.ts';
import { areaLink, areaName, countLink, requirementLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { type Column, table } from './table.ts';
import { budgetTable } from './traffic.ts';
import { chip, lookOf, shape } from './verdict.ts';
import { waivers } from './waivers.ts';

const judged = ['passed', 'failed', 'not-tested', 'inconclusive'] as const satisfies readonly CaseVerdict[];
const mostOfText = 300;

const numbers: readonly Column[] = [
  { name: 'Passed', number: true },
  { name: 'Failed', number: true },
  { name: 'Not tested', number: true },
  // A soft hyphen: on a phone the word must break.
  { name: 'Incon\u00adclusive', number: true },
];

const countOf = (totals: JudgedTotals, verdict: (typeof judged)[number]): number =>
  totals[verdict === 'not-tested' ? 'not_tested' : verdict];

/** What the document lets a target leave out is observed where a target does so, even where it is a MUST. */
function notOffered({ requirements }: Report): Markup {
  const count = requirements.filter((row) => row.level === 'must' && row.verdict === 'observed').length;
  if (count === 0) return html``;
  return html`<p>${countLink(count, { level: 'must', verdict: 'observed' })} more MUST requirements are about what a target may leave out, and this one leaves it out.</p>`;
}

function result(report: Report): Markup {
  const { totals } = report;
  const row = (level: 'must' | 'should', name: string) => [
    name,
    ...judged.map((verdict) => countLink(countOf(totals[level], verdict), { level, verdict })),
  ];
  return html`<h3>Result</h3>
${table('Requirements by level and verdict. MUST: the document says it. SHOULD: it recommends it.', [{ name: 'Level' }, ...numbers], [row('must', 'MUST'), row('should', 'SHOULD')])}
<p>Beside them ${countLink(totals.observe.observed, { level: 'observe', verdict: 'observed' })} observations: what the target does where the document is silent. They are recorded and never judged.</p>
${notOffered(report)}`;
}

const listed = (
  row: RequirementResult,
): Markup => html`<li>${chip(lookOf(row))} ${requirementLink(row.id)} ${row.statement}
${row.impact === undefined ? '' : html`<p class="note">Impact: ${row.impact}</p>`}</li>`;

function findings(report: Report): Markup {
  const list = (title: string, rows: readonly RequirementResult[]) =>
    rows.length === 0 ? html`` : html`<h3>${title}</h3><ul class="plain">${rows.map(listed)}</ul>`;
  return html`${list('What does not hold', failedAt(report, 'must'))}${list('Warnings: recommended, and does not hold', failedAt(report, 'should'))}`;
}

function scope(report: Report): Markup {
  const left = filters(report);
  const groups = unjudgedByReason(report);
  return html`<h3 id="scope">What was and was not tested</h3>
<p>${left.length === 0 ? 'Everything that a run from outside can test was selected.' : `Left out by choice: ${left.join('; ')}.`}</p>
${groups.map(
  ([
    reason,
    rows,
  ]) => html`<details class="index"><summary>${shape(rows.some((row) => row.verdict === 'inconclusive') ? 'inconclusive' : 'not-tested')} ${counted(rows.length, 'requirement')}: ${short(reason, mostOfText)}</summary>
<ul>${rows.map((row) => html`<li>${requirementLink(row.id)} ${row.statement}</li>`)}</ul></details>`,
)}
${untestable(report)}`;
}

function untestable({ untestable: rows }: Report): Markup {
  if (rows.length === 0) return html``;
  return html`<details class="index"><summary>${counted(rows.length, 'statement')} of the document that no run from outside can test</summary>
${table(
  'Not testable, with the reason',
  [{ name: 'Statement' }, { name: 'Reason' }, { name: 'Section', wide: true }],
  rows.map((row) => [row.statement, row.reason, row.section]),
)}</details>`;
}

function areaRow([area, rows]: readonly [Area, readonly RequirementResult[]]) {
  const count = (verdict: CaseVerdict) =>
    rows.filter((row) => row.level !== 'observe' && row.verdict === verdict).length;
  return [
    html`<a href="#area-${area}" data-area="${area}">${areaName(area)}</a>`,
    ...judged.map((verdict) => areaLink(count(verdict), area, verdict)),
  ];
}

const areas = (report: Report): Markup => html`<h3 id="areas">Area by area</h3>
${table('MUST and SHOULD requirements under each heading of the document', [{ name: 'Area' }, ...numbers], [...byArea(report)].map(areaRow))}`;

function cost(report: Report): Markup {
  const sent = report.budget.reduce((sum, one) => sum + one.sent, 0);
  const left = report.residue.map(({ kind, id, name }) => [kind, html`<code>${id}</code>`, short(name, mostOfText)]);
  return html`<h3 id="cost">What the run took, and what it left</h3>
<p>${counted(sent, 'request')} in ${duration(report.run.duration_ms)}. Details: <a href="#traffic">requests over time</a>, <a href="#latency">how long replies took</a>.</p>
${report.budget.length === 0 ? '' : budgetTable(report)}
${left.length === 0 ? html`<p>The run left nothing behind.</p>` : table('Left behind, because the interface offers no way to delete it', [{ name: 'Kind' }, { name: 'Identifier' }, { name: 'Name' }], left)}`;
}

export const executive = (
  report: Report,
  { baseline }: Context,
): Markup => html`<section id="executive" class="view" aria-labelledby="executive-title">
<h2 id="executive-title">Executive summary</h2>
${result(report)}${findings(report)}${waivers(report)}${baseline === undefined ? '' : changed(report, baseline)}${areas(report)}${scope(report)}${cost(report)}
</section>`;
