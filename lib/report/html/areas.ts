// Where it holds and where not: a bar an area of what is judged, failures first, and the number of what is only observed.

import type { Report, RequirementResult } from '../../result.ts';
import { byArea } from '../wording.ts';
import { both } from './before.ts';
import { areaAnchor, areaName } from './links.ts';
import { html, type Markup } from './markup.ts';
import { type Look, lookOf, wordOf } from './verdict.ts';

/** As they stand in a bar. */
const order: readonly Look[] = ['failed', 'warning', 'inconclusive', 'not-tested', 'passed'];

function stack(rows: readonly RequirementResult[]): Markup {
  const amount = (look: Look): number => rows.filter((row) => lookOf(row) === look).length;
  const present = order.map((look) => [look, amount(look)] as const).filter(([, count]) => count > 0);
  const said = [...present, ['observed', amount('observed')] as const]
    .filter(([, count]) => count > 0)
    .map(([look, count]) => `${count} ${wordOf(look).toLowerCase()}`)
    .join(', ');
  const pieces = present.map(([look, count]) => html`<i class="${look}" data-share="${count}"></i>`);
  return html`<span class="stack" role="img" aria-label="${said}">${pieces}</span> <span class="note">${said}</span>`;
}

const bar = (
  area: RequirementResult['area'],
  rows: readonly RequirementResult[],
  was: readonly RequirementResult[] | undefined,
): Markup =>
  html`<li><a href="#${areaAnchor(area)}">${areaName(area)}</a> ${both(stack(rows), was && stack(was))}</li>`;

export function areas(report: Report, baseline: Report | undefined): Markup {
  const were = baseline && byArea(baseline);
  if (report.requirements.length === 0) return html``;
  return html`<section id="areas" aria-labelledby="areas-title"><h2 id="areas-title">Areas</h2>
<ul class="bars">${[...byArea(report)].map(([area, rows]) => bar(area, rows, were?.get(area)))}</ul></section>`;
}
