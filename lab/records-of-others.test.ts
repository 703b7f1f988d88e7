// A run changes no records of others, also if each account numbers its records separately.
import { expect, test } from 'vitest';
import { handlerTransport } from '../lib/client/transports/handler.ts';
import type { Effort } from '../lib/configuration/settings.ts';
import { run } from '../lib/run/run.ts';
import { virtualClock } from '../lib/runtime/virtual-clock.ts';
import { suites } from '../suites/index.ts';
import { defaultSettings, targetOf } from './examine.ts';
import { withLeanFetch } from './lean-fetch.test-data.ts';
import { createSecondReading } from './second-reading/index.ts';

withLeanFetch();

/** Numbers as near to each other as can be. */
const choices = {
  sharing: 'own',
  companyNumbering: 'per-account',
  companyIds: 'from-one',
  keyNumbering: 'per-account',
  keyIds: 'from-one',
  noteNumbering: 'per-company',
  noteIds: 'from-one',
} as const;

async function changedBy(seed: number, effort: Effort): Promise<readonly string[]> {
  const clock = virtualClock();
  const { handle, env, changed } = await createSecondReading({ seed, choices, now: () => clock.now() });
  const settings = { ...defaultSettings, seed, effort };
  await run({ suites, target: targetOf(env), settings, transport: handlerTransport(handle, clock), clock });
  return changed();
}

test.each([
  [3, 'standard'],
  [5, 'quick'],
  [6, 'thorough'],
] as const)('a run on server %i with the effort %s changes nothing that others have', async (seed, effort) => {
  expect(await changedBy(seed, effort)).toEqual([]);
});
