// Tables of mutants: which mistakes the compiler finds.
import { expect, test } from 'vitest';
import { mutants, type Wrap } from './mutant.ts';

const wrap: Wrap = (honest) => honest;

test('a table with an unknown requirement, or with an identifier under two requirements, does not compile', () => {
  // The compiler reports each of these comments unless the line below it is an error.
  // @ts-expect-error: the requirement is called notes-create-id.
  const mistyped = mutants({ 'notes-create-ids': { 'notes-mistyped': wrap } });
  const twice = mutants({
    // @ts-expect-error: both requirements have a mutant of this name.
    'notes-create-id': { 'notes-twice': wrap },
    // @ts-expect-error: the same.
    'notes-create-text': { 'notes-twice': wrap },
  });
  expect([...mistyped, ...twice].map(({ id }) => id)).toEqual(['notes-mistyped', 'notes-twice', 'notes-twice']);
});
