// The first thing on the page: the verdict in its colour, and the three numbers that carry it, large.
import type { Report } from '../../result.ts';
import { moment } from '../../runtime/text.ts';
import { strictSentence, took, undecided, verdictSentence, verdictWord } from '../wording.ts';
import { both, viewSwitch, whose } from './before.ts';
import { html, type Markup } from './markup.ts';
import { runLook } from './verdict.ts';

const number = (count: Markup, word: string, href: string): Markup =>
  html`<li><a href="${href}"><b>${count}</b> ${word}</a></li>`;

const when = ({ run, suite }: Report): string =>
  `${moment(run.started_at)}, ${took(run)}, seed ${run.seed}, Covenant ${suite.version}`;

export function band(report: Report, baseline: Report | undefined): Markup {
  const { target, totals, verdict } = report;
  const { must } = totals;
  const was = baseline?.totals.must;
  const numbers = html`<ul class="numbers">
${number(both(must.passed, was?.passed), 'held', '#?level=must&verdict=passed')}
${number(both(must.failed, was?.failed), 'failed', '#?level=must&verdict=failed')}
${number(both(undecided(must), was && undecided(was)), 'open', '#?level=must&verdict=open')}
</ul>`;
  const sentence = strictSentence(report);
  const strict = sentence === undefined ? '' : html`\n<p class="sentence">${sentence}</p>`;
  return html`<header class="band ${runLook(verdict)}">
<p class="what">Conformance of <b>${both(target.base_url, baseline?.target.base_url)}</b> with External REST Interface v2 (${target.interface})</p>${
    baseline === undefined
      ? ''
      : html`
${whose(report, baseline)}`
  }
<h1>${both(verdictWord(report), baseline && verdictWord(baseline))}</h1>
${verdict === 'aborted' ? html`<p class="sentence">${verdictSentence(report)}</p>` : numbers}${strict}
<p class="when">MUST requirements. ${both(when(report), baseline && when(baseline))}</p>${baseline === undefined ? '' : viewSwitch(report, baseline)}
</header>`;
}
