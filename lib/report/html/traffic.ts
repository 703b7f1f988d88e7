// Requests of each class over time against the limits: a chart a class, and the same as a table.
import { documentedMinuteMs, type RateClass } from '../../catalogue/operations.ts';
import type { Report, Spending, Traffic } from '../../result.ts';
import { duration } from '../../runtime/text.ts';
import { html, type Markup } from './markup.ts';
import { type Column, table } from './table.ts';

const classes: readonly RateClass[] = ['read', 'write', 'validate'];
const box = { width: 360, height: 180, left: 34, right: 8, top: 12, bottom: 26 } as const;
const inner = { width: box.width - box.left - box.right, height: box.height - box.top - box.bottom } as const;
/** Kinds of lines, by colour and dashes. */
const kinds = 8;
/** Units between two labels that do not touch. */
const labelHeight = 12;
/** Points of a line: finer than a screen shows serves nobody. */
const mostPoints = 320;

/**
 * Requests in the rate-limit minute that ends with each slice: the number that a limit is about. Whole slices only, as
 * many as fit into a minute, so that a run that kept to its limits is never drawn beyond them.
 */
export function inTheMinute({ sent, slice_ms }: Traffic, minuteMs: number): readonly number[] {
  const span = Math.max(1, Math.floor(minuteMs / slice_ms));
  let sum = 0;
  return sent.map((count, at) => {
    sum += count - (sent[at - span] ?? 0);
    return sum;
  });
}

/** The greatest value of each stretch, so that a peak is never drawn away. */
function thinned(values: readonly number[]): readonly number[] {
  const stretch = Math.ceil(values.length / mostPoints);
  if (stretch <= 1) return values;
  return Array.from({ length: Math.ceil(values.length / stretch) }, (_, at) =>
    Math.max(...values.slice(at * stretch, (at + 1) * stretch)),
  );
}

function path(values: readonly number[], top: number): string {
  const points = thinned(values);
  const x = (at: number): string => (box.left + (inner.width * (at + 1)) / points.length).toFixed(1);
  const y = (value: number): string => (box.top + inner.height * (1 - value / top)).toFixed(1);
  return `M${box.left} ${y(0)}${points.map((value, at) => `V${y(value)}H${x(at)}`).join('')}`;
}

/** How many times the greatest number of requests a limit may be and still be drawn. */
const farBeyond = 10;

interface Chart {
  readonly name: RateClass;
  readonly lines: readonly Traffic[];
  readonly limits: readonly Spending[];
  readonly minuteMs: number;
}

const limitOf = (limits: readonly Spending[], account: string): number | undefined =>
  limits.find((one) => one.account === account)?.limit;

function described({ name, lines, limits, minuteMs }: Chart): string {
  const said = lines.map((line) => {
    const limit = limitOf(limits, line.account);
    return `${line.account} at most ${Math.max(0, ...inTheMinute(line, minuteMs))}${limit === undefined ? '' : ` of ${limit}`}`;
  });
  return `Requests of class ${name} in the minute before each moment: ${said.join('; ')}.`;
}

/** Those of the heights that can be labelled without touching another label; the highest first. */
function labelled(heights: readonly number[], bottom: number): readonly number[] {
  const sorted = [...heights].sort((one, two) => one - two);
  const kept: number[] = [];
  for (const height of sorted) {
    if (height - (kept.at(-1) ?? -labelHeight) >= labelHeight && bottom - height >= labelHeight) kept.push(height);
  }
  return kept;
}

function axes(top: number, limits: readonly Spending[], runMs: number): Markup {
  const bottom = box.top + inner.height;
  const heightOf = (limit: number): number => Math.round((bottom - inner.height * (limit / top)) * 10) / 10;
  const drawn = new Map(limits.map(({ limit }) => [heightOf(limit), limit]));
  const right = box.width - box.right;
  return html`<path class="axis" d="M${box.left} ${box.top}V${bottom}H${right}"/>
<text x="${box.left - 5}" y="${bottom}" text-anchor="end">0</text>
${[...drawn.keys()].map((height) => html`<path class="limit" d="M${box.left} ${height}H${right}"/>`)}
${labelled([...drawn.keys()], bottom).map((height) => html`<text x="${box.left - 5}" y="${height + 4}" text-anchor="end">${drawn.get(height)}</text>`)}
<text x="${box.left}" y="${box.height - 8}">0 s</text><text x="${right}" y="${box.height - 8}" text-anchor="end">${duration(runMs)}</text>`;
}

function chart(one: Chart, accounts: readonly string[]): Markup {
  const { name, lines, limits, minuteMs } = one;
  const peaks = lines.flatMap((line) => inTheMinute(line, minuteMs));
  // A limit far beyond what was sent would press the lines flat: it is named and not drawn.
  const near = limits.filter(({ limit }) => limit <= farBeyond * Math.max(10, ...peaks));
  const top = 1.1 * Math.max(1, ...peaks, ...near.map(({ limit }) => limit));
  const runMs = Math.max(...lines.map((line) => line.sent.length * line.slice_ms));
  return html`<figure class="chart"><svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${described(one)}">
${axes(top, near, runMs)}
${lines.map((line) => html`<path class="line line-${accounts.indexOf(line.account) % kinds}" d="${path(inTheMinute(line, minuteMs), top)}"/>`)}
</svg><figcaption>Class ${name}: requests in the minute before, dashed the limit</figcaption></figure>`;
}

const legend = (accounts: readonly string[]): Markup =>
  html`<ul class="legend">${accounts.map(
    (account, at) =>
      html`<li><svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true" focusable="false"><path class="line line-${at % kinds}" d="M0 4H28"/></svg> ${account}</li>`,
  )}</ul>`;

const columns: readonly Column[] = [
  { name: 'Account' },
  { name: 'Class' },
  { name: 'Limit a minute', number: true },
  { name: 'Sent', number: true },
  { name: 'Most in a minute', number: true },
  { name: 'Refused unasked', number: true },
];

const planned: Column = { name: 'Planned', number: true };

/** With what the dry run before the run foretold, where there was one. */
export function budgetTable({ budget, traffic: lines, run, plan }: Report): Markup {
  const rows = budget.map(({ account, class: name, limit, sent, throttled }) => {
    const foretold = plan?.requests.find((one) => one.account === account && one.class === name)?.requests ?? 0;
    const line = lines.find((one) => one.account === account && one.class === name);
    return [
      account,
      name,
      limit,
      sent,
      line === undefined ? '' : Math.max(0, ...inTheMinute(line, run.minute_ms)),
      throttled,
      ...(plan === undefined ? [] : [foretold]),
    ];
  });
  const all = plan === undefined ? columns : [...columns, planned];
  return table('Requests per account and class; refused unasked are 429s that no case was about', all, rows);
}

/** Lines above the dashed one are meant: some cases exceed a limit to see it enforced. */
export function traffic(report: Report): Markup {
  const { traffic: all, budget, run } = report;
  if (all.length === 0) return html``;
  const accounts = [...new Set(all.map((line) => line.account))];
  const charts = classes.flatMap((name) => {
    const lines = all.filter((line) => line.class === name && line.sent.length > 0);
    return lines.length === 0
      ? []
      : [{ name, lines, limits: budget.filter((one) => one.class === name), minuteMs: run.minute_ms }];
  });
  return html`<p>What each account had sent in the ${run.minute_ms === documentedMinuteMs ? '60 seconds' : `${run.minute_ms} ms (the target's minute)`} before each moment of the run. The rate-limit cases exceed a limit on purpose.</p>
${legend(accounts)}<div class="charts">${charts.map((one) => chart(one, accounts))}</div>`;
}
