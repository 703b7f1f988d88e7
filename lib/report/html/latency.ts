// How long replies took: one row an operation, the numbers and a bar of the same.
import type { Latency, Report } from '../../result.ts';
import { html, type Markup } from './markup.ts';
import { type Column, table } from './table.ts';

const columns: readonly Column[] = [
  { name: 'Operation' },
  { name: 'Replies', number: true },
  { name: 'Median', number: true },
  { name: '95 % within', number: true },
  { name: 'Longest', number: true },
  { name: 'Drawn', wide: true },
];

const width = 160;

/** Dark up to the median, light up to the 95th percentile, a stroke at the longest. */
function bar({ median_ms, p95_ms, max_ms }: Latency, longest: number): Markup {
  const at = (ms: number): string => ((ms / longest) * (width - 2)).toFixed(1);
  return html`<svg class="bar" viewBox="0 0 ${width} 12" width="${width}" height="12" aria-hidden="true" focusable="false">
<rect class="p95" y="2" width="${at(p95_ms)}" height="8"/><rect class="median" y="2" width="${at(median_ms)}" height="8"/><rect class="longest" x="${at(max_ms)}" width="2" height="12"/></svg>`;
}

const ms = (value: number): string => `${Math.round(value * 10) / 10} ms`;

export function latency({ latency: rows }: Report): Markup {
  if (rows.length === 0) return html``;
  const longest = Math.max(1, ...rows.map((row) => row.max_ms));
  return html`${table(
    'Latency per operation, as measured by this client. Drawn: dark the median, light 95 %, the stroke the longest',
    columns,
    rows
      .toSorted((one, other) => other.p95_ms - one.p95_ms)
      .map((row) => [
        html`<code>${row.operation}</code>`,
        row.count,
        ms(row.median_ms),
        ms(row.p95_ms),
        ms(row.max_ms),
        bar(row, longest),
      ]),
  )}`;
}
