// The executive view: the verdict in numbers, what was and was not tested and why, area by area, what changed, what it cost.
import type { Area } from '../../requirement.ts';
import { changes } from '../changes.ts';
import type { Context } from '../context.ts';
import type { CaseVerdict, JudgedTotals, Report, RequirementResult } from '../model.ts';
import { counted, duration, moment, short } from '../printable.ts';
import { byArea, failedAt, filters, unjudgedByReason } from '../wording.ts';
import { areaLink, countLink, requirementLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { type Column, table } from './table.ts';
import { budgetTable } from './traffic.ts';
import { chip, lookOf, shape } from './verdict.ts';

const judged = ['passed', 'failed', 'not-tested', 'inconclusive'] as const satisfies readonly CaseVerdict[];
const mostOfText = 300;

const numbers: readonly Column[] = [
  { name: 'Passed', number: true },
  { name: 'Failed', number: true },
  { name: 'Not tested', number: true },
  { name: 'Inconclusive', number: true },
];

const countOf = (totals: JudgedTotals, verdict: (typeof judged)[number]): number =>
  totals[verdict === 'not-tested' ? 'not_tested' : verdict];

function result({ totals }: Report): Markup {
  const row = (level: 'must' | 'should', name: string) => [
    name,
    ...judged.map((verdict) => countLink(countOf(totals[level], verdict), { level, verdict })),
  ];
  return html`<h3>Result</h3>
${table('Requirements by level and verdict', [{ name: 'Level' }, ...numbers], [row('must', 'MUST: the document says it'), row('should', 'SHOULD: it recommends it')])}
<p>Beside them ${countLink(totals.observe.observed, { level: 'observe', verdict: 'observed' })} observations: what the target does where the document is silent. They are recorded and never judged.</p>`;
}

const listed = (
  row: RequirementResult,
): Markup => html`<li>${chip(lookOf(row))} ${requirementLink(row.id)} ${row.statement}
${row.impact === undefined ? '' : html`<p class="note">What a client developer suffers: ${row.impact}</p>`}</li>`;

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
    html`<a href="#area-${area}" data-area="${area}">${area}</a>`,
    ...judged.map((verdict) => areaLink(count(verdict), area, verdict)),
  ];
}

const areas = (report: Report): Markup => html`<h3 id="areas">Area by area</h3>
${table('MUST and SHOULD requirements under each heading of the document', [{ name: 'Area' }, ...numbers], [...byArea(report)].map(areaRow))}`;

function changed(report: Report, baseline: Report): Markup {
  const { failing, passing, undecided, answers, incomparable } = changes(baseline, report);
  const list = (title: string, rows: readonly RequirementResult[]) =>
    rows.length === 0 ? html`` : html`<h4>${title}</h4><ul class="plain">${rows.map(listed)}</ul>`;
  const rows = answers.map(({ id, question, before, after }) => [
    html`${question} ${requirementLink(id)}`,
    short(before, mostOfText),
    short(after, mostOfText),
  ]);
  const nothing = failing.length + passing.length + undecided.length + answers.length === 0;
  return html`<h3 id="changes">What changed since ${moment(baseline.run.started_at)}</h3>
${nothing ? html`<p>No verdict and no observed behaviour.</p>` : ''}
${list('Newly failing', failing)}${list('Newly passing', passing)}${list('No longer judged', undecided)}
${rows.length === 0 ? '' : table('Observed behaviour that changed', [{ name: 'Question' }, { name: 'Before' }, { name: 'Now' }], rows)}
${incomparable.length === 0 ? '' : html`<details class="index"><summary>${counted(incomparable.length, 'requirement')} cannot be compared: asked in one run only, or worded otherwise</summary><ul>${incomparable.map((id) => html`<li><code>${id}</code></li>`)}</ul></details>`}`;
}

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
${result(report)}${findings(report)}${baseline === undefined ? '' : changed(report, baseline)}${areas(report)}${scope(report)}${cost(report)}
</section>`;
