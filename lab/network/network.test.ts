// A sample of bad networks: no lawful server is accused behind one, nothing stays behind, and mutants are still found.
import { describe, expect, test } from 'vitest';
import { withLeanFetch } from '../lean-fetch.test-data.ts';
import { wrongSchedules } from './command.ts';
import { examineSchedule } from './examine-schedule.ts';
import { kinds } from './kinds.ts';
import { scheduleNamed } from './schedule.ts';

withLeanFetch();

const examined = (name: string) => examineSchedule(scheduleNamed(name), { effort: 'quick' });
const rounds = kinds.length;

/** Of each kind that nothing else resembles one schedule, at the highest rate, before the reference. */
const sample = [
  'reset-after',
  'hang-after',
  'cut-without-length',
  'duplicate',
  '504-after',
  'json-502-named',
  '520-to-526',
  'html-500',
  'html-429',
  'outage-nginx-502',
  'gone-for-good-refused',
  'limiter-in-front-html',
  'our-clock-jumps-back',
  'clock-a-day-behind-lost-keys',
].map((id) => ({ id, seed: kinds.findIndex((kind) => kind.id === id) + 2 * rounds }));

describe('behind a bad network', () => {
  test.each(sample)('$id accuses nobody, and leaves nothing behind', async ({ seed }) => {
    const outcome = await examined(`network-${seed}`);
    expect(wrongSchedules([{ ...outcome, subject: `network-${seed}` }])).toEqual([]);
    expect(outcome.requests).toBeGreaterThan(100);
  });

  /** Of each heading a mutant; html-500 at 1 % is what hides most. */
  const mutants = ['notes-', 'authentication-', 'idempotency-', 'errors-', 'pagination-'];
  test.each(mutants)('a mutant of %s is still found where 1 % of replies is somebody else’s', async (prefix) => {
    const seed = kinds.findIndex(({ id }) => id === 'html-500') + rounds;
    const { mutants: all } = await import('../mutants/index.ts');
    const mutant = all.find(({ id }) => id.startsWith(prefix));
    if (mutant === undefined) throw new Error(`there is no mutant of ${prefix}`);
    const { failed } = await examineSchedule(scheduleNamed(`network-${seed}-${mutant.id}`));
    expect(failed).toEqual(expect.arrayContaining([...mutant.breaks]));
  });
});
