// The card of one failure: what was sent, expected and received side by side, the exchanges, and how to see it again.
import type { CaseResult, Failure, Report, ReportedExchange, RequirementResult } from '../../result.ts';
import { short, shown } from '../../runtime/text.ts';
import { difference } from './difference.ts';
import { block, credentialOf, exchangeDetails, exchangeLink, pathOf } from './exchange.ts';
import { html, type Markup } from './markup.ts';

const mostOfMessage = 600;
const mostOfLine = 300;

/** Exchanges by number, and the requirement under which each is shown in full: the first failure that points at it. */
export interface Exchanges {
  readonly byId: ReadonlyMap<number, ReportedExchange>;
  readonly home: ReadonlyMap<number, string>;
}

export function exchangesOf(report: Report): Exchanges {
  const home = new Map<number, string>();
  for (const row of report.requirements) {
    for (const id of row.cases.flatMap((one) => one.failure?.exchanges ?? [])) if (!home.has(id)) home.set(id, row.id);
  }
  return { byId: new Map(report.exchanges.map((exchange) => [exchange.id, exchange])), home };
}

/** The JSON pointers that a failure names, as `/data/id: ...`. */
function pointers({ expected, actual }: Failure): readonly string[] {
  const texts = [expected, actual].flat().filter((one) => typeof one === 'string');
  return texts.flatMap((text) => /^(\/[^\s:]+):/.exec(text)?.[1] ?? []);
}

function pair({ expected, actual }: Failure): Markup {
  const parts = difference(expected, actual);
  return html`<div class="pair">
<section class="side expected"><h6>Expected</h6>${block(parts.expected, 'Expected')}</section>
<section class="side received"><h6>Received</h6>${block(parts.received, 'Received')}</section>
</div>`;
}

function sent(exchanges: readonly ReportedExchange[], report: Report): Markup {
  const lines = exchanges.map(
    (exchange) =>
      html`<li><code>${exchange.request.method} ${short(pathOf(exchange, report), mostOfLine)}</code> ${credentialOf(exchange)}</li>`,
  );
  return lines.length === 0 ? html`` : html`<h6>Sent</h6><ol class="sent">${lines}</ol>`;
}

const command = (label: string, text: string): Markup =>
  html`<h6>${label}</h6><pre class="copy" tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;

function exchangeList(
  found: readonly ReportedExchange[],
  row: RequirementResult,
  first: boolean,
  failure: Failure,
  report: Report,
  { home }: Exchanges,
): Markup {
  const own = first ? found.filter(({ id }) => home.get(id) === row.id) : [];
  const elsewhere = found.filter((exchange) => !own.includes(exchange));
  const links =
    elsewhere.length === 0
      ? html``
      : html`<p class="note">Shown elsewhere: ${elsewhere.map((one) => html`${exchangeLink(one)} `)}</p>`;
  return html`${found.length === 0 ? '' : html`<h6>Exchanged</h6>`}${own.map((one) => exchangeDetails(one, report, pointers(failure)))}${links}`;
}

const counterexample = ({ counterexample: found }: Failure): Markup =>
  found === undefined
    ? html``
    : html`<h6>Counterexample</h6>${block([{ text: shown(found), differs: false }], 'Counterexample')}`;

/** Nothing where the case did not fail. `seen`: exchanges that an earlier card of this requirement shows. */
function failureCard(
  result: CaseResult,
  row: RequirementResult,
  report: Report,
  exchanges: Exchanges,
  seen: ReadonlySet<number>,
): Markup {
  const { failure, operation } = result;
  if (failure === undefined) return html``;
  const found = failure.exchanges.flatMap((id) => exchanges.byId.get(id) ?? []);
  return html`<article class="failure">
<h5>${operation === undefined ? '' : html`<code>${operation}</code> `}${short(failure.message, mostOfMessage)}</h5>
${sent(found, report)}
${pair(failure)}
${counterexample(failure)}
${exchangeList(
  found,
  row,
  found.every(({ id }) => !seen.has(id)),
  failure,
  report,
  exchanges,
)}
${failure.curl.length === 0 ? '' : command('As curl', failure.curl.join('\n'))}
</article>`;
}

/** Every failure of one requirement, and the command that looks for them again. */
export function failureCards(row: RequirementResult, report: Report, exchanges: Exchanges): Markup {
  const seen = new Set<number>();
  const cards = row.cases.map((result) => {
    const card = failureCard(result, row, report, exchanges, seen);
    for (const id of result.failure?.exchanges ?? []) seen.add(id);
    return card;
  });
  if (row.verdict !== 'failed') return html``;
  return html`${cards}${command('To see it again', `covenant run --requirement ${row.id} --seed ${report.run.seed}`)}`;
}
