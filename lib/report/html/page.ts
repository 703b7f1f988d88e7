// The HTML report: one file that needs no network, loads nothing, and forbids itself to; its size is bounded, whatever came.
import { attribution, changeSections, compare, comparisonSentence } from '../../gate/compare.ts';
import { gateSentence, stateOf } from '../../gate/waivers.ts';
import type { Report, RunResult, Waived } from '../../result.ts';
import { duration, moment, short } from '../../runtime/text.ts';
import {
  type Again,
  byArea,
  type Context,
  certificateObstacles,
  failedAt,
  filters,
  foundBy,
  hostOf,
  outOfScope,
  profileOption,
  rootCauses,
  strictSentence,
  sumOf,
  took,
  undecided,
  verdictSentence,
  verdictWord,
} from '../wording.ts';
import { type Room, withWholeCurl } from './failure.ts';
import {
  areaAnchor,
  areaName,
  chip,
  facts,
  fold,
  html,
  lookOf,
  type Markup,
  requirementName,
  runLook,
  table,
  wholePage,
} from './markup.ts';
import { rulingTexts, type Sheet } from './requirement.ts';
import { script } from './script.ts';
import { cost, failed, observations, open, requirements } from './sections.ts';
import { base, parts } from './style.ts';

const style = `${base}${parts}\n`;
const mostOfHost = 30;
/** Bytes of UTF-8. */
export const mostBytes = 600_000;

/** From everything to what is needed most; the first that fits. */
const rooms: readonly (Omit<Room, 'whole'> & { readonly curl: number })[] = [
  { body: 4_000, groups: 20, curl: 100_000 },
  { body: 1_500, groups: 8, curl: 60_000 },
  { body: 800, groups: 4, curl: 30_000 },
  { body: 400, groups: 2, curl: 15_000 },
  { body: 150, groups: 1, curl: 5_000 },
  { body: 80, groups: 1, curl: 2_000 },
  { body: 40, groups: 1, curl: 0 },
];

function rail(report: Report): Markup {
  const link = (href: string, text: string, count: number): Markup =>
    count === 0 ? html`` : html`<li><a href="#${href}">${text} <span class="note">${count}</span></a></li>`;
  const counts = [...byArea(report)].map(([area, rows]) => {
    const bad = rows.filter((row) => row.verdict === 'failed').length;
    return html`<li><a href="#${areaAnchor(area)}">${areaName(area)} <span class="note">${bad === 0 ? rows.length : `${bad} of ${rows.length} failed`}</span></a></li>`;
  });
  return html`<nav class="rail" aria-label="Report">
<search class="filter" hidden><label>Search <input type="search" name="search" autocomplete="off"></label><p role="status" class="note"></p></search>
<ul>${link('failures', 'Failures', failedAt(report, 'must').length)}${link('warnings', 'Warnings', failedAt(report, 'should').length)}${link('open', 'Not tested', undecided(report.totals.must))}${link('observations', 'Observed', report.observations.length)}<li><a href="#cost">Traffic and cost</a></li></ul>
<ul class="areas">${counts}</ul></nav>`;
}

const installed =
  (report: Report): Again =>
  (id, seed) =>
    `covenant run --base-url ${report.target.base_url}${profileOption(report)} --requirement ${id} --seed ${seed}`;

function page({ report }: RunResult, context: Context, { curl, ...sizes }: (typeof rooms)[number]): string {
  const { baseline, rulings = {}, again = installed(report) } = context;
  const waiting = new Map(rootCauses(report).map(([cause, rows]) => [cause, rows.length]));
  const failedRows = [...failedAt(report, 'must'), ...failedAt(report, 'should')];
  const room = { ...sizes, whole: withWholeCurl(failedRows, curl) };
  const sheet: Sheet = { report, rulings, room, waiting, again };
  const content = html`${failed('must', sheet)}${failed('should', sheet)}${waivers(report)}${baseline === undefined ? '' : changed(report, baseline)}${open(sheet)}${requirements(sheet)}${observations(sheet)}${ownRules(report)}${rulingTexts(sheet)}${cost(sheet)}${thisRun(sheet)}`;
  return wholePage({
    title: `${report.verdict}: ${short(hostOf(report), mostOfHost)}`,
    style,
    look: runLook(report.verdict),
    script,
    content: html`<a class="skip" href="#main">Skip to the report</a>
${band(report)}
<div class="columns">
${rail(report)}
<main id="main">
${content}
</main>
</div>
<footer><p>Written by Covenant ${report.suite.version}. Secrets stand under the names of their variables. The same result as data: report.json.</p></footer>`,
  });
}

/** Deterministic: the same result gives the same bytes. */
export function htmlPage(result: RunResult, context: Context = {}): string {
  let made = '';
  for (const room of rooms) {
    made = page(result, context, room);
    if (Buffer.byteLength(made) <= mostBytes) return made;
  }
  return made;
}

