// The first page: what a vendor shows. A certificate where nothing rules it out, otherwise a page that says what does.
import type { Report } from '../../result.ts';
import { duration, moment } from '../../runtime/text.ts';
import { filters, obstacles, sumOf, verdictSentence } from '../wording.ts';
import { html, type Markup } from './markup.ts';
import { facts } from './table.ts';
import { shape } from './verdict.ts';

function details(report: Report): Markup {
  const { suite, target, run, totals } = report;
  const judged = ({ passed, failed, not_tested, inconclusive }: typeof totals.must): string =>
    `${passed} passed, ${failed} failed, ${not_tested} not tested, ${inconclusive} inconclusive`;
  return facts([
    ['Target', html`<code>${target.base_url}${target.api_path}</code>`],
    ['Interface', `External REST Interface v2, ${target.interface}`],
    ['Suite', html`Covenant ${suite.version}, catalogue <code class="digest">${suite.catalogue}</code>`],
    ['Run', html`<code>${run.id}</code>, seed <code>${run.seed}</code>, effort ${run.options.effort}`],
    ['Begun and ended', `${moment(run.started_at)} to ${moment(run.finished_at)} (${duration(run.duration_ms)})`],
    ['Selected', filters(report).join('; ') || 'every requirement that can be tested'],
    ['Rate-limit minute', `${run.minute_ms} ms`],
    [`MUST (${sumOf(totals.must)})`, judged(totals.must)],
    [`SHOULD (${sumOf(totals.should)})`, judged(totals.should)],
    ['Observed', `${totals.observe.observed} answers where the document is silent`],
    ['Not testable from outside', `${report.untestable.length} statements, listed with their reasons`],
  ]);
}

function statement(report: Report): Markup {
  const against = obstacles(report);
  if (against.length === 0) {
    return html`<h2 id="certificate-title">Certificate of conformance</h2>
<p class="claim">${shape('passed')} Conformant. ${verdictSentence(report)}</p>
<p>This page states what was found at the time and with the suite named here. Anybody who has the credentials can repeat it: <code>covenant run --base-url ${report.target.base_url} --seed ${report.run.seed}</code></p>`;
  }
  return html`<h2 id="certificate-title">No certificate</h2>
<p class="claim">${shape('not-tested')} ${verdictSentence(report)}</p>
<p>What rules a certificate out:</p><ul>${against.map((one) => html`<li>${one}</li>`)}</ul>`;
}

export const certificate = (
  report: Report,
): Markup => html`<section id="certificate" class="view" aria-labelledby="certificate-title">
${statement(report)}${details(report)}
</section>`;
