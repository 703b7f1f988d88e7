// Where it holds and where not: a bar an area, failures first, and a map of operations by areas whose cells are links.

import type { CaseVerdict, Report, RequirementResult } from '../../result.ts';
import { byArea } from '../wording.ts';
import { both } from './before.ts';
import { areaAnchor, areaName } from './links.ts';
import { html, type Markup } from './markup.ts';
import { type Look, lookOf, wordOf } from './verdict.ts';

/** As they stand in a bar. */
const order: readonly Look[] = ['failed', 'warning', 'inconclusive', 'not-tested', 'passed', 'observed'];

function stack(rows: readonly RequirementResult[]): Markup {
  const counts = order.map((look) => [look, rows.filter((row) => lookOf(row) === look).length] as const);
  const present = counts.filter(([, count]) => count > 0);
  const said = present.map(([look, count]) => `${count} ${wordOf(look).toLowerCase()}`).join(', ');
  const pieces = present.map(([look, count]) => html`<i class="${look}" data-share="${count}"></i>`);
  return html`<span class="stack" role="img" aria-label="${said}">${pieces}</span> <span class="note">${said}</span>`;
}

const bar = (
  area: RequirementResult['area'],
  rows: readonly RequirementResult[],
  was: readonly RequirementResult[] | undefined,
): Markup =>
  html`<li><a href="#${areaAnchor(area)}">${areaName(area)}</a> ${both(stack(rows), was && stack(was))}</li>`;

const worst: readonly CaseVerdict[] = ['failed', 'inconclusive', 'not-tested', 'passed'];

interface Cell {
  readonly verdict: CaseVerdict;
  readonly count: number;
}

/** The worst verdict at an operation in an area, and how many requirements have it there. */
function cellOf(rows: readonly RequirementResult[], operation: string): Cell | undefined {
  for (const verdict of worst) {
    const count = rows.filter((row) =>
      row.cases.some((one) => one.operation === operation && one.verdict === verdict),
    ).length;
    if (count > 0) return { verdict, count };
  }
  return undefined;
}

const query = (operation: string, area: string, verdict: string): string =>
  `#?${new URLSearchParams({ operation, area, verdict })}`;

function mapRow(
  operation: string,
  areas: ReadonlyMap<RequirementResult['area'], readonly RequirementResult[]>,
): Markup {
  const cells = [...areas].map(([area, rows]) => {
    const cell = cellOf(rows, operation);
    if (cell === undefined) return html`<td></td>`;
    const { verdict, count } = cell;
    const name = `${operation}, ${areaName(area)}: ${count} ${wordOf(verdict).toLowerCase()}`;
    return html`<td class="${verdict}"><a href="${query(operation, area, verdict)}" aria-label="${name}">${verdict === 'passed' ? '·' : count}</a></td>`;
  });
  return html`<tr><th scope="row"><code>${operation}</code></th>${cells}</tr>`;
}

/** Those that a case was about, by their paths. */
export const operationsIn = (report: Report): readonly string[] =>
  [...new Set(report.requirements.flatMap(({ cases }) => cases.flatMap((one) => one.operation ?? [])))].sort(
    (one, other) => (one.split(' ')[1] ?? '').localeCompare(other.split(' ')[1] ?? ''),
  );

function map(report: Report): Markup {
  const areas = byArea(report);
  const operations = operationsIn(report);
  if (operations.length === 0) return html``;
  const caption = 'Operations by areas: how many requirements do not hold there, or are open; a dot where all hold';
  return html`<div class="scroll map" role="group" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr><th scope="col">Operation</th>${[...areas.keys()].map((area) => html`<th scope="col"><span>${areaName(area)}</span></th>`)}</tr></thead>
<tbody>${operations.map((operation) => mapRow(operation, areas))}</tbody></table></div>`;
}

export function areas(report: Report, baseline: Report | undefined): Markup {
  const were = baseline && byArea(baseline);
  if (report.requirements.length === 0) return html``;
  return html`<section id="areas" aria-labelledby="areas-title"><h2 id="areas-title">Areas</h2>
<ul class="bars">${[...byArea(report)].map(([area, rows]) => bar(area, rows, were?.get(area)))}</ul>${map(report)}</section>`;
}
