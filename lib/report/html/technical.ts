// The technical view: every requirement, what was observed, how the target was used and how fast it was, other exchanges.

import type { CaseVerdict, Report, RequirementResult } from '../../result.ts';
import { counted, short } from '../../runtime/text.ts';
import type { Rulings } from '../context.ts';
import { byArea } from '../wording.ts';
import { exchangeDetails } from './exchange.ts';
import { exchangesOf } from './failure.ts';
import { latency } from './latency.ts';
import { anchor, areaName, requirementLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { requirement } from './requirement.ts';
import { table } from './table.ts';
import { traffic } from './traffic.ts';
import { lookOf, shape, wordOf } from './verdict.ts';

const levels = ['must', 'should', 'observe'] as const;
const verdicts = ['failed', 'inconclusive', 'not-tested', 'passed', 'observed'] as const;
const mostOfAnswer = 600;

const option = (value: string, text: string): Markup => html`<option value="${value}">${text}</option>`;

/** Works by script only, which also makes it visible. */
const filter = (areas: readonly string[]): Markup => html`<search class="filter" hidden aria-label="Requirements">
<label>Search <input type="search" name="search" autocomplete="off"></label>
<label>Verdict <select name="verdict">${option('', 'any')}${verdicts.map((verdict) => option(verdict, wordOf(verdict)))}</select></label>
<label>Level <select name="level">${option('', 'any')}${levels.map((level) => option(level, level.toUpperCase()))}</select></label>
<label>Area <select name="area">${option('', 'any')}${areas.map((area) => option(area, areaName(area)))}</select></label>
<button type="button">Show all</button>
<p role="status" class="note"></p>
</search>`;

function indexEntry(level: RequirementResult['level'], verdict: CaseVerdict, report: Report): Markup {
  const rows = report.requirements.filter((row) => row.level === level && row.verdict === verdict);
  if (rows.length === 0) return html``;
  const look = lookOf({ level, verdict });
  return html`<details class="index" id="${anchor.index(level, verdict)}"${verdict === 'failed' ? html` open` : ''}>
<summary>${shape(look)} ${level.toUpperCase()}, ${wordOf(look).toLowerCase()}: ${counted(rows.length, 'requirement')}</summary>
<ul>${rows.map((row) => html`<li>${requirementLink(row.id)} ${row.statement}</li>`)}</ul>
</details>`;
}

/** Every number of the summary leads to one of these lists. */
const index = (report: Report): Markup =>
  html`<h3 id="by-verdict">By verdict</h3>${levels.map((level) => verdicts.map((verdict) => indexEntry(level, verdict, report)))}`;

function requirements(report: Report, rulings: Rulings): Markup {
  const exchanges = exchangesOf(report);
  const areas = byArea(report);
  return html`<h3 id="requirements">Requirements</h3>
${filter([...areas.keys()])}
${[...areas].map(
  ([
    area,
    rows,
  ]) => html`<section class="area" aria-labelledby="${anchor.area(area)}"><h4 id="${anchor.area(area)}">${areaName(area)}</h4>
${rows.map((row) => requirement(row, report, exchanges, rulings))}</section>`,
)}`;
}

function profile(report: Report): Markup {
  const rows = report.observations.map(({ id, question, answer }) => [
    question,
    short(answer, mostOfAnswer),
    requirementLink(id),
  ]);
  if (rows.length === 0) return html``;
  return html`<h3 id="profile">Observed behaviour</h3>
<p>Where the interface document is silent a target is free. This is what this one does; nothing here is judged, and a client that relies on it relies on more than is promised.</p>
${table('Every choice of the document and what this target does', [{ name: 'Question' }, { name: 'Answer' }, { name: 'Requirement', wide: true }], rows)}`;
}

function otherExchanges(report: Report): Markup {
  const { home } = exchangesOf(report);
  const rest = report.exchanges.filter(({ id }) => !home.has(id));
  if (rest.length === 0) return html``;
  return html`<h3 id="exchanges">Other exchanges</h3>
<p>${counted(rest.length, 'exchange')} behind the observations. Those of a failure stand beside it; all of the run, as a HAR file, come with <code>--reporter har</code>.</p>
${rest.map((exchange) => exchangeDetails(exchange, report))}`;
}

export const technical = (
  report: Report,
  rulings: Rulings,
): Markup => html`<section id="technical" class="view" aria-labelledby="technical-title">
<h2 id="technical-title">Technical report</h2>
${index(report)}${requirements(report, rulings)}${profile(report)}${traffic(report)}${latency(report)}${otherExchanges(report)}
</section>`;
