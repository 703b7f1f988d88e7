// The chart counts what a limit counts, and says in words what it draws.
import { expect, test } from 'vitest';
import { changed, sample } from '../sample.test-data.ts';
import { budgetTable, inTheMinute, traffic } from './traffic.ts';

const line = (sent: readonly number[], slice_ms: number) => ({
  account: 'COVENANT_API_KEY',
  class: 'read' as const,
  slice_ms,
  sent,
});

test('each point is the number of requests in the minute before it', () => {
  expect(inTheMinute(line([5, 0, 2, 1, 0, 0], 20_000), 60_000)).toEqual([5, 5, 7, 3, 3, 1]);
});

test('a run that kept to its limit is not drawn beyond it where slices do not divide the minute', () => {
  expect(Math.max(...inTheMinute(line([10, 10, 10, 10, 10, 10], 700), 2_000))).toBe(20);
});

test('every chart says in words what it shows, and every limit stands in the table', () => {
  const { report } = sample();
  const peak = Math.max(...inTheMinute(report.traffic[0] ?? line([], 1), 60_000));
  expect(String(traffic(report))).toContain(`aria-label="COVENANT_API_KEY, read: at most ${peak} of 200 in a minute`);
  expect(String(budgetTable(report))).toContain(`<td class="number">200</td>`);
});

const drawn = (sent: readonly number[], limit: number): string => {
  const spending = { account: 'COVENANT_API_KEY', class: 'read' as const, limit, sent: 0, throttled: 0 };
  return String(traffic(changed(sample(), { traffic: [line(sent, 20_000)], budget: [spending] }).report));
};

test('limit and maximum are labelled, and what exceeds the limit on purpose is shaded', () => {
  const chart = drawn([5, 5, 20], 24);
  for (const label of ['>24</text>', '>30</text>', 'class="beyond"', 'exceeded on purpose'])
    expect(chart).toContain(label);
  expect(drawn([5, 5, 5], 24)).not.toContain('beyond');
});

test('a limit of a million does not press the line flat: it is named and not drawn', () => {
  const chart = drawn([5, 5, 20], 1_000_000);
  expect(chart).toContain('at most 30 of 1000000 in a minute');
  expect(chart).not.toContain('class="limit"');
  const heights = [...chart.matchAll(/V([\d.]+)H/g)].map(([, height]) => Number(height));
  expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(50);
});

test('where there was a plan, it stands beside what was sent', () => {
  const plan = {
    requests: [{ account: 'COVENANT_API_KEY', class: 'read' as const, requests: 777 }],
    residue: [],
    duration_ms: 0,
  };
  expect(String(budgetTable(changed(sample(), { plan }).report))).toContain('777');
  expect(String(budgetTable(sample().report))).not.toContain('Planned');
});
