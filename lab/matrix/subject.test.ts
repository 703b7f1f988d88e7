// Every subject of the matrix has its own identifier.
import { expect, test } from 'vitest';
import { subjectOf, subjects } from './subject.ts';

test('no two subjects of the matrix have the same identifier, in whatever file they stand', () => {
  const ids = subjects.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every subject is found by its identifier, and so is a randomised server beyond those of the matrix', () => {
  for (const subject of subjects) expect(subjectOf(subject.id)).toBe(subject);
  expect(subjectOf('random-4711')).toMatchObject({ id: 'random-4711', kind: 'random' });
  expect(subjectOf('no-such')).toBeUndefined();
});
