// What a vendor shows: a certificate, where nothing rules one out; otherwise the same facts, folded, and what does.
import type { Report } from '../../result.ts';
import { duration, moment } from '../../runtime/text.ts';
import { filters, obstacles, outOfScope, profileOption, sumOf, verdictSentence } from '../wording.ts';
import { fold } from './fold.ts';
import { html, type Markup } from './markup.ts';
import type { Sheet } from './requirement.ts';
import { facts } from './table.ts';

function details(report: Report): Markup {
  const { suite, target, run, totals } = report;
  const judged = ({ passed, failed, not_tested, inconclusive }: typeof totals.must): string =>
    `${passed} passed, ${failed} failed, ${not_tested} not tested, ${inconclusive} inconclusive`;
  return facts([
    ['Target', html`<code>${target.base_url}${target.api_path}</code>`],
    ['Interface', `External REST Interface v2, ${target.interface}`],
    ['Suite', html`Covenant ${suite.version}, catalogue <code class="digest">${suite.catalogue}</code>`],
    ['Run', html`<code>${run.id}</code>, seed <code>${run.seed}</code>, effort ${run.options.effort}`],
    [
      'Begun and ended',
      html`<span class="whole">${moment(run.started_at)}</span> to <span class="whole">${moment(run.finished_at)}</span> (${duration(run.duration_ms)})`,
    ],
    ['Profile', [run.options.profile, outOfScope(report)].filter(Boolean).join('; out of scope by declaration: ')],
    ['Selected', filters(report).join('; ') || 'every requirement that can be tested'],
    ['Rate-limit minute', `${run.minute_ms} ms`],
    [`MUST (${sumOf(totals.must)})`, judged(totals.must)],
    [`SHOULD (${sumOf(totals.should)})`, judged(totals.should)],
    ['Observed', `${totals.observe.observed} answers where the document is silent`],
    ['Not testable from outside', `${report.untestable.length} statements, listed with their reasons`],
  ]);
}

export const isCertificate = (report: Report): boolean => obstacles(report).length === 0;

export const certificate = (
  report: Report,
): Markup => html`<section id="certificate" class="certificate" aria-labelledby="certificate-title">
<h2 id="certificate-title">Certificate of conformance</h2>
<p class="claim">Conformant. ${verdictSentence(report)}</p>
<p>This page states what was found at the time and with the suite named here. Anybody who has the credentials can repeat it: <code>covenant run --base-url ${report.target.base_url} --seed ${report.run.seed}${profileOption(report)}</code></p>
${details(report)}
</section>`;

export function noCertificate({ report, bodies }: Sheet): Markup {
  const body = html`<p>What rules a certificate out:</p><ul>${obstacles(report).map((one) => html`<li>${one}</li>`)}</ul>${details(report)}`;
  return html`<section id="certificate" aria-labelledby="certificate-title"><h2 id="certificate-title">No certificate</h2>
${fold({ id: 'ruled-out', summary: html`What rules it out, and the facts of this run`, body }, bodies)}</section>`;
}
