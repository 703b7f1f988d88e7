// Before and after: what stands on the page for both runs, of which the switch shows one, and the mark of what changed.
import type { Report, RequirementResult } from '../../result.ts';
import { counted, moment } from '../../runtime/text.ts';
import { failedAt } from '../wording.ts';
import { requirementLink } from './links.ts';
import { html, type Markup } from './markup.ts';
import { chip, type Look, lookOf, wordOf } from './verdict.ts';

/** Looks of the requirements whose verdict was another one in the baseline. */
export type Before = ReadonlyMap<string, Look>;

export function beforeOf(report: Report, baseline: Report | undefined): Before {
  const were = new Map(baseline?.requirements.map((row) => [row.id, row]));
  return new Map(
    report.requirements.flatMap((row) => {
      const was = were.get(row.id);
      return was === undefined || lookOf(was) === lookOf(row) ? [] : [[row.id, lookOf(was)] as const];
    }),
  );
}

/** The one of two that belongs to the run that is shown. */
export const both = (now: Markup | string | number, was: Markup | string | number | undefined): Markup =>
  was === undefined || String(now) === String(was)
    ? html`${now}`
    : html`<span class="now">${now}</span><span class="was">${was}</span>`;

/** The verdict of a requirement in the run that is shown; where the other run says otherwise, what it says. */
export function chips(row: RequirementResult, before: Before): Markup {
  const [now, was] = [lookOf(row), before.get(row.id)];
  if (was === undefined) return chip(now);
  const mark = (word: string, look: Look): Markup =>
    html`<span class="mark">${word} ${wordOf(look).toLowerCase()}</span>`;
  return html`<span class="now">${chip(now)} ${mark('was', was)}</span><span class="was">${chip(was)} ${mark('now', now)}</span>`;
}

/** Shown by the script, which it needs. */
export const viewSwitch = (report: Report, baseline: Report): Markup =>
  html`<p class="views" role="group" aria-label="Which run is shown" hidden><button type="button" data-view="now" aria-pressed="true">This run, ${moment(report.run.started_at)}</button> <button type="button" data-view="before" aria-pressed="false">Before, ${moment(baseline.run.started_at)}</button></p>`;

/** In place of this run's failures while the run before is shown. */
export function failedBefore(baseline: Report): Markup {
  const rows = [...failedAt(baseline, 'must'), ...failedAt(baseline, 'should')];
  const list = rows.map((row) => html`<li>${chip(lookOf(row))} ${requirementLink(row.id)} ${row.statement}</li>`);
  return html`<section class="was" aria-labelledby="failed-before-title"><h2 id="failed-before-title">Failures before (${rows.length})</h2>
<p class="note">${rows.length === 0 ? 'Every requirement that was judged held.' : `${counted(rows.length, 'requirement')} did not hold in the run of ${moment(baseline.run.started_at)}; its own report shows how.`}</p><ul class="plain">${list}</ul></section>`;
}
