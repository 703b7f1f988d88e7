// An account has room for so many writes a minute as it reports, and for any number where it reports none.
import { expect, test } from 'vitest';
import type { Credential } from '../../lib/index.ts';
import { virtualClock } from '../../lib/runtime/virtual-clock.ts';
import { Allowance } from './allowance.ts';

const of = (name: string, account = name): Credential => ({ name, kind: 'key', accounts: [account] });
const most = 2;

test('a minute later there is room again; another account has its own, and keys of one share it', async () => {
  const clock = virtualClock();
  const limits = {
    minuteMs: 60_000,
    reported: ({ name }: Credential) => (name === 'silent' ? undefined : most),
    quiet: async () => {},
    room: async () => {},
    reserve: async () => async () => {},
  };
  const allowance = new Allowance({ clock, limits });
  const [key, other, silent] = [of('key'), of('other'), of('silent')];
  for (const one of [key, silent, of('child', 'key'), silent]) {
    expect(allowance.has(one, 'write')).toBe(true);
    allowance.spend(one, 'write');
  }
  expect([key, other, silent].map((one) => allowance.has(one, 'write'))).toEqual([false, true, true]);
  await clock.sleep(60_000);
  expect(allowance.has(key, 'write')).toBe(true);

  // Whoever validates, it is the same client.
  for (const one of [key, other]) allowance.spend(one, 'validate');
  expect([key, of('third')].map((one) => allowance.has(one, 'validate'))).toEqual([false, false]);
  expect(allowance.has(key, 'write')).toBe(true);
});
