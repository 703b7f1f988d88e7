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
  expect(String(traffic(report))).toContain(
    `aria-label="Requests of class read in the minute before each moment: COVENANT_API_KEY at most ${peak} of 200;`,
  );
  expect(String(budgetTable(report))).toContain(`<td class="number">200</td>`);
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
