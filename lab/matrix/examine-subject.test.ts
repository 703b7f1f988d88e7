// The effort with which subjects are examined.
import { expect, test } from 'vitest';
import { outcomeFor } from './examine-subject.ts';
import { type Subject, subjectOf } from './subject.ts';

/** A subject of which one area is examined, because which effort is chosen does not depend on the rest. */
const named = (id: string): Subject => {
  const subject = subjectOf(id);
  if (subject === undefined) throw new Error(`no subject ${id}`);
  return { ...subject, examination: { ...subject.examination, settings: { areas: ['notes'] } } };
};

test.each([
  ['a mutant that a quick run kills is examined with no more than that', 'notes-edit-is-lost', 'quick', 'quick'],
  ['every mutant is examined with a standard run where that is wanted', 'notes-edit-is-lost', 'standard', 'standard'],
  ['a lawful server is examined with a standard run', 'envelope-indented', 'quick', 'standard'],
  ['a lawful server is examined with a thorough run where that is wanted', 'envelope-indented', 'thorough', 'thorough'],
] as const)('%s', async (_, id, least, effort) => {
  expect(await outcomeFor(named(id), least)).toMatchObject({ subject: id, effort });
});

test('a mutant that a quick run does not judge as declared is examined with a standard run too', async () => {
  const missed: Subject = { ...named('notes-edit-is-lost'), id: 'declared-wrongly', red: ['notes-create-once'] };
  const [both, one] = [await outcomeFor(missed, 'quick'), await outcomeFor(missed, 'standard')];
  expect(both).toMatchObject({ effort: 'standard', failed: one.failed });
  expect(both.requests).toBeGreaterThan(one.requests);
});

test('a mutant that is declared as not found is examined with a standard run', async () => {
  const hidden: Subject = { ...named('notes-edit-is-lost'), id: 'declared-as-not-found', notFound: 'nobody asks' };
  expect(await outcomeFor(hidden, 'quick')).toMatchObject({ effort: 'standard' });
});
