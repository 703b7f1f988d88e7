// Tests of the coverage, which prefers rare pairs and rare events, and of the allowance.
import { expect, test } from 'vitest';
import { replyOf } from '../../lib/client/reply.test-data.ts';
import type { Credential, OperationId, Reply } from '../../lib/index.ts';
import { virtualClock } from '../../lib/runtime/virtual-clock.ts';
import { allowanceOf, Coverage, type CoveredEvent } from './coverage.ts';

const of = (what: string, who = 'key', ...headers: readonly string[]): CoveredEvent => ({
  what,
  actor: who,
  credential: who,
  headers,
});
const replied = (operation: OperationId, status: number, credential = 'key', key?: string): Reply =>
  replyOf({
    ...{ operation, status, credential },
    request: {
      method: operation.split(' ')[0] ?? 'GET',
      url: 'http://target.test',
      headers: key === undefined ? {} : { 'idempotency-key': key },
    },
  });

test('a pair that was never covered comes first: by actor, and by headers', () => {
  const coverage = new Coverage();
  const [one, other, keyed] = [of('a note'), of('a note', 'session'), of('a note', 'key', 'with a key')];
  expect(coverage.leastCovered([one, other])).toBe(one);
  coverage.count(one);
  expect(coverage.leastCovered([one, other])).toBe(other);
  expect(coverage.leastCovered([one, keyed])).toBe(keyed);
  expect(coverage.leastCovered([])).toBeUndefined();
});

test('the request before counts, and whether it had the same caller', () => {
  const coverage = new Coverage();
  const [note, edit] = [of('a note'), of('an edit')];
  const after = (reply: Reply): void => {
    coverage.observe(reply);
    coverage.count(note);
  };
  after(replied('PATCH /me/active-account', 200, 'session'));
  // The note has followed a switch, the edit has not.
  expect(coverage.leastCovered([note, edit])).toBe(edit);
  coverage.count(edit);
  // Now only the note has not followed a refused token.
  coverage.observe(replied('GET /me', 401, 'nobody'));
  coverage.count(edit);
  expect(coverage.leastCovered([edit, note])).toBe(note);
});

test('a pause counts as an event before', () => {
  const coverage = new Coverage();
  const [note, edit] = [of('a note'), of('an edit')];
  for (const one of [note, edit, edit]) coverage.count(one);
  coverage.pause();
  coverage.count(note);
  // Both were sent twice, but only the note right after a pause.
  expect(coverage.leastCovered([note, edit])).toBe(edit);
});

test('variants of one kind are also counted as that kind', () => {
  const coverage = new Coverage();
  coverage.count(of('a refused note: empty'));
  coverage.count(of('a refused note: blank'));
  coverage.count(of('a refused edit: empty'));
  const [note, edit] = [of('a refused note: missing'), of('a refused edit: missing')];
  expect(coverage.leastCovered([note, edit])).toBe(edit);
});

const holder = (name: string, account = name): Credential => ({ name, kind: 'key', accounts: [account] });
const most = 2;

test('the allowance returns after a minute; keys of one account share it', async () => {
  const clock = virtualClock();
  const limits = {
    minuteMs: 60_000,
    reported: ({ name }: Credential) => (name === 'silent' ? undefined : most),
    quiet: async () => {},
    room: async () => {},
    free: () => 0,
    reserve: async () => async () => {},
  };
  const allowance = allowanceOf({ clock, limits });
  const [key, other, silent] = [holder('key'), holder('other'), holder('silent')];
  for (const one of [key, silent, holder('child', 'key'), silent]) {
    expect(allowance.has(one, 'write')).toBe(true);
    allowance.spend(one, 'write');
  }
  expect([key, other, silent].map((one) => allowance.has(one, 'write'))).toEqual([false, true, true]);
  await clock.sleep(60_000);
  expect(allowance.has(key, 'write')).toBe(true);

  // Validations are limited for the whole client.
  for (const one of [key, other]) allowance.spend(one, 'validate');
  expect([key, holder('third')].map((one) => allowance.has(one, 'validate'))).toEqual([false, false]);
  expect(allowance.has(key, 'write')).toBe(true);
});
