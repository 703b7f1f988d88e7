// The first thing on the page: the verdict in its colour, and the three numbers that carry it, large.
import type { Report } from '../../result.ts';
import { duration, moment } from '../../runtime/text.ts';
import { undecided, verdictSentence } from '../wording.ts';
import { html, type Markup } from './markup.ts';
import { runLook } from './verdict.ts';

const number = (count: number, word: string, href: string): Markup =>
  html`<li><a href="${href}"><b>${count}</b> ${word}</a></li>`;

export function band(report: Report): Markup {
  const { target, run, totals, verdict } = report;
  const { must } = totals;
  const numbers = html`<ul class="numbers">
${number(must.passed, 'held', '#?level=must&verdict=passed')}
${number(must.failed, 'failed', '#?level=must&verdict=failed')}
${number(undecided(must), 'open', '#?level=must&verdict=open')}
</ul>`;
  return html`<header class="band ${runLook(verdict)}">
<p class="what">Conformance of <b>${target.base_url}</b> with External REST Interface v2 (${target.interface})</p>
<h1>${verdict}</h1>
${verdict === 'aborted' ? html`<p class="sentence">${verdictSentence(report)}</p>` : numbers}
<p class="when">MUST requirements. ${moment(run.started_at)}, ${duration(run.duration_ms)}, seed ${run.seed}, Covenant ${report.suite.version}</p>
</header>`;
}
