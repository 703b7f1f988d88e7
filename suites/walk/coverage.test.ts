// What was met least is chosen first, and what seldom comes about before what often does.
import { expect, test } from 'vitest';
import { replyOf } from '../../lib/client/reply.test-data.ts';
import type { OperationId, Reply } from '../../lib/index.ts';
import { Coverage, type CoveredEvent } from './coverage.ts';

const of = (what: string, who = 'key', ...beside: readonly string[]): CoveredEvent => ({
  what,
  who,
  voice: who,
  beside,
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

test('what was not met goes before what was: by whom, and with what beside', () => {
  const coverage = new Coverage();
  const [one, other, keyed] = [of('a note'), of('a note', 'session'), of('a note', 'key', 'with a key')];
  expect(coverage.rarest([one, other])).toBe(one);
  coverage.meet(one);
  expect(coverage.rarest([one, other])).toBe(other);
  expect(coverage.rarest([one, keyed])).toBe(keyed);
  expect(coverage.rarest([])).toBeUndefined();
});

test('what went just before counts, and whether it was of the same caller', () => {
  const coverage = new Coverage();
  const [note, edit] = [of('a note'), of('an edit')];
  const after = (reply: Reply): void => {
    coverage.heard(reply);
    coverage.meet(note);
  };
  after(replied('PATCH /me/active-account', 200, 'session'));
  // The note has met a switch, and the edit has met nothing.
  expect(coverage.rarest([note, edit])).toBe(edit);
  coverage.meet(edit);
  // Now a refused token is new to the note alone.
  coverage.heard(replied('GET /me', 401, 'nobody'));
  coverage.meet(edit);
  expect(coverage.rarest([edit, note])).toBe(note);
});

test('a pause counts as something that went just before', () => {
  const coverage = new Coverage();
  const [note, edit] = [of('a note'), of('an edit')];
  for (const one of [note, edit, edit]) coverage.meet(one);
  coverage.paused();
  coverage.meet(note);
  // Both were met twice, and right after a pause only the note.
  expect(coverage.rarest([note, edit])).toBe(edit);
});

test('what has many forms is met as one kind, too', () => {
  const coverage = new Coverage();
  coverage.meet(of('a refused note: empty'));
  coverage.meet(of('a refused note: blank'));
  coverage.meet(of('a refused edit: empty'));
  const [note, edit] = [of('a refused note: missing'), of('a refused edit: missing')];
  expect(coverage.rarest([note, edit])).toBe(edit);
});

test('what leads to something rare is worth more', () => {
  const coverage = new Coverage();
  const [edit, replay] = [of('an edit'), of('a replay')];
  for (const one of [edit, replay]) {
    coverage.meet(one);
    coverage.heard(replied('PATCH /companies/{company_id}', 200, 'key', 'a'));
  }
  // Both are about to follow a creation, which neither did.
  for (let count = 0; count < 8; count += 1) coverage.heard(replied('PATCH /companies/{company_id}', 200, 'other'));
  for (let count = 0; count < 3; count += 1) coverage.heard(replied('POST /companies', 201, 'other'));
  expect(coverage.rarest([edit, replay])).toBe(replay);
});
