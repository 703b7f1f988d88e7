// Requests over time against the limits: a small chart an account and class, and the same as a table.
import { documentedMinuteMs } from '../../catalogue/operations.ts';
import type { Report, Traffic } from '../../result.ts';
import { defined } from '../../runtime/defined.ts';
import { duration } from '../../runtime/text.ts';
import { type Column, html, type Markup, table } from './markup.ts';

const box = { width: 300, height: 116, left: 38, right: 38, top: 12, bottom: 22 } as const;
const inner = { width: box.width - box.left - box.right, height: box.height - box.top - box.bottom } as const;
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

/** How many times the greatest number of requests a limit may be and still be drawn: beyond, it would press the line flat. */
const farBeyond = 10;

interface Chart {
  readonly line: Traffic;
  /** Requests a minute; absent where nobody knows it. */
  readonly limit?: number;
  readonly minuteMs: number;
}

/** What the chart shows, in a sentence. */
function described({ account, class: name }: Traffic, peak: number, limit: number | undefined): string {
  const most = `${account}, ${name}: at most ${peak}${limit === undefined ? '' : ` of ${limit}`} in a minute`;
  return limit !== undefined && peak > limit ? `${most}; shaded, the limit was exceeded on purpose` : most;
}

function steps(values: readonly number[], y: (value: number) => number): string {
  const x = (at: number): string => (box.left + (inner.width * (at + 1)) / values.length).toFixed(1);
  return values.map((value, at) => `V${y(value)}H${x(at)}`).join('');
}

function chart({ line, limit, minuteMs }: Chart): Markup {
  const values = thinned(inTheMinute(line, minuteMs));
  const peak = Math.max(0, ...values);
  const drawn = limit !== undefined && limit <= farBeyond * Math.max(10, peak) ? limit : undefined;
  const top = 1.1 * Math.max(1, peak, drawn ?? 0);
  const y = (value: number): number => Math.round((box.top + inner.height * (1 - value / top)) * 10) / 10;
  const [bottom, right] = [y(0), box.width - box.right];
  const said = described(line, peak, limit);
  const beyond =
    drawn === undefined || peak <= drawn
      ? ''
      : html`<path class="beyond" d="M${box.left} ${y(drawn)}${steps(
          values.map((value) => Math.max(value, drawn)),
          y,
        )}V${y(drawn)}Z"/>`;
  const border =
    drawn === undefined
      ? ''
      : html`<path class="limit" d="M${box.left} ${y(drawn)}H${right}"/><text x="${box.left - 5}" y="${y(drawn) + 4}" text-anchor="end">${drawn}</text>`;
  return html`<figure class="chart"><svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${said}">
<path class="axis" d="M${box.left} ${box.top}V${bottom}H${right}"/>${beyond}${border}
<path class="line" d="M${box.left} ${bottom}${steps(values, y)}"/>
<text x="${right + 5}" y="${y(peak) + 4}">${peak}</text>
<text x="${box.left}" y="${box.height - 6}">0 s</text><text x="${right}" y="${box.height - 6}" text-anchor="end">${duration(line.sent.length * line.slice_ms)}</text>
</svg><figcaption>${said}</figcaption></figure>`;
}

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
      limit ?? 'none',
      sent,
      line === undefined ? '' : Math.max(0, ...inTheMinute(line, run.minute_ms)),
      throttled,
      ...(plan === undefined ? [] : [foretold]),
    ];
  });
  const all = plan === undefined ? columns : [...columns, planned];
  return table('Requests per account and class; refused unasked are 429s that no case was about', all, rows);
}

/** Where a line is above the dashed one, that is meant: some cases exceed a limit to see it enforced. */
export function traffic({ traffic: all, budget, run }: Report): Markup {
  const lines = all.filter((line) => line.sent.some((count) => count > 0));
  if (lines.length === 0) return html``;
  const charts = lines.map((line) => {
    const limit = budget.find((one) => one.account === line.account && one.class === line.class)?.limit ?? undefined;
    return chart({ line, minuteMs: run.minute_ms, ...defined({ limit }) });
  });
  return html`<p>What each account had sent in the ${run.minute_ms === documentedMinuteMs ? '60 seconds' : `${run.minute_ms} ms (the target's minute)`} before each moment of the run: to the left its limit, dashed, to the right the most that it sent.</p>
<div class="charts">${charts}</div>`;
}
