// What changed since the baseline, attributed, and what could not be compared and why: as the terminal says it.
import { attribution, changeSections, compare, comparisonSentence } from '../../gate/compare.ts';
import type { Report } from '../../result.ts';
import { moment } from '../../runtime/text.ts';
import { html, type Markup, requirementName } from './markup.ts';

/** Longer lists are folded. */
const mostUnfolded = 12;

export function changed(report: Report, baseline: Report): Markup {
  const found = compare(baseline, report);
  const known = new Set(report.requirements.map(({ id }) => id));
  const sections = changeSections(found.changes, report).map(
    ({ title, lines }) =>
      html`<details class="index"${lines.length <= mostUnfolded ? html` open` : ''}><summary>${title}: ${lines.length}</summary><ul class="plain">${lines.map(
        ({ id, text }) => html`<li>${id === undefined ? '' : html`${requirementName(id, known)} `}${text}</li>`,
      )}</ul></details>`,
  );
  return html`<section id="changes" aria-labelledby="changes-title"><h2 id="changes-title">What changed since ${moment(baseline.run.started_at)}</h2>
<p>${comparisonSentence(found, report)} ${attribution(found.changes)}</p>${sections}</section>`;
}
