// What changed since the baseline: verdicts, answers, cost, each attributed, and what could not be compared and why.
import {
  type Change,
  type Changes,
  type CostChange,
  changes,
  incomparableIds,
  thresholds,
} from '../../gate/changes.ts';
import { attribution } from '../../gate/compare.ts';
import type { Report } from '../../result.ts';
import { counted, moment, short } from '../../runtime/text.ts';
import { html, type Markup, requirementLink, table } from './markup.ts';
import { chip, lookOf, wordOf } from './verdict.ts';

const mostOfText = 300;
/** Longer lists are folded. */
const mostUnfolded = 12;

const change = (row: Change): Markup => html`<li>${chip(lookOf(row))} ${requirementLink(row.id)} ${row.statement}
<p class="note">Before: ${wordOf(lookOf({ level: row.level, verdict: row.was })).toLowerCase()}${row.operations === undefined ? '' : `; new at ${row.operations.join(', ')}`}</p></li>`;

const list = (title: string, rows: readonly Change[]): Markup =>
  rows.length === 0
    ? html``
    : html`<details class="index"${rows.length <= mostUnfolded ? html` open` : ''}><summary>${title}: ${counted(rows.length, 'requirement')}</summary><ul class="plain">${rows.map(change)}</ul></details>`;

function answers({ answers: all }: Changes): Markup {
  if (all.length === 0) return html``;
  const rows = all.map(({ id, question, before, after }) => [
    html`${question} ${requirementLink(id)}`,
    short(before, mostOfText),
    short(after, mostOfText),
  ]);
  return html`<h3>Observed behaviour that changed</h3>${table('Where the document is silent: what the target did, and does now', [{ name: 'Question' }, { name: 'Before', labelled: true }, { name: 'Now', labelled: true }], rows)}`;
}

function cost({ cost: { sent, limits, throttled, latency } }: Changes): Markup {
  const rows = (what: string, unit: string, all: readonly CostChange[]) =>
    all.map((one) => [`${what}: ${one.what}`, `${one.before}${unit}`, `${one.after}${unit}`]);
  const all = [
    ...rows('Sent', '', sent),
    ...rows('Limit a minute', '', limits),
    ...rows('Refused unasked', '', throttled),
    ...rows('Median reply time', ' ms', latency),
  ];
  if (all.length === 0) return html``;
  const columns = [{ name: 'What' }, { name: 'Before', number: true }, { name: 'Now', number: true }] as const;
  return html`<h3>Budget and reply times</h3>${table('Budget and reply times that changed much', columns, all)}<p class="note">${thresholds}</p>`;
}

function terms({ terms: all }: Changes): Markup {
  return all.length === 0
    ? html``
    : html`<p>The two runs differ in their terms:</p><ul>${all.map((term) => html`<li>${term}</li>`)}</ul>`;
}

function uncompared(found: Changes): Markup {
  const { added, removed, reworded, unselectedBefore, unselectedNow } = found.incomparable;
  const part = (why: string, ids: readonly string[]) =>
    ids.length === 0
      ? html``
      : html`<li>${why}: ${ids.map((id, at) => html`${at === 0 ? '' : ', '}<code>${id}</code>`)}</li>`;
  const count = incomparableIds(found).length;
  if (count === 0) return html``;
  return html`<details class="index"><summary>${counted(count, 'requirement')} could not be compared</summary><ul>
${part('asked for the first time', added)}${part('no longer asked', removed)}${part('worded otherwise', reworded)}
${part('not selected before', unselectedBefore)}${part(
  'not selected now',
  unselectedNow.map(({ id }) => id),
)}</ul></details>`;
}

export function changed(report: Report, baseline: Report): Markup {
  const found = changes(baseline, report);
  const { failing, passing, undecided, withdrawn, answers: others } = found;
  const nothing = [failing, passing, undecided, withdrawn, others].every((some) => some.length === 0);
  return html`<section id="changes" aria-labelledby="changes-title"><h2 id="changes-title">What changed since ${moment(baseline.run.started_at)}</h2>
<p>${attribution(found)}</p>${terms(found)}${nothing ? html`<p>No verdict and no observed behaviour changed.</p>` : ''}
${list('Newly failing', failing)}${list('Newly passing', passing)}${list('No longer judged', undecided)}${list('No longer offered', withdrawn)}${answers(found)}${cost(found)}${uncompared(found)}</section>`;
}
