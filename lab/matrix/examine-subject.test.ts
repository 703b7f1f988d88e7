// With how much effort a subject is examined.
import { expect, it } from 'vitest';
import { outcomeFor } from './examine-subject.ts';
import { type Subject, subjectOf } from './subject.ts';

const named = (id: string): Subject => {
  const subject = subjectOf(id);
  if (subject === undefined) throw new Error(`no subject ${id}`);
  return subject;
};

it.each([
  ['a mutant that a quick run finds, with no more than that', 'notes-edit-is-lost', 'quick', 'quick'],
  ['any mutant with a standard run where that is wanted', 'notes-edit-is-lost', 'standard', 'standard'],
  ['a lawful server with a standard run', 'envelope-indented', 'quick', 'standard'],
] as const)('%s', async (_, id, least, effort) => {
  expect(await outcomeFor(named(id), least)).toMatchObject({ subject: id, effort });
});

it('a mutant that a quick run does not judge as declared, with a standard run too', async () => {
  const missed: Subject = { ...named('notes-edit-is-lost'), id: 'told-of-wrongly', red: ['notes-create-once'] };
  const [both, one] = [await outcomeFor(missed, 'quick'), await outcomeFor(missed, 'standard')];
  expect(both).toMatchObject({ effort: 'standard', failed: one.failed });
  expect(both.requests).toBeGreaterThan(one.requests);
});
