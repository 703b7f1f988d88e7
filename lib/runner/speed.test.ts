// A server that is a function is examined as a whole in two seconds of a processor, the report included.
import { expect, test } from 'vitest';
import { createReference } from '../../lab/reference/index.ts';
import { examine, virtualClock } from './index.ts';

async function took(): Promise<number> {
  const clock = virtualClock();
  const { handler, env } = await createReference({ clock });
  const before = process.cpuUsage();
  const { report } = await examine({ fetch: handler, clock, environment: env, seed: 1 });
  expect(report.verdict).toBe('conformant');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('the reference is examined in at most two seconds', async () => {
  const times: number[] = [];
  // The first ones warm up, and other tests run beside them.
  for (let time = 1; time <= 5; time += 1) times.push(await took());
  expect(Math.min(...times)).toBeLessThanOrEqual(2000);
});
