// Before and after: what stands on the page for both runs, of which the switch shows one, and the mark of what changed.
import { type Changes, changes } from '../../gate/changes.ts';
import type { Report, RequirementResult } from '../../result.ts';
import { counted, moment } from '../../runtime/text.ts';
import { failedAt } from '../wording.ts';
import { html, type Markup, requirementLink } from './markup.ts';
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

/** What the run before said, where it said otherwise. */
export function wasOtherwise({ id }: RequirementResult, before: Before): Markup {
  const was = before.get(id);
  return was === undefined ? html`` : html` <span class="mark">was ${wordOf(was).toLowerCase()}</span>`;
}

/** What a reader looks for first: how much is worse, and how much better. */
function inShort({ failing, passing }: Changes): string {
  const parts = [[failing, 'newly fail'] as const, [passing, 'newly hold'] as const];
  const said = parts
    .filter(([rows]) => rows.length > 0)
    .map(([rows, what]) => `${rows.length} ${rows.length === 1 ? what.replace(/(fail|hold)$/, '$1s') : what}`);
  return said.join(', ') || 'No verdict is worse or better';
}

/** Of which run the band speaks; of this one, how it differs. */
export const whose = (report: Report, baseline: Report): Markup =>
  html`<p class="whose">${both(html`<b>This run.</b> ${inShort(changes(baseline, report))}.`, html`<b>The run before.</b>`)}</p>`;

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
