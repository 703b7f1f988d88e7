// Virtual time: it jumps while everything waits, and stands still while a request is being answered.
import { expect, test } from 'vitest';
import { virtualClock } from './virtual-clock.ts';

test('sleepers wake in the order of their times', async () => {
  const clock = virtualClock(0);
  const woken: string[] = [];
  await Promise.all([
    clock.sleep(60_000).then(() => woken.push(`late ${clock.now()}`)),
    clock.sleep(10).then(() => woken.push(`early ${clock.now()}`)),
  ]);
  expect(woken).toEqual(['early 10', 'late 60000']);
});

test('time stands still while work is under way', async () => {
  const clock = virtualClock(0);
  const work = clock.during(async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return clock.now();
  });
  await Promise.all([clock.sleep(1000), work]);
  expect(await work).toBe(0);
});

test('a server that sleeps lets time pass', async () => {
  const clock = virtualClock(0);
  const answered = await clock.during(async () => {
    await clock.inside.sleep(5000);
    return clock.now();
  });
  expect(answered).toBe(5000);
});

test('an aborted sleeper is gone and keeps no other waiting', async () => {
  const clock = virtualClock(0);
  const stop = new AbortController();
  const sleeping = expect(clock.sleep(99_000, stop.signal)).rejects.toThrow('enough');
  stop.abort(new Error('enough'));
  await sleeping;
  await clock.sleep(5);
  expect(clock.now()).toBe(5);
});