const number = (count: number, word: string, href: string): Markup =>
  html`<li><a href="${href}"><b>${count}</b> ${word}</a></li>`;

function band(report: Report): Markup {
  const { target, totals, verdict, run, suite } = report;
  const { must } = totals;
  const numbers = html`<ul class="numbers">
${number(must.passed, 'held', '#requirements')}
${number(must.failed, 'failed', must.failed > 0 ? '#failures' : '#requirements')}
${number(undecided(must), 'open', undecided(must) > 0 ? '#open' : '#requirements')}
</ul>`;
  const sentence = strictSentence(report);
  const strict = sentence === undefined ? '' : html`\n<p class="sentence">${sentence}</p>`;
  return html`<header class="band ${runLook(verdict)}">
<p class="what">Conformance of <b>${target.base_url}</b> with External REST Interface v2 (${target.interface})</p>
<h1>${verdictWord(report)}</h1>
${verdict === 'aborted' ? html`<p class="sentence">${verdictSentence(report)}</p>` : numbers}${strict}
<p class="when">MUST requirements. ${moment(run.started_at)}, ${took(run)}, seed ${run.seed}, Covenant ${suite.version}</p>
</header>`;
}

const columns = [{ name: 'Rule' }, { name: 'Verdict' }, { name: 'What was found' }] as const;
const mostOfFinding = 400;

function ownRules({ own }: Report): Markup {
  if (own === undefined) return html``;
  const rows = own.requirements.map((row) => [
    html`<code>${row.id}</code> ${row.statement}`,
    chip(lookOf(row)),
    short(foundBy(row, own), mostOfFinding),
  ]);
  return html`<section id="own" aria-labelledby="own-title"><h2 id="own-title">Rules of your own</h2>
<p>No verdict and no certificate counts them.</p>
${table('Rules of your own', columns, rows)}</section>`;
}

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

/** A certificate is issued from the evidence of a run, and nothing of it here. */
function thisRun({ report }: Sheet): Markup {
  const against = certificateObstacles(report);
  const body = html`${
    against.length === 0
      ? html`<p>Nothing rules a certificate out; covenant certificate issues it, from evidence that is signed.</p>`
      : html`<p>What rules a certificate out:</p><ul>${against.map((one) => html`<li>${one}</li>`)}</ul>`
  }${details(report)}`;
  const summary = html`The facts of this run, and what rules a certificate out`;
  return html`<section id="facts" aria-labelledby="facts-title"><h2 id="facts-title">This run</h2>
${fold({ id: 'run', summary, body })}</section>`;
}

const waiverColumns = [
  { name: 'Requirement' },
  { name: 'State' },
  { name: 'Reason' },
  { name: 'Owner' },
  { name: 'Until' },
] as const;

/** Links are shown, not followed: whoever writes a waiver may write any address. */
const row = (one: Waived, known: ReadonlySet<string>) => [
  html`${requirementName(one.requirement, known)}${one.operation === undefined ? '' : html` at <code>${one.operation}</code>`}`,
  one.note === undefined ? stateOf(one) : `${stateOf(one)}: ${one.note}`,
  one.link === undefined ? one.reason : `${one.reason} (${one.link})`,
  one.owner,
  one.expires,
];

function waivers(report: Report): Markup {
  const { waivers: all = [], requirements } = report;
  if (all.length === 0) return html``;
  const known = new Set(requirements.map(({ id }) => id));
  return html`<section id="waivers" aria-labelledby="waivers-title"><h2 id="waivers-title">Waivers</h2>
<p>A waived failure is still a failure: a waiver lets the release gate pass for a time, and makes no verdict conformant. ${gateSentence(report)}</p>
${table(
  'Waivers that this run got',
  waiverColumns,
  all.map((one) => row(one, known)),
)}</section>`;
}

/** Longer lists are folded. */
const mostUnfolded = 12;

/** As the terminal says it: what changed since the baseline, attributed, and what could not be compared and why. */
function changed(report: Report, baseline: Report): Markup {
  const found = compare(baseline, report);
  const known = new Set(report.requirements.map(({ id }) => id));
  const sections = changeSections(found.changes, report).map(
    ({ title, lines }) =>
      html`<details class="index"${lines.length <= mostUnfolded ? html` open` : ''}><summary>${title}: ${lines.length}</summary><ul class="plain">${lines.map(
        ({ id, text }) => html`<li>${id === undefined ? '' : html`${requirementName(id, known)} `}${text}</li>`,
      )}</ul></details>`,
  );
  return html`<section id="changes" aria-labelledby="changes-title"><h2 id="changes-title">What changed since ${moment(baseline.run.started_at)}</h2>
<p>${comparisonSentence(found, report)} ${attribution(found.changes)}</p>${sections}</section>`;
}
