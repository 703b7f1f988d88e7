// Every subject of the matrix has its own identifier.
import { expect, test } from 'vitest';
import { outcomeFor } from './judgement.ts';
import { concerns, type Subject, subjectOf, subjects, within } from './subject.ts';

test('no two subjects of the matrix have the same identifier, in whatever file they stand', () => {
  const ids = subjects.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every subject is found by its identifier, and so is a randomised server beyond those of the matrix', () => {
  for (const subject of subjects) expect(subjectOf(subject.id)).toBe(subject);
  expect(subjectOf('random-4711')).toMatchObject({ id: 'random-4711', kind: 'random' });
  expect(subjectOf('no-such')).toBeUndefined();
});

const mutant: Subject = {
  id: 'notes-text-is-cut',
  kind: 'mutant',
  why: '',
  examination: {},
  red: ['notes-create-text', 'pagination-list-empty'],
  collateral: { 'pagination-list-empty': 'it compares' },
  untested: {},
};
const variant: Subject = {
  ...mutant,
  kind: 'variant',
  examination: { settings: { seed: 7 } },
  red: ['idempotency-company-create', 'api-keys-list-last-used-moves'],
  collateral: {},
  untested: { 'api-keys-create-id': 'no keys', 'notes-create-id': 'no notes' },
};

test('a mutant concerns the areas of what it breaks, not those of its collateral', () => {
  expect(concerns(mutant, ['billing', 'notes'])).toBe(true);
  expect(concerns(mutant, ['pagination'])).toBe(false);
});

test('the reference and the variants concern every area, randomised servers none', () => {
  expect(concerns(variant, ['billing'])).toBe(true);
  expect(concerns({ ...variant, kind: 'reference' }, ['billing'])).toBe(true);
  expect(concerns({ ...variant, kind: 'random' }, ['billing'])).toBe(false);
});

test('a mutant is examined in full, so that what it makes red elsewhere is seen', () => {
  expect(within(mutant, ['notes'])).toBe(mutant);
});

test('a lawful server is examined and judged by the requirements of the areas only', () => {
  expect(within(variant, ['notes', 'idempotency'])).toEqual({
    ...variant,
    examination: { settings: { seed: 7, areas: ['notes', 'idempotency'] } },
    red: ['idempotency-company-create'],
    untested: { 'notes-create-id': 'no notes' },
  });
});

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
