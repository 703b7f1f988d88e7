// One requirement, folded: its verdict and statement in one line; inside, everything that is known of it.
import { isWaived } from '../../gate/coverage.ts';
import type { Report, RequirementResult } from '../../result.ts';
import { duration, short } from '../../runtime/text.ts';
import type { Rulings } from '../context.ts';
import { type Exchanges, failureCards } from './failure.ts';
import { anchor } from './links.ts';
import { html, type Markup } from './markup.ts';
import { type Column, facts, table } from './table.ts';
import { chip, levelChip, lookOf } from './verdict.ts';

const mostOfReason = 600;
const columns: readonly Column[] = [{ name: 'Case' }, { name: 'Verdict' }, { name: 'Took', number: true }];

function cases(row: RequirementResult): Markup {
  if (row.cases.length === 0) return html``;
  const rows = row.cases.map((one, at) => [
    one.operation === undefined ? `case ${at + 1}` : html`<code>${one.operation}</code>`,
    html`${chip(lookOf({ level: row.level, verdict: one.verdict }))}${one.reason === undefined ? '' : html` <span class="note">${short(one.reason, mostOfReason)}</span>`}`,
    duration(one.duration_ms),
  ]);
  return table(`Cases of ${row.id}`, columns, rows);
}

function ruling(id: string, rulings: Rulings): Markup {
  const found = rulings[id];
  if (found === undefined) return html`<li><code>${id}</code></li>`;
  return html`<li><b>${found.question}</b> ${found.ruling} <span class="note">Why: ${found.why} Readings: ${found.readings.join('; ')}. (<code>${id}</code>)</span></li>`;
}

function known(row: RequirementResult, rulings: Rulings): Markup {
  const ids = row.rulings ?? [];
  return facts([
    ['Section', row.section],
    ...(row.reason === undefined ? [] : [['Why', short(row.reason, mostOfReason)] as const]),
    ...(row.impact === undefined ? [] : [['Impact on client developers', row.impact] as const]),
    ...(ids.length === 0
      ? []
      : [['How the document is read', html`<ul>${ids.map((id) => ruling(id, rulings))}</ul>`] as const]),
  ]);
}

/** What failed stands open; all else is folded. */
export function requirement(row: RequirementResult, report: Report, exchanges: Exchanges, rulings: Rulings): Markup {
  const answer = report.observations.find(({ id }) => id === row.id)?.answer;
  return html`<details class="requirement ${lookOf(row)}" id="${anchor.requirement(row.id)}" data-verdict="${row.verdict}" data-level="${row.level}" data-area="${row.area}"${row.verdict === 'failed' ? html` open` : ''}>
<summary><span class="verdicts">${chip(lookOf(row))} ${levelChip(row.level)}${isWaived(report, row) ? html` <span class="level">WAIVED</span>` : ''}</span> <span class="statement">${row.statement}</span> <code class="id">${row.id}</code></summary>
<div class="body">${answer === undefined ? '' : html`<p><b>Answer:</b> ${short(answer, mostOfReason)}</p>`}${known(row, rulings)}${failureCards(row, report, exchanges)}${cases(row)}</div>
</details>`;
}
