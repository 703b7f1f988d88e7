// How long a run may take: minutes of the clock on the wall, also where the run's own clock hurries.
import { expect, test } from 'vitest';
import { allowedTime } from './time-limit.ts';

const plan = { requests: [{ account: 'one', class: 'read', requests: 20 }], residue: [], duration_ms: 30_000 } as const;

test.each([
  [2, undefined, undefined, 120_000, 'its limit of 2 minutes (--max-minutes)'],
  [2, undefined, 10, 1_200_000, 'its limit of 2 minutes (--max-minutes)'],
  [undefined, plan, undefined, 150_000, 'its limit of 3 minutes, three times what was planned'],
  [undefined, plan, 10, 1_500_000, 'its limit of 3 minutes, three times what was planned'],
  [undefined, undefined, 10, Number.POSITIVE_INFINITY, ''],
] as const)('--max-minutes %j, planned %j, a clock %j times as fast: %i ms', (minutes, planned, rate, ms, over) => {
  const allowed = allowedTime(minutes, planned, rate);
  expect(allowed.ms).toBe(ms);
  expect(allowed.over).toContain(over);
});
