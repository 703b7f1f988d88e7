// The HTML report: one file that needs no network, loads nothing, and forbids itself to; its size is bounded, whatever came.
import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { Report, RunResult } from '../../result.ts';
import { short } from '../../runtime/text.ts';
import type { Context } from '../context.ts';
import { byArea, failedAt, hostOf, profileOption, rootCauses, undecided } from '../wording.ts';
import { areas } from './areas.ts';
import { band } from './band.ts';
import { beforeOf, failedBefore } from './before.ts';
import { certificate, isCertificate, noCertificate } from './certificate.ts';
import { changed } from './changed.ts';
import { data } from './data.ts';
import { type Again, type Room, withWholeCurl } from './failure.ts';
import { areaAnchor, areaName } from './links.ts';
import { type Markup, html as markup } from './markup.ts';
import { ownRules } from './own.ts';
import type { Sheet } from './requirement.ts';
import { script } from './script.ts';
import { cost, failed, observations, open, requirements } from './sections.ts';
import { base } from './style.ts';
import { parts } from './style-parts.ts';
import { runLook } from './verdict.ts';
import { waivers } from './waivers.ts';

const style = `${base}${parts}\n`;
const mostOfHost = 30;
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only our own style and script run; nothing that a target wrote could, even if it were not escaped. */
const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`;

/** Bytes of UTF-8. */
export const mostBytes = 600_000;

/** From everything to what is needed most; the first that fits. */
const rooms: readonly (Omit<Room, 'whole'> & { readonly curl: number; readonly scripts: boolean })[] = [
  { body: 4_000, groups: 20, curl: 100_000, scripts: true },
  { body: 1_500, groups: 8, curl: 60_000, scripts: true },
  { body: 800, groups: 4, curl: 30_000, scripts: true },
  { body: 400, groups: 2, curl: 15_000, scripts: false },
  { body: 150, groups: 1, curl: 5_000, scripts: false },
  { body: 80, groups: 1, curl: 2_000, scripts: false },
  { body: 40, groups: 1, curl: 0, scripts: false },
];

const head = (report: Report): Markup => markup`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="covenant ${report.suite.version}">
<title>${report.verdict}: ${short(hostOf(report), mostOfHost)}</title>
<style>${raw(style)}</style>
</head>`;

function rail(report: Report): Markup {
  const link = (href: string, text: string, count: number): Markup =>
    count === 0 ? markup`` : markup`<li><a href="#${href}">${text} <span class="note">${count}</span></a></li>`;
  const counts = [...byArea(report)].map(([area, rows]) => {
    const bad = rows.filter((row) => row.verdict === 'failed').length;
    return markup`<li><a href="#${areaAnchor(area)}">${areaName(area)} <span class="note">${bad === 0 ? rows.length : `${bad} of ${rows.length} failed`}</span></a></li>`;
  });
  return markup`<nav class="rail" aria-label="Report">
<search class="filter" hidden><label>Search <input type="search" name="search" autocomplete="off"></label> <button type="button" class="keys">Keys</button><p role="status" class="note"></p></search>
<ul>${link('failures', 'Failures', failedAt(report, 'must').length)}${link('warnings', 'Warnings', failedAt(report, 'should').length)}${link('open', 'Not tested', undecided(report.totals.must))}${link('observations', 'Observed', report.observations.length)}<li><a href="#cost">Traffic and cost</a></li></ul>
<ul class="areas">${counts}</ul></nav>`;
}

const keys = markup`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous failure</dd><dt><kbd>/</kbd></dt><dd>search</dd><dt><kbd>c</kbd></dt><dd>copy the open failure as an issue</dd><dt><kbd>Esc</kbd></dt><dd>close</dd></dl><button type="button">Close</button></dialog>`;

const installed =
  (report: Report): Again =>
  (id, seed) =>
    `covenant run --base-url ${report.target.base_url}${profileOption(report)} --requirement ${id} --seed ${seed}`;

function page({ report }: RunResult, context: Context, { curl, scripts, ...sizes }: (typeof rooms)[number]): string {
  const { baseline, rulings = {}, again = installed(report) } = context;
  const waiting = new Map(rootCauses(report).map(([cause, rows]) => [cause, rows.length]));
  const before = beforeOf(report, baseline);
  const failedRows = [...failedAt(report, 'must'), ...failedAt(report, 'should')];
  const room = { ...sizes, whole: withWholeCurl(failedRows, curl) };
  const sheet: Sheet = { report, rulings, bodies: new Map(), before, room, waiting, again };
  const whole = isCertificate(report);
  const content = markup`${whole ? certificate(report) : ''}<div class="now">${failed('must', sheet)}${failed('should', sheet)}</div>${baseline === undefined ? '' : failedBefore(baseline)}${waivers(report)}${baseline === undefined ? '' : changed(report, baseline)}${open(sheet)}${areas(report, baseline)}${requirements(sheet)}${observations(sheet)}${ownRules(report)}${cost(sheet)}${whole ? '' : noCertificate(sheet)}`;
  return String(markup`<!DOCTYPE html>
<html lang="en">
${head(report)}
<body class="${runLook(report.verdict)}">
<a class="skip" href="#main">Skip to the report</a>
${band(report, baseline)}
<div class="columns">
${rail(report)}
<main id="main">
<noscript><p class="note">Details open by script, which is off here; report.json and summary.md hold them too.</p></noscript>
${content}
</main>
</div>
<footer><p>Written by Covenant ${report.suite.version}. Secrets stand under the names of their variables. The same result as data: report.json.</p></footer>
${keys}
<script type="application/json" id="data">${data(sheet, scripts)}</script>
<script>${raw(script)}</script>
</body>
</html>
`);
}

/** Deterministic: the same result gives the same bytes. */
export function html(result: RunResult, context: Context = {}): string {
  let made = '';
  for (const room of rooms) {
    made = page(result, context, room);
    if (Buffer.byteLength(made) <= mostBytes) return made;
  }
  return made;
}
