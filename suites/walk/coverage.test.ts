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
  const encounters = new Coverage();
  const [one, other, keyed] = [of('a note'), of('a note', 'session'), of('a note', 'key', 'with a key')];
  expect(encounters.rarest([one, other])).toBe(one);
  encounters.meet(one);
  expect(encounters.rarest([one, other])).toBe(other);
  expect(encounters.rarest([one, keyed])).toBe(keyed);
  expect(encounters.rarest([])).toBeUndefined();
});

test('what went just before counts, and whether it was of the same caller', () => {
  const encounters = new Coverage();
  const [note, edit] = [of('a note'), of('an edit')];
  const after = (reply: Reply): void => {
    encounters.heard(reply);
    encounters.meet(note);
  };
  after(replied('PATCH /me/active-account', 200, 'session'));
  // The note has met a switch, and the edit has met nothing.
  expect(encounters.rarest([note, edit])).toBe(edit);
  encounters.meet(edit);
  // Now a refused token is new to the note alone.
  encounters.heard(replied('GET /me', 401, 'nobody'));
  encounters.meet(edit);
  expect(encounters.rarest([edit, note])).toBe(note);
});

test('a pause counts as something that went just before', () => {
  const encounters = new Coverage();
  const [note, edit] = [of('a note'), of('an edit')];
  for (const one of [note, edit, edit]) encounters.meet(one);
  encounters.paused();
  encounters.meet(note);
  // Both were met twice, and right after a pause only the note.
  expect(encounters.rarest([note, edit])).toBe(edit);
});

test('what has many forms is met as one kind, too', () => {
  const encounters = new Coverage();
  encounters.meet(of('a refused note: empty'));
  encounters.meet(of('a refused note: blank'));
  encounters.meet(of('a refused edit: empty'));
  const [note, edit] = [of('a refused note: missing'), of('a refused edit: missing')];
  expect(encounters.rarest([note, edit])).toBe(edit);
});

test('what leads to something rare is worth more', () => {
  const encounters = new Coverage();
  const [edit, replay] = [of('an edit'), of('a replay')];
  for (const one of [edit, replay]) {
    encounters.meet(one);
    encounters.heard(replied('PATCH /companies/{company_id}', 200, 'key', 'a'));
  }
  // Both are about to follow a creation, which neither did.
  for (let count = 0; count < 8; count += 1) encounters.heard(replied('PATCH /companies/{company_id}', 200, 'other'));
  for (let count = 0; count < 3; count += 1) encounters.heard(replied('POST /companies', 201, 'other'));
  expect(encounters.rarest([edit, replay])).toBe(replay);
});
